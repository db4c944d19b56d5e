import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { createUnitSpans, placeOfTime } from '../ledger/place-of-time.sql.ts';
import type { IntegerSelection, PageRequest } from '../parameters/page-parameters.ts';

/** A record file or block as the ledger stored it. */
export interface Block {
  readonly number: bigint;
  /** Where it stands among the units of the ledger, whose times may step back. */
  readonly place: bigint;
  /** Least and greatest consensus time. */
  readonly consensusStart: bigint;
  readonly consensusEnd: bigint;
  readonly name: string;
  readonly hapiVersion: string | null;
  readonly hash: Uint8Array;
  readonly previousHash: Uint8Array;
  readonly count: bigint;
  /** Bytes as read. */
  readonly size: bigint;
  /** Null when the source did not tell. */
  readonly gasUsed: bigint | null;
  /** Empty without logs; null when the source did not tell. */
  readonly logsBloom: Uint8Array | null;
  /** Empty without receipts; null when it is not known. */
  readonly receiptsRoot: Uint8Array | null;
}

/** What the answers about a transaction show of its block. */
export type BlockHead = Pick<
  Block,
  'number' | 'place' | 'consensusStart' | 'consensusEnd' | 'count' | 'hash' | 'gasUsed'
>;

/** Conditions on the number and on the end of a block; bounds inclusive. */
export interface BlockSelection extends IntegerSelection, PageRequest {
  readonly lowerEnd: bigint;
  readonly upperEnd: bigint;
  readonly excludedEnds: ReadonlySet<bigint>;
}

const HEAD = `block_number as "number", place, consensus_start as "consensusStart", consensus_end as "consensusEnd",
  transaction_count as "count", hash, gas_used as "gasUsed"`;
const COLUMNS = `${HEAD}, name, hapi_version as "hapiVersion", previous_hash as "previousHash",
  size, logs_bloom as "logsBloom", receipts_root as "receiptsRoot"`;
/** The part of a hash that its index has. */
const INDEXED_BYTES = 32;

/**
 * The read side of blocks; fixtures are none.
 *
 * A network that began anew counts from its first number again. Its older blocks are found by their hash and by a
 * number that the newer ones have not reached yet; pages show the newest numbering alone.
 */
export type BlockRepository = ReturnType<typeof createBlockRepository>;

/** Reads units with a number from the table `ledger_unit`. */
export function createBlockRepository(sql: Sql) {
  const { each, list } = sql.dialect;
  const blocks = (where: string) =>
    sql.prepareExact<unknown[], Block>(`select ${COLUMNS} from ledger_unit where ${where}`);
  // A plus keeps an index from being used. Without numbers the scan goes along the primary key and stops at the limit,
  // with numbers along these, however wide the times are.
  const conditions = `+block_number between ? and ? and +consensus_end between ? and ?
    and block_number not in (select value from ${each('listed')})
    and consensus_end not in (select value from ${each('listed')})`;
  const within = (order: 'asc' | 'desc') =>
    blocks(`place between ? and ? and ${conditions} order by place ${order} limit ?`);
  const among = (order: 'asc' | 'desc') =>
    blocks(
      `place in (select max(place) from ledger_unit where block_number in (select value from ${each('listed')})
         group by block_number)
       and ${conditions} order by +block_number ${order} limit ?`,
    );
  const statements = {
    asc: { within: within('asc'), among: among('asc') },
    desc: { within: within('desc'), among: among('desc') },
  };
  const placeOf = (where: string) =>
    sql.prepareExactValue<unknown[], bigint>(`select place from ledger_unit where ${where} limit 1`);
  const firstFrom = placeOf('block_number >= ? and +place >= ? order by block_number');
  const lastUpTo = placeOf('block_number <= ? and +place >= ? order by block_number desc');
  /** Every numbering begins with the lowest number, the newest one last. */
  const numberingStart = sql.prepareExactValue<[], bigint | null>(
    `select max(place) from ledger_unit
     where block_number = (select min(block_number) from ledger_unit where block_number is not null)`,
  );
  const newestNumber = sql.prepareExactValue<[], bigint>(
    'select block_number from ledger_unit where +block_number is not null order by place desc limit 1',
  );
  /** The last place up to which blocks end at a time or before it; few end before the place that they stand at. */
  const placeUpTo = sql.prepareExactValue<[bigint, bigint], bigint | null>(
    `select max(place) from (select max(place) as place from ledger_unit where place <= ?
     union all select max(place) from ledger_unit where consensus_end <= ? and consensus_end < place) reached`,
  );
  const holding = sql.prepareExact<[SqlList], BlockHead & { readonly time: bigint }>(
    `select wanted.value as "time", u.* from ${each('wanted')}
     join (select ${HEAD} from ledger_unit) u on u.place = ${placeOfTime('wanted.value')}`,
  );
  const spansOf = createUnitSpans(sql);
  const byNumber = blocks('block_number = ? order by place desc limit 1');
  const byHash = blocks('substr(hash, 1, 32) = ? and substr(hash, 1, ?) = ? and block_number is not null');

  return {
    /** In order of numbers. */
    page: sql.reading(function* (selection: BlockSelection) {
      const { equal, excluded, excludedEnds, limit, lower, lowerEnd, order, upper, upperEnd } = selection;
      const { among, within } = statements[order];
      const rest = [lower, upper, lowerEnd, upperEnd, list(excluded), list(excludedEnds), limit] as const;
      if (equal !== null) return yield* among.all(list(equal), ...rest);
      const [start, newest] = [(yield* numberingStart.get()) ?? null, yield* newestNumber.get()];
      if (start === null || newest === undefined || lower > newest) return [];
      // Numbers ascend with places, so bounds of one are bounds of the other and the scan begins at the right one.
      const first = lower === MIN_INT64 ? start : yield* firstFrom.get(lower, start);
      const last = upper >= newest ? MAX_INT64 : yield* lastUpTo.get(upper, start);
      if (first === undefined || last === undefined) return [];
      const reached = upperEnd === MAX_INT64 ? last : ((yield* placeUpTo.get(upperEnd, upperEnd)) ?? null);
      if (reached === null) return [];
      // No block ends after its place.
      const [from, to] = [first > lowerEnd ? first : lowerEnd, last < reached ? last : reached];
      return yield* within.all(from, to, ...rest);
    }),
    /** The newest one with the number. */
    byNumber: sql.reading(function* (number: bigint) {
      return (yield* byNumber.get(number)) ?? null;
    }),
    /** Of each time of a transaction the block that holds it; those of no block are left out. */
    async holding(times: Iterable<bigint>) {
      const wanted = [...new Set(times)];
      if (wanted.length === 0) return new Map();
      const found = await sql.read(() => holding.all(list(wanted)));
      return new Map(
        found.flatMap(({ time, ...block }) =>
          block.consensusStart <= time && block.consensusEnd >= time ? [[time, block]] : [],
        ),
      );
    },
    /** What leaves of the times between its start and its end those of its own transactions. */
    ownTimes: sql.reading(function* (block: BlockHead) {
      const spans = yield* spansOf(block);
      if (spans.every(([first, last]) => first === last)) {
        return { equal: new Set(spans.map(([time]) => time)), excluded: new Set<bigint>() };
      }
      const excluded = new Set<bigint>();
      let next = block.consensusStart;
      for (const [first, last] of spans) {
        for (; next < first; next++) excluded.add(next);
        next = last + 1n;
      }
      for (; next <= block.consensusEnd; next++) excluded.add(next);
      return { equal: null, excluded };
    }),
    /** @param hash 48 bytes, or the first 32 of them. */
    byHash: sql.reading(function* (hash: Uint8Array) {
      if (hash.length < INDEXED_BYTES) return null;
      return (yield* byHash.get(hash.subarray(0, INDEXED_BYTES), hash.length, hash)) ?? null;
    }),
  };
}
