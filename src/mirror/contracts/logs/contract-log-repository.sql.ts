import { setImmediate } from 'node:timers/promises';
import { prepareLists, type Sql, type SqlList } from '../../../storage/sql/sql.ts';
import { bloomWith } from '../../evm/bloom.ts';
import { unpackBloom } from '../../evm/packed-bloom.ts';
import { LISTING } from '../../ledger/facets/contract-results.ts';
import { hashPrefix } from '../../ledger/hash-prefix.ts';
import type { IntegerRange, PageRequest } from '../../parameters/page-parameters.ts';
import { createChunkSearch } from './chunk-search.sql.ts';
import { type LogPlace, type LogSelection, type StoredLog, storedLog } from './contract-log-repository.ts';
import { conditionsOf } from './log-condition.ts';
import { createLogWalk, placeKey } from './log-walk.sql.ts';

/** A transaction may have tens of thousands: so many are read before others have their turn. */
const ROWS_OF_A_TURN = 1000;

/** The read side of logs; hidden ones are nowhere. */
export type ContractLogRepository = ReturnType<typeof createContractLogRepository>;

/** Reads the tables `contract_log` and `contract_log_topic`. */
export function createContractLogRepository(sql: Sql) {
  const { isListed, list } = sql.dialect;
  const placesOf = createLogPlaces(sql);
  const logs = (condition: string, limit = '') =>
    prepareLists(
      sql,
      storedLog(sql.dialect.prefixedHex),
      `from contract_log where ${condition} and is_hidden = 0 order by consensus_ts, log_index ${limit}`,
    );
  const someAtTime = logs('consensus_ts = ? and log_index > ?', `limit ${ROWS_OF_A_TURN}`);
  const synthetic = sql.prepareExactColumns<[SqlList], readonly [time: bigint, bloom: Uint8Array | null]>(
    `select consensus_ts, bloom from contract_log
     where ${isListed('consensus_ts')} and is_synthetic = 1 and is_hidden = 0`,
  );
  const atTimes = logs(`${isListed('consensus_ts')} and ${isListed('log_index')}`);
  const timesOfHash = (order: 'asc' | 'desc') =>
    sql.prepareExactValue<unknown[], bigint>(
      `select t.consensus_ts from tx_hash h join tx t on t.consensus_ts = h.consensus_ts
       where h.prefix = ? and h.consensus_ts between ? and ? and substr(t.hash, 1, ?) = ?
       order by t.consensus_ts ${order} limit 1`,
    );
  const timesOfResultHash = (order: 'asc' | 'desc') =>
    sql.prepareExactValue<unknown[], bigint>(
      `select r.consensus_ts from contract_result_hash h join contract_result r on r.consensus_ts = h.consensus_ts
       where h.prefix = ? and h.consensus_ts between ? and ? and r.hash = ? and r.listing > ${LISTING.none}
       order by r.consensus_ts ${order} limit 1`,
    );
  const inOrder = (order: 'asc' | 'desc') => ({
    ofTransactions: timesOfHash(order),
    ofResults: timesOfResultHash(order),
  });
  const ofHash = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    /** By time and index. */
    async page(selection: LogSelection) {
      const places = await placesOf(selection);
      if (places.length === 0) return [];
      const [times, indexes]: [SqlList, SqlList] = [
        list(new Set(places.map((place) => place.consensusTimestamp))),
        list(new Set(places.map((place) => place.index))),
      ];
      const rows = await sql.read(() => atTimes.all(times, indexes));
      const byPlace = new Map(rows.map((row) => [placeKey(row), row]));
      return places.flatMap((place) => byPlace.get(placeKey(place)) ?? []);
    },
    /** Those of a time, by index. */
    async at(time: bigint) {
      const found: StoredLog[] = [];
      for (let after = -1; ; ) {
        const some = await sql.read(() => someAtTime.all(time, after));
        found.push(...some);
        const last = some.at(-1);
        if (last === undefined || some.length < ROWS_OF_A_TURN) return found;
        after = Number(last.index);
        await setImmediate();
      }
    },
    /** Of each time the filters of its synthetic logs in one, 256 bytes; times without one are left out. */
    async syntheticBlooms(times: readonly bigint[]) {
      const blooms = new Map<bigint, Uint8Array>();
      if (times.length === 0) return blooms;
      for (const [time, packed] of await sql.read(() => synthetic.all(list(times)))) {
        const bloom = unpackBloom(packed);
        if (bloom !== null) blooms.set(time, bloomWith(blooms.get(time) ?? null, bloom));
      }
      return blooms;
    },
    /**
     * The first transaction, in an order, that has a hash within times; else the first result, which may have an Ethereum
     * hash.
     *
     * @param hash 32 bytes, which are the beginning of the hash, or all 48
     */
    async timeOfHash(hash: Uint8Array, { lower, upper }: IntegerRange, order: PageRequest['order']) {
      const prefix = hashPrefix(hash);
      if (prefix === null) return null;
      const { ofResults, ofTransactions } = ofHash[order];
      return sql.read(function* () {
        const time = yield* ofTransactions.get(prefix, lower, upper, hash.length, hash);
        return time ?? (yield* ofResults.get(prefix, lower, upper, hash)) ?? null;
      });
    },
  };
}

/** So many rows are walked in two steps. */
const FEW_ROWS = 1000;

/** Prepares the search for the places of a page; rows are read by them. */
export function createLogPlaces(sql: Sql): (selection: LogSelection) => Promise<readonly LogPlace[]> {
  const walk = createLogWalk(sql);
  const searchChunks = createChunkSearch(sql, walk);
  return async (selection) => {
    const { fewRows = FEW_ROWS } = selection;
    const conditions = conditionsOf(selection);
    const [only = null] = conditions;
    if (conditions.length < 2) return walk.first(only, selection);
    const { condition, count } = await walk.rarest(conditions, selection, fewRows);
    return count < fewRows ? walk.first(condition, selection) : searchChunks(conditions, selection);
  };
}
