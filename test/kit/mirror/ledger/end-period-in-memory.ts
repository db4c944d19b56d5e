import { endedStake, type StakingAccount } from '../../../../src/mirror/ledger/commit/ended-period.ts';
import type { ColumnValue } from '../../../../src/values/stored-tables.ts';

type Row = Record<string, ColumnValue>;
type Pairs = readonly (readonly [account: bigint, amount: bigint])[];
/** What happened after the end in its unit. */
interface Later {
  readonly moved: Pairs;
  readonly changed: readonly bigint[];
}
type Tables = (name: string) => Map<string, Row>;

const DAY_NANOS = 86_400_000_000_000n;

/** The end of a staking period over tables in maps, without regard to how many accounts there are. */
export function endPeriodInMemory(
  tables: Tables,
  [at = 0n, day = 0n, rewardAccount = 0n]: readonly bigint[],
  later: Later,
): void {
  const done = tables('stake_row').get(`${rewardAccount}`);
  if (done !== undefined && int(done['end_stake_period']) >= day) return;
  const all = [...tables('entity').values()]
    .filter(({ type = null }) => type === null || type === 'ACCOUNT' || type === 'CONTRACT')
    .map((row) => accountAt(tables, row, { at, day, later }))
    .filter(({ isDeleted, account }) => !isDeleted || account.id === rewardAccount)
    .map(({ account }) => account);
  const ratesOf = (epochDay: bigint) => {
    const ofDay = [...tables('node_stake').values()]
      .filter((row) => int(row['is_told']) === 0n && int(row['consensus_ts']) / DAY_NANOS - 1n === epochDay)
      .sort((one, other) => (int(one['consensus_ts']) < int(other['consensus_ts']) ? -1 : 1));
    const first = ofDay.filter((row) => row['consensus_ts'] === ofDay[0]?.['consensus_ts']);
    const rates = new Map(first.map((row) => [int(row['node_id']), int(row['reward_rate'])]));
    return (node: bigint) => rates.get(node) ?? null;
  };
  const period = { day, rewardAccount, rateOf: ratesOf(day), rateYearBefore: ratesOf(day - 365n) };
  const ended = all.flatMap((account) => {
    const staking = all.filter(({ id, stakedAccount }) => stakedAccount === account.id && id !== account.id);
    const stakedToMe = staking.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n);
    return endedStake(account, stakedToMe, period) ?? [];
  });
  for (const { account, pendingReward, stakedNode, stakedToMe, stakeTotal } of ended) {
    const former = tables('stake_row').get(`${account}`);
    if (former !== undefined && int(former['lower_ts']) < at) {
      tables('stake_history').set(`${account}/${former['lower_ts']}`, former);
    }
    tables('stake_row').set(`${account}`, {
      account_id: account,
      lower_ts: at,
      end_stake_period: day,
      pending_reward: pendingReward,
      staked_node: stakedNode,
      staked_to_me: stakedToMe,
      stake_total: stakeTotal,
    });
  }
}

function accountAt(
  tables: Tables,
  entity: Row,
  {
    at,
    day,
    later: { changed, moved },
  }: { readonly at: bigint; readonly day: bigint; readonly later: Later },
): { readonly account: StakingAccount; readonly isDeleted: boolean } {
  const id = int(entity['id']);
  const now = tables('entity_settings').get(`${id}`);
  const closed = [...tables('entity_history').values()].find(
    (row) => row['id'] === id && int(row['lower_ts']) <= at && int(row['upper_ts']) > at,
  );
  const isLater = changed.includes(id) && int(now?.['changed_ts'] ?? null) > at;
  const settings: Row = (isLater ? closed : now) ?? {};
  const own = moved.filter(([account]) => account === id);
  const balance = entity['balance'] ?? null;
  const former = tables('stake_row').get(`${id}`);
  const yearBefore = [...tables('stake_history').values()].find(
    (row) => row['account_id'] === id && row['end_stake_period'] === day - 366n,
  );
  return {
    isDeleted: settings['deleted'] === 1n,
    account: {
      id,
      balance: balance === null ? null : own.reduce((sum, [, amount]) => sum - amount, int(balance)),
      stakedNode: (settings['staked_node'] ?? null) as bigint | null,
      stakedAccount: (settings['staked_account'] ?? null) as bigint | null,
      declinesReward: settings['decline_reward'] === 1n,
      stakePeriodStart: (settings['stake_period_start'] ?? null) as bigint | null,
      former:
        former === undefined
          ? null
          : {
              node: int(former['staked_node']),
              total: int(former['stake_total']),
              pending: int(former['pending_reward']),
              totalYearBefore: yearBefore === undefined ? null : int(yearBefore['stake_total']),
            },
    },
  };
}

function int(value: ColumnValue | undefined): bigint {
  return typeof value === 'bigint' ? value : -1n;
}
