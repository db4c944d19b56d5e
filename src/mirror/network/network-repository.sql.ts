import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import { lastBook, lastStakes } from '../ledger/last-in-chain.sql.ts';
import { NETWORK_STAKE } from '../ledger/network-rows.ts';
import {
  type BalanceSum,
  NETWORK_NODE,
  type NetworkRepository,
  type ObservedRates,
  REGISTERED_NODE,
} from './network-repository.ts';

interface BalanceRow {
  readonly balance: bigint;
  readonly balance_ts: bigint;
}

interface StatedRow {
  readonly consensus_ts: bigint;
  readonly schedule_ts: bigint;
  readonly prices: string;
}

/** Reads balances, address books, nodes and stakes. */
export function createNetworkRepository(sql: Sql): NetworkRepository {
  const { each, isNull, list } = sql.dialect;
  const running = sql.prepareExact<[bigint, bigint], BalanceRow>(
    'select balance, coalesce(balance_ts, 0) as balance_ts from entity where id between ? and ? and balance is not null',
  );
  const accountsWithSnapshots = sql.prepareExactValue<[bigint, bigint], bigint>(
    'select account_id from balance_snapshot where account_id between ? and ? order by account_id limit 1',
  );
  const newestSnapshot = sql.prepareExact<[bigint, bigint, bigint], BalanceRow>(
    `select balance, consensus_ts as balance_ts from balance_snapshot
     where account_id = ? and consensus_ts between ? and ? order by consensus_ts desc limit 1`,
  );
  const oldestSnapshot = sql.prepareExactValue<[bigint], bigint>(
    'select consensus_ts from balance_snapshot where account_id = ? order by consensus_ts limit 1',
  );
  const nodeRows = (order: 'asc' | 'desc') =>
    prepareSelect(
      sql,
      NETWORK_NODE,
      `, n.changed_ts from address_book_entry e
       left join node n on n.node_id = e.node_id
       left join node_stake s on s.node_id = e.node_id
         and s.consensus_ts = (${lastStakes('node_stake')})
       left join network_stake u on u.consensus_ts = s.consensus_ts
       where e.file_id = ? and e.start_ts = (${lastBook('?')})
         and e.node_id between ? and ?
         and (${isNull} or e.node_id in (select value from ${each('listed')}))
         and e.node_id not in (select value from ${each('listed')})
       order by e.node_id ${order} limit ?`,
    );
  const nodes = { asc: nodeRows('asc'), desc: nodeRows('desc') };
  const stake = prepareSelect(
    sql,
    NETWORK_STAKE,
    `from network_stake where consensus_ts = (${lastStakes('network_stake')})`,
  );

  const rates = (where: string) =>
    sql.prepareExact<unknown[], ObservedRates>(
      `select contents, consensus_ts as "timestamp" from rate_observation ${where} limit 1`,
    );
  const newestRates = rates('where consensus_ts between ? and ? order by consensus_ts desc');
  const gasPrices = sql.prepareExact<[bigint, bigint], StatedRow>(
    `select consensus_ts, schedule_ts, prices from told_gas_price where consensus_ts between ? and ?
     order by consensus_ts desc limit 1`,
  );
  const oldestRates = rates('order by consensus_ts');

  /** Skips from account to account, so that many snapshots of one cost nothing. */
  function* snapshotAccounts(first: bigint, last: bigint): Work<readonly bigint[]> {
    const ids: bigint[] = [];
    for (let from = first; from <= last; ) {
      const id = yield* accountsWithSnapshots.get(from, last);
      if (id === undefined) break;
      ids.push(id);
      from = id + 1n;
    }
    return ids;
  }

  return {
    registeredNodes: createRegisteredNodePages(sql),
    currentBalances: sql.reading(function* (ranges) {
      const rows: BalanceRow[] = [];
      for (const { first, last } of ranges) rows.push(...(yield* running.all(first, last)));
      return sum(rows);
    }),
    balancesWithin: sql.reading(function* (ranges, lower, upper) {
      const rows: BalanceRow[] = [];
      for (const { first, last } of ranges) {
        for (const account of yield* snapshotAccounts(first, last)) {
          const row = yield* newestSnapshot.get(account, lower, upper);
          if (row !== undefined) rows.push(row);
        }
      }
      return sum(rows);
    }),
    oldestBalance: sql.reading(function* (ranges) {
      let oldest: bigint | null = null;
      for (const { first, last } of ranges) {
        for (const account of yield* snapshotAccounts(first, last)) {
          const time = yield* oldestSnapshot.get(account);
          if (time !== undefined && (oldest === null || time < oldest)) oldest = time;
        }
      }
      return oldest;
    }),
    nodes: sql.reading(function* ({ equal, excluded, file, limit, lower, order, upper }) {
      const wanted = equal === null ? null : list(equal);
      const unwanted = list(excluded);
      return yield* nodes[order].all(file, file, lower, upper, wanted, wanted, unwanted, limit);
    }),
    newestRates: sql.reading(function* (lower, upper) {
      return (yield* newestRates.get(lower, upper)) ?? null;
    }),
    oldestRates: sql.reading(function* () {
      return (yield* oldestRates.get()) ?? null;
    }),
    statedGasPrices: sql.reading(function* (lower, upper) {
      const row = yield* gasPrices.get(lower, upper);
      if (row === undefined) return null;
      const told = Object.entries(JSON.parse(row.prices) as Readonly<Record<string, string>>);
      return {
        asOf: row.consensus_ts,
        scheduleTimestamp: row.schedule_ts,
        prices: told.map(([kind, gas]) => ({ kind, gas: BigInt(gas) })),
      };
    }),
    newestStake: sql.reading(function* () {
      return yield* stake.find();
    }),
  };
}

function sum(rows: readonly BalanceRow[]): BalanceSum | null {
  if (rows.length === 0) return null;
  return rows.reduce<BalanceSum>(
    ({ timestamp, total }, row) => ({
      total: total + row.balance,
      timestamp: row.balance_ts > timestamp ? row.balance_ts : timestamp,
    }),
    { total: 0n, timestamp: 0n },
  );
}

/** Finds registered nodes along their numbers: a network has some hundreds at most. */
function createRegisteredNodePages(sql: Sql): NetworkRepository['registeredNodes'] {
  const { each, isNull, list } = sql.dialect;
  const inOrder = (order: 'asc' | 'desc') =>
    prepareSelect(
      sql,
      REGISTERED_NODE,
      `from registered_node where deleted = 0 and registered_node_id between ? and ?
         and (${isNull} or registered_node_id in (select value from ${each('listed')}))
       order by registered_node_id ${order}`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  return async ({ equal, limit, lower, order, service, upper }) => {
    return sql.read(function* () {
      const wanted = equal === null ? null : list(equal);
      const nodes = yield* pages[order].all(lower, upper, wanted, wanted);
      return nodes
        .filter(({ endpoints }) => service === null || endpoints.some((each) => each.service === service))
        .slice(0, limit);
    });
  };
}
