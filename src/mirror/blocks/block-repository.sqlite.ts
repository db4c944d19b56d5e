import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64, MIN_INT64 } from '../parameters/integer-range.ts';
import type { Block, BlockRepository } from './block-repository.ts';

const COLUMNS = `block_number as "number", consensus_start as "consensusStart", consensus_end as "consensusEnd", name,
  hapi_version as "hapiVersion", hash, previous_hash as "previousHash", transaction_count as "count", size,
  gas_used as "gasUsed", logs_bloom as "logsBloom"`;
/** The part of a hash that its index has. */
const INDEXED_BYTES = 32;

/** Reads units with a number from the table `ledger_unit`. */
export function createSqliteBlockRepository(database: SqliteDatabase): BlockRepository {
  const blocks = (where: string) =>
    database
      .prepare<unknown[], Block>(`select ${COLUMNS} from ledger_unit where ${where}`)
      .safeIntegers(true);
  // With a plus the index on the number is not used: the scan goes along the primary key and stops at the limit.
  const conditions = `+block_number between ? and ? and consensus_end between ? and ?
    and block_number not in (select value from json_each(?))
    and consensus_end not in (select value from json_each(?))`;
  const within = (order: 'asc' | 'desc') => blocks(`${conditions} order by consensus_end ${order} limit ?`);
  const among = (order: 'asc' | 'desc') =>
    blocks(
      `block_number in (select value from json_each(?)) and ${conditions} order by +consensus_end ${order} limit ?`,
    );
  const statements = {
    asc: { within: within('asc'), among: among('asc') },
    desc: { within: within('desc'), among: among('desc') },
  };
  const endOf = (where: string) =>
    database
      .prepare<unknown[], bigint>(`select consensus_end from ledger_unit where ${where} limit 1`)
      .safeIntegers(true)
      .pluck();
  const firstFrom = endOf('block_number >= ? order by block_number');
  const lastUpTo = endOf('block_number <= ? order by block_number desc');
  const endAtOrAfter = database
    .prepare<[bigint], { readonly consensus_start: bigint; readonly consensus_end: bigint }>(
      `select consensus_start, consensus_end from ledger_unit where consensus_end >= ? and block_number is not null
       order by consensus_end limit 1`,
    )
    .safeIntegers(true);
  const byNumber = blocks('block_number = ?');
  const byHash = blocks(
    'substr(hash, 1, 32) = substr(?, 1, 32) and substr(hash, 1, ?) = ? and block_number is not null',
  );

  return {
    async page({ equal, excluded, excludedEnds, limit, lower, lowerEnd, order, upper, upperEnd }) {
      const { among, within } = statements[order];
      const rest = [lower, upper, lowerEnd, upperEnd, list(excluded), list(excludedEnds), limit] as const;
      if (equal !== null) return among.all(list(equal), ...rest);
      // Numbers ascend with time, so bounds of one are bounds of the other and the scan begins at the right place.
      const first = lower === MIN_INT64 ? MIN_INT64 : firstFrom.get(lower);
      const last = upper === MAX_INT64 ? MAX_INT64 : lastUpTo.get(upper);
      if (first === undefined || last === undefined) return [];
      const [from, to] = [first > lowerEnd ? first : lowerEnd, last < upperEnd ? last : upperEnd];
      return within.all(lower, upper, from, to, list(excluded), list(excludedEnds), limit);
    },
    async endOfBlockAt(time) {
      const row = endAtOrAfter.get(time);
      return row === undefined || row.consensus_start > time ? null : row.consensus_end;
    },
    async byNumber(number) {
      return byNumber.get(number) ?? null;
    },
    async byHash(hash) {
      if (hash.length < INDEXED_BYTES) return null;
      return byHash.get(hash, hash.length, hash) ?? null;
    },
  };
}

function list(numbers: ReadonlySet<bigint>): string {
  return `[${[...numbers].join(',')}]`;
}
