import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { LedgerUnit } from './rows.ts';
import type { MissingSidecars } from './sidecars.ts';

interface MissingRow {
  readonly sidecars: bigint;
  readonly units: bigint;
  readonly first: bigint | null;
  readonly last: bigint | null;
}

/** Stores the sidecars of a unit, in the database transaction of the unit. */
export function createSidecarWriter(
  database: SqliteDatabase,
): (unit: Pick<LedgerUnit, 'header' | 'sidecars'>) => void {
  const insert = database.prepare(
    'insert into sidecar (consensus_end, id, types, hash, contents) values (?, ?, ?, ?, ?)',
  );
  return ({ header, sidecars }) => {
    for (const { contents, hash, id, types } of sidecars) {
      insert.run(header.consensusEnd, id, typeBits(types), hash, contents);
    }
  };
}

/** Reads what is missing; an index holds nothing else, so that it costs nothing in a whole ledger. */
export function createMissingSidecars(database: SqliteDatabase): () => MissingSidecars {
  const missing = database
    .prepare<[], MissingRow>(
      `select count(*) as sidecars, count(distinct consensus_end) as units, min(consensus_end) as first,
         max(consensus_end) as last
       from sidecar where contents is null`,
    )
    .safeIntegers(true);
  return () => {
    const { first = null, last = null, sidecars = 0n, units = 0n } = missing.get() ?? {};
    return { sidecars: Number(sidecars), units: Number(units), first, last };
  };
}

/** Numbers that this build does not know have a bit too, up to those that an int64 has. */
function typeBits(types: readonly number[]): bigint {
  return types.reduce((bits, type) => (type >= 0 && type < 63 ? bits | (1n << BigInt(type)) : bits), 0n);
}
