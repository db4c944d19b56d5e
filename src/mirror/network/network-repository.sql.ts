import type { Sql } from '../../storage/sql/sql.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { Work } from '../../values/work.ts';
import type { ServiceEndpoint } from '../ledger/rows.ts';
import type { BalanceSum, NetworkNode, NetworkRepository, ObservedRates } from './network-repository.ts';
import { createRegisteredNodePages } from './registered-node-pages.sql.ts';

interface BalanceRow {
  readonly balance: bigint;
  readonly balance_ts: bigint;
}

interface NodeRow {
  readonly node_id: bigint;
  readonly start_ts: bigint;
  readonly node_account: bigint | null;
  readonly description: string | null;
  readonly memo: string | null;
  readonly public_key: string | null;
  readonly node_cert_hash: Buffer | null;
  readonly service_endpoints: string;
  readonly settings_node_id: bigint | null;
  readonly account_id: bigint | null;
  readonly admin_key: Buffer | null;
  readonly decline_reward: bigint | null;
  readonly grpc_proxy_endpoint: string | null;
  readonly associated_registered_nodes: string | null;
  readonly max_stake: bigint | null;
  readonly min_stake: bigint | null;
  readonly reward_rate: bigint | null;
  readonly stake: bigint | null;
  readonly stake_not_rewarded: bigint | null;
  readonly stake_rewarded: bigint | null;
  readonly staking_period_end: bigint | null;
}

interface StatedRow {
  readonly consensus_ts: bigint;
  readonly schedule_ts: bigint;
  readonly prices: string;
}

type StakeRow = Readonly<Record<string, bigint>>;

const INTEGER = /\d+/g;

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
    sql.prepareExact<unknown[], NodeRow>(
      `select e.node_id, e.start_ts, e.node_account, e.description, e.memo, e.public_key, e.node_cert_hash,
         e.service_endpoints, n.node_id as settings_node_id, n.account_id, n.admin_key, n.decline_reward,
         n.grpc_proxy_endpoint, n.associated_registered_nodes, s.max_stake, s.min_stake, s.reward_rate,
         s.stake, s.stake_not_rewarded, s.stake_rewarded, u.staking_period_end
       from address_book_entry e
       left join node n on n.node_id = e.node_id
       left join node_stake s on s.node_id = e.node_id
         and s.consensus_ts = (select max(consensus_ts) from node_stake)
       left join network_stake u on u.consensus_ts = s.consensus_ts
       where e.file_id = ? and e.start_ts = (select max(start_ts) from address_book where file_id = ?)
         and e.node_id between ? and ?
         and (${isNull} or e.node_id in (select value from ${each('listed')}))
         and e.node_id not in (select value from ${each('listed')})
       order by e.node_id ${order} limit ?`,
    );
  const nodes = { asc: nodeRows('asc'), desc: nodeRows('desc') };
  const stake = sql.prepareExact<[], StakeRow>(
    'select * from network_stake order by consensus_ts desc limit 1',
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
      return (yield* nodes[order].all(file, file, lower, upper, wanted, wanted, unwanted, limit)).map(
        networkNode,
      );
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
      const row = yield* stake.get();
      return row === undefined ? null : stakeUpdate(row);
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

/** Endpoints were written as JSON by the ledger repository alone. */
function networkNode(row: NodeRow): NetworkNode {
  const { max_stake, min_stake, reward_rate, stake, stake_not_rewarded, stake_rewarded, staking_period_end } =
    row;
  return {
    nodeId: row.node_id,
    bookStart: row.start_ts,
    bookAccount: row.node_account,
    description: row.description,
    memo: row.memo,
    publicKey: row.public_key,
    nodeCertHash: row.node_cert_hash,
    serviceEndpoints: JSON.parse(row.service_endpoints) as readonly ServiceEndpoint[],
    settings:
      row.settings_node_id === null
        ? null
        : {
            account: row.account_id,
            adminKey: row.admin_key,
            declineReward: row.decline_reward === null ? null : row.decline_reward === 1n,
            grpcProxyEndpoint:
              row.grpc_proxy_endpoint === null
                ? null
                : (JSON.parse(row.grpc_proxy_endpoint) as ServiceEndpoint),
            associatedRegisteredNodes: [...(row.associated_registered_nodes ?? '').matchAll(INTEGER)].map(
              ([digits]) => BigInt(digits),
            ),
          },
    stake:
      max_stake === null ||
      min_stake === null ||
      reward_rate === null ||
      stake === null ||
      stake_not_rewarded === null ||
      stake_rewarded === null ||
      staking_period_end === null
        ? null
        : {
            maxStake: max_stake,
            minStake: min_stake,
            rewardRate: reward_rate,
            stake,
            stakeNotRewarded: stake_not_rewarded,
            stakeRewarded: stake_rewarded,
            stakingPeriodEnd: staking_period_end,
          },
  };
}

function stakeUpdate(row: StakeRow) {
  const column = (name: string) => row[name] ?? 0n;
  return {
    consensusTimestamp: consensusTimestamp(column('consensus_ts')),
    stakingPeriodEnd: consensusTimestamp(column('staking_period_end')),
    maxStakeRewarded: column('max_stake_rewarded'),
    maxStakingRewardRatePerHbar: column('max_staking_reward_rate_per_hbar'),
    maxTotalReward: column('max_total_reward'),
    nodeRewardFeeNumerator: column('node_reward_fee_numerator'),
    nodeRewardFeeDenominator: column('node_reward_fee_denominator'),
    reservedStakingRewards: column('reserved_staking_rewards'),
    rewardBalanceThreshold: column('reward_balance_threshold'),
    stakeTotal: column('stake_total'),
    stakingPeriodDuration: column('staking_period_duration'),
    stakingPeriodsStored: column('staking_periods_stored'),
    stakingRewardFeeNumerator: column('staking_reward_fee_numerator'),
    stakingRewardFeeDenominator: column('staking_reward_fee_denominator'),
    stakingRewardRate: column('staking_reward_rate'),
    stakingStartThreshold: column('staking_start_threshold'),
    unreservedStakingRewardBalance: column('unreserved_staking_reward_balance'),
  };
}
