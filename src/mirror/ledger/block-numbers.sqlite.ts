import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { UnitHeader } from './rows.ts';

/** Numbers the units of a chain. */
export interface BlockNumbers {
  /** The number under which a unit is stored; null for a fixture, which is no link of the chain. */
  numberOf(header: UnitHeader): bigint | null;
}

interface LastLink {
  readonly version: bigint;
  readonly block_number: bigint | null;
}

/** The first version of record files that carry their number. */
const FIRST_NUMBERED_VERSION = 6;

/**
 * Files before version 6 carry no number: they count on from 0, and move along when the first one with a number
 * tells another. The caller opens the database transaction.
 *
 * @see contracts/streams.md section 11, row Block number
 */
export function createBlockNumbers(database: SqliteDatabase): BlockNumbers {
  const lastLink = database
    .prepare<[], LastLink>(
      `select version, block_number from ledger_unit where kind in ('record', 'block')
       order by consensus_end desc limit 1`,
    )
    .safeIntegers(true);
  const shift = database.prepare(
    `update ledger_unit set block_number = block_number + ? where kind = 'record' and version < ?`,
  );
  return {
    numberOf({ blockNumber, kind }) {
      if (kind === 'fixture') return null;
      const last = lastLink.get();
      const expected = last === undefined ? 0n : last.block_number === null ? null : last.block_number + 1n;
      if (blockNumber === null) return expected;
      const isFirstNumbered = last !== undefined && last.version < BigInt(FIRST_NUMBERED_VERSION);
      if (isFirstNumbered && expected !== null && expected !== blockNumber) {
        shift.run(blockNumber - expected, FIRST_NUMBERED_VERSION);
      }
      return blockNumber;
    },
  };
}
