import {
  endedStake,
  type StakingAccount,
  stakingAccount,
} from '../../../../src/mirror/ledger/commit/ended-period.ts';
import type { SetChange } from '../../../../src/mirror/ledger/fold/fold-state.ts';
import type { ColumnValue } from '../../../../src/values/stored-tables.ts';

type Row = Record<string, ColumnValue>;
type Pairs = readonly (readonly [account: bigint, amount: bigint])[];
/** What happened after the end in its unit. */
interface Later {
  readonly moved: Pairs;
  readonly changed: NonNullable<SetChange['changedLater']>;
}
type Tables = (name: string) => Map<string, Row>;

/** The end of a staking period over tables in maps, without regard to how many accounts there are. */
export function endPeriodInMemory(
  tables: Tables,
  [at = 0n, day = 0n, rewardAccount = 0n]: readonly bigint[],
  later: Later,
): void {
  const done = tables('stake_row').get(`${rewardAccount}`);
  if (done !== undefined && int(done['end_stake_period']) >= day) return;
  const named = [...tables('entity').values()]
    .filter(({ type = null }) => type === null || type === 'ACCOUNT' || type === 'CONTRACT')
    .map((row) => accountAt(tables, row, { day, later }))
    .filter(({ id, isDeleted }) => !isDeleted || id === rewardAccount);
  const isNamed = named.some(({ id }) => id === rewardAccount);
  const all = isNamed ? named : [...named, stakingAccount(rewardAccount, null, null, null)];
  const ratesOf = (update: ColumnValue | undefined) => {
    const told = [...tables('node_stake').values()].filter(
      (row) => int(row['is_told']) === 0n && row['consensus_ts'] === update,
    );
    const rates = new Map(told.map((row) => [int(row['node_id']), int(row['reward_rate'])]));
    return (node: bigint) => rates.get(node) ?? null;
  };
  const yearBefore = [...tables('stake_history').values()].find(
    (row) => row['account_id'] === rewardAccount && row['end_stake_period'] === day - 365n,
  );
  const period = {
    day,
    rewardAccount,
    rateOf: ratesOf(at),
    rateYearBefore: ratesOf(yearBefore?.['lower_ts']),
  };
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
  { day, later: { changed, moved } }: { readonly day: bigint; readonly later: Later },
): StakingAccount {
  const id = int(entity['id']);
  const now = tables('entity_settings').get(`${id}`) ?? {};
  const own = moved.filter(([account]) => account === id);
  const balance = entity['balance'] ?? null;
  const former = tables('stake_row').get(`${id}`);
  const yearBefore = [...tables('stake_history').values()].find(
    (row) => row['account_id'] === id && row['end_stake_period'] === day - 366n,
  );
  const settings = {
    declinesReward: now['decline_reward'] ?? null,
    isDeleted: now['deleted'] ?? null,
    stakedAccount: now['staked_account'] ?? null,
    stakedNode: now['staked_node'] ?? null,
    stakePeriodStart: now['stake_period_start'] ?? null,
  };
  return stakingAccount(
    id,
    balance === null ? null : own.reduce((sum, [, amount]) => sum - amount, int(balance)),
    changed.has(id) ? (changed.get(id) ?? null) : settings,
    former === undefined
      ? null
      : {
          node: int(former['staked_node']),
          total: int(former['stake_total']),
          pending: int(former['pending_reward']),
          totalYearBefore: yearBefore === undefined ? null : int(yearBefore['stake_total']),
        },
  );
}

function int(value: ColumnValue | undefined): bigint {
  return typeof value === 'bigint' ? value : -1n;
}
