import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import type { EntityId } from '../../values/entity-id.ts';
import {
  bytes,
  flag,
  int64,
  json,
  type RecordOf,
  rowTable,
  text,
  unlessNull,
} from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { lastBook, lastStakes } from '../ledger/last-in-chain.sql.ts';
import type { RegisteredEndpoint, RegisteredService } from '../ledger/registered-endpoint.ts';
import { NETWORK_STAKE, type ServiceEndpoint } from '../ledger/rows.ts';
import type { IntegerSelection, PageRequest } from '../parameters/page-parameters.ts';

/** A sum of balances and the newest time among them. */
export interface BalanceSum {
  /** Tinybars. */
  readonly total: bigint;
  /** Nanoseconds; 0n when there is no balance. */
  readonly timestamp: bigint;
}

/** Encoded ids from `first` to `last`, both inclusive. */
export interface AccountRange {
  readonly first: bigint;
  readonly last: bigint;
}

const INTEGER = /\d+/g;

const NODE_SETTINGS = rowTable({
  account: int64<bigint | null>('n.account_id'),
  adminKey: bytes<Uint8Array | null>('n.admin_key'),
  declineReward: flag<boolean | null>('n.decline_reward'),
  grpcProxyEndpoint: json<ServiceEndpoint | null>('n.grpc_proxy_endpoint'),
  associatedRegisteredNodes: {
    column: 'n.associated_registered_nodes',
    fromStored: (list: string): readonly bigint[] =>
      [...list.matchAll(INTEGER)].map(([digits]) => BigInt(digits)),
  },
});

const STAKE_OF_NODE = rowTable({
  maxStake: int64('s.max_stake'),
  minStake: int64('s.min_stake'),
  rewardRate: int64('s.reward_rate'),
  stake: int64('s.stake'),
  stakeNotRewarded: int64('s.stake_not_rewarded'),
  stakeRewarded: int64('s.stake_rewarded'),
  stakingPeriodEnd: int64('u.staking_period_end'),
});

/** One node of the current address book with what the node table and the newest stake update tell. */
const NETWORK_NODE = rowTable({
  nodeId: int64('e.node_id'),
  bookStart: int64('e.start_ts'),
  bookAccount: int64<bigint | null>('e.node_account'),
  description: text<string | null>('e.description'),
  memo: text<string | null>('e.memo'),
  publicKey: text<string | null>('e.public_key'),
  nodeCertHash: bytes<Uint8Array | null>('e.node_cert_hash'),
  serviceEndpoints: json<readonly ServiceEndpoint[]>('e.service_endpoints'),
  /** Null when the node has no row in the node table. */
  settings: unlessNull<RecordOf<typeof NODE_SETTINGS> | null>('changed_ts', NODE_SETTINGS.members),
  /** Null when the newest stake update does not name the node. */
  stake: unlessNull<RecordOf<typeof STAKE_OF_NODE> | null>('staking_period_end', STAKE_OF_NODE.members),
});
export type NetworkNode = RecordOf<typeof NETWORK_NODE>;

/** Conditions on the node id. */
interface NodeSelection extends IntegerSelection, PageRequest {
  readonly file: EntityId;
}

/** Exchange rates that receipts told from a time on. */
export interface ObservedRates {
  /** Serialized `ExchangeRateSet`. */
  readonly contents: Uint8Array;
  readonly timestamp: bigint;
}

/** Gas prices that another mirror told. */
export interface StatedGasPrices {
  /** The time that they were told of. */
  readonly asOf: bigint;
  /** Of the fee schedule from which they follow. */
  readonly scheduleTimestamp: bigint;
  /** Tinybars. */
  readonly prices: readonly { readonly kind: string; readonly gas: bigint }[];
}

/** A node that offers a service beside consensus, as lists show it; null is what the import did not tell. */
const REGISTERED_NODE = rowTable({
  registeredNodeId: int64('registered_node_id'),
  changedTimestamp: int64('changed_ts'),
  createdTimestamp: int64<bigint | null>('created_ts'),
  /** Serialized `Key`. */
  adminKey: bytes<Uint8Array | null>('admin_key'),
  description: text<string | null>('description'),
  endpoints: json<readonly RegisteredEndpoint[]>('service_endpoints'),
});
export type ListedRegisteredNode = RecordOf<typeof REGISTERED_NODE>;

/** Which registered nodes a page shows. */
interface RegisteredNodeSelection extends Omit<IntegerSelection, 'excluded'>, PageRequest {
  /** Null for any. */
  readonly service: RegisteredService | null;
}

interface BalanceRow {
  readonly balance: bigint;
  readonly balance_ts: bigint;
}

interface StatedRow {
  readonly consensus_ts: bigint;
  readonly schedule_ts: bigint;
  readonly prices: string;
}

/** What the network object reads beside system files: balances, address books, nodes and stakes. */
export type NetworkRepository = ReturnType<typeof createNetworkRepository>;

export function createNetworkRepository(sql: Sql) {
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
    /** In order of their numbers, without deleted ones. */
    registeredNodes: createRegisteredNodePages(sql),
    /** Running balances; null when none of the accounts has a known one. */
    currentBalances: sql.reading(function* (ranges: readonly AccountRange[]) {
      const rows: BalanceRow[] = [];
      for (const { first, last } of ranges) rows.push(...(yield* running.all(first, last)));
      return sum(rows);
    }),
    /** Per account the newest snapshot within the bounds, both inclusive; null when there is none. */
    balancesWithin: sql.reading(function* (ranges: readonly AccountRange[], lower: bigint, upper: bigint) {
      const rows: BalanceRow[] = [];
      for (const { first, last } of ranges) {
        for (const account of yield* snapshotAccounts(first, last)) {
          const row = yield* newestSnapshot.get(account, lower, upper);
          if (row !== undefined) rows.push(row);
        }
      }
      return sum(rows);
    }),
    /** Time of the oldest snapshot of any of the accounts. */
    oldestBalance: sql.reading(function* (ranges: readonly AccountRange[]) {
      let oldest: bigint | null = null;
      for (const { first, last } of ranges) {
        for (const account of yield* snapshotAccounts(first, last)) {
          const time = yield* oldestSnapshot.get(account);
          if (time !== undefined && (oldest === null || time < oldest)) oldest = time;
        }
      }
      return oldest;
    }),
    nodes: sql.reading(function* ({ equal, excluded, file, limit, lower, order, upper }: NodeSelection) {
      const wanted = equal === null ? null : list(equal);
      const unwanted = list(excluded);
      return yield* nodes[order].all(file, file, lower, upper, wanted, wanted, unwanted, limit);
    }),
    /** The newest rates that receipts told within the bounds, both inclusive. */
    newestRates: sql.reading(function* (lower: bigint, upper: bigint) {
      return (yield* newestRates.get(lower, upper)) ?? null;
    }),
    /** The first rates that receipts told. */
    oldestRates: sql.reading(function* () {
      return (yield* oldestRates.get()) ?? null;
    }),
    /** The newest that were told of a time within the bounds, both inclusive. */
    statedGasPrices: sql.reading(function* (lower: bigint, upper: bigint): Work<StatedGasPrices | null> {
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
function createRegisteredNodePages(sql: Sql) {
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
  return async ({ equal, limit, lower, order, service, upper }: RegisteredNodeSelection) => {
    return sql.read(function* () {
      const wanted = equal === null ? null : list(equal);
      const nodes = yield* pages[order].all(lower, upper, wanted, wanted);
      return nodes
        .filter(({ endpoints }) => service === null || endpoints.some((each) => each.service === service))
        .slice(0, limit);
    });
  };
}
