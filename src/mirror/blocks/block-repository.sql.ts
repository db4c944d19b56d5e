import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Block, BlockHead, BlockRepository, BlockSelection } from './block-repository.ts';

const HEAD = `block_number as "number", consensus_start as "consensusStart", consensus_end as "consensusEnd", hash,
  gas_used as "gasUsed"`;
const COLUMNS = `${HEAD}, name, hapi_version as "hapiVersion", previous_hash as "previousHash",
  transaction_count as "count", size, logs_bloom as "logsBloom"`;
/** The part of a hash that its index has. */
const INDEXED_BYTES = 32;

/** Reads units with a number from the table `ledger_unit`. */
export function createBlockRepository(sql: Sql): BlockRepository {
  const { each, list } = sql.dialect;
  const blocks = (where: string) =>
    sql.prepare<unknown[], Block>(`select ${COLUMNS} from ledger_unit where ${where}`).safeIntegers(true);
  // A plus keeps an index from being used. Without numbers the scan goes along the primary key and stops at the limit,
  // with numbers along these, however wide the times are.
  const conditions = (
    end: 'consensus_end' | '+consensus_end',
  ) => `+block_number between ? and ? and ${end} between ? and ?
    and block_number not in (select value from ${each('listed')})
    and consensus_end not in (select value from ${each('listed')})`;
  const within = (order: 'asc' | 'desc') =>
    blocks(`${conditions('consensus_end')} order by consensus_end ${order} limit ?`);
  const among = (order: 'asc' | 'desc') =>
    blocks(
      `consensus_end in (select max(consensus_end) from ledger_unit where block_number in (select value from ${each('listed')})
         group by block_number)
       and ${conditions('+consensus_end')} order by +block_number ${order} limit ?`,
    );
  const statements = {
    asc: { within: within('asc'), among: among('asc') },
    desc: { within: within('desc'), among: among('desc') },
  };
  const endOf = (where: string) =>
    sql
      .prepare<unknown[], bigint>(`select consensus_end from ledger_unit where ${where} limit 1`)
      .safeIntegers(true)
      .pluck();
  const firstFrom = endOf('block_number >= ? and +consensus_end >= ? order by block_number');
  const lastUpTo = endOf('block_number <= ? and +consensus_end >= ? order by block_number desc');
  /** Every numbering begins with the lowest number, the newest one last. */
  const numberingStart = sql
    .prepare<[], bigint | null>(
      `select max(consensus_end) from ledger_unit
       where block_number = (select min(block_number) from ledger_unit where block_number is not null)`,
    )
    .safeIntegers(true)
    .pluck();
  const newestNumber = sql
    .prepare<[], bigint>(
      'select block_number from ledger_unit where +block_number is not null order by consensus_end desc limit 1',
    )
    .safeIntegers(true)
    .pluck();
  const endAtOrAfter = sql
    .prepare<[bigint], { readonly consensus_start: bigint; readonly consensus_end: bigint }>(
      `select consensus_start, consensus_end from ledger_unit where consensus_end >= ? and block_number is not null
       order by consensus_end limit 1`,
    )
    .safeIntegers(true);
  const ending = sql
    .prepare<[SqlList], BlockHead>(
      `select ${HEAD} from ledger_unit where consensus_end in
         (select (select u.consensus_end from ledger_unit u
            where u.consensus_end >= wanted.value and u.block_number is not null order by u.consensus_end limit 1)
          from ${each('wanted')})
       order by consensus_end`,
    )
    .safeIntegers(true);
  const byNumber = blocks('block_number = ? order by consensus_end desc limit 1');
  const byEnd = blocks('consensus_end = ? and block_number is not null');
  const byHash = blocks('substr(hash, 1, 32) = ? and substr(hash, 1, ?) = ? and block_number is not null');

  return {
    async page(selection) {
      return sql.read(function* () {
        const { equal, excluded, excludedEnds, limit, lower, lowerEnd, onlyEnd, order, upper, upperEnd } =
          selection;
        if (onlyEnd !== null) return (yield* byEnd.all(onlyEnd)).filter((block) => selects(selection, block));
        const { among, within } = statements[order];
        const rest = [lower, upper, lowerEnd, upperEnd, list(excluded), list(excludedEnds), limit] as const;
        if (equal !== null) return yield* among.all(list(equal), ...rest);
        const [start, newest] = [(yield* numberingStart.get()) ?? null, yield* newestNumber.get()];
        if (start === null || newest === undefined || lower > newest) return [];
        // Numbers ascend with time, so bounds of one are bounds of the other and the scan begins at the right place.
        const first = lower === MIN_INT64 ? start : yield* firstFrom.get(lower, start);
        const last = upper >= newest ? MAX_INT64 : yield* lastUpTo.get(upper, start);
        if (first === undefined || last === undefined) return [];
        const [from, to] = [first > lowerEnd ? first : lowerEnd, last < upperEnd ? last : upperEnd];
        return yield* within.all(lower, upper, from, to, list(excluded), list(excludedEnds), limit);
      });
    },
    async endOfBlockAt(time) {
      return sql.read(function* () {
        const row = yield* endAtOrAfter.get(time);
        return row === undefined || row.consensus_start > time ? null : row.consensus_end;
      });
    },
    async byNumber(number) {
      return sql.read(function* () {
        return (yield* byNumber.get(number)) ?? null;
      });
    },
    async endingAtOrAfter(times) {
      const wanted = [...new Set(times)].sort((left, right) => (left < right ? -1 : 1));
      // Each block once: a page may be of one alone.
      const following = await sql.read(() => ending.all(list(wanted)));
      const found = new Map<bigint, BlockHead>();
      let next = 0;
      for (const time of wanted) {
        while ((following[next]?.consensusEnd ?? time) < time) next++;
        const block = following[next];
        if (block !== undefined) found.set(time, block);
      }
      return found;
    },
    async byHash(hash) {
      return sql.read(function* () {
        if (hash.length < INDEXED_BYTES) return null;
        return (yield* byHash.get(hash.subarray(0, INDEXED_BYTES), hash.length, hash)) ?? null;
      });
    },
  };
}

function selects(selection: BlockSelection, { consensusEnd, number }: Block): boolean {
  const { equal, excluded, excludedEnds, lower, lowerEnd, upper, upperEnd } = selection;
  return (
    (equal?.has(number) ?? true) &&
    number >= lower &&
    number <= upper &&
    !excluded.has(number) &&
    consensusEnd >= lowerEnd &&
    consensusEnd <= upperEnd &&
    !excludedEnds.has(consensusEnd)
  );
}
