import type { Sql, SqlList } from '../../../storage/sql/sql.ts';
import { MIN_INT64 } from '../../../values/int64.ts';
import type { Columns, Table } from '../../../values/stored-tables.ts';
import { answer, type Work } from '../../../values/work.ts';
import { KEPT_DAYS } from '../facets/stake-rule.ts';
import type { SetChange, StakeSettings } from '../fold/fold-state.ts';
import { endedStake, type StakingAccount, stakingAccount } from './ended-period.ts';

interface StakingRow extends StakeSettings {
  readonly id: bigint;
  readonly balance: bigint | null;
  readonly former_node: bigint | null;
  readonly former_total: bigint;
  readonly former_pending: bigint;
  readonly total_year_before: bigint | null;
}

interface PeriodEnd {
  readonly at: bigint;
  /** First nanosecond of the day whose reward lapses, which is also the day on which the stake row for it began. */
  readonly lapsing: bigint;
  readonly rewardAccount: bigint;
  /** What moved after the end, by account. */
  readonly later: ReadonlyMap<bigint, bigint>;
  readonly changed: ChangedLater;
}

/** What happened after the end in its unit. */
interface Later {
  readonly moved: Pairs;
  readonly changed: ChangedLater;
}

type ChangedLater = NonNullable<SetChange['changedLater']>;
type Pairs = readonly (readonly [account: bigint, amount: bigint])[];

const STAKE_ROWS: Table = {
  name: 'stake_row',
  columns: [
    'account_id',
    'lower_ts',
    'end_stake_period',
    'pending_reward',
    'staked_node',
    'staked_to_me',
    'stake_total',
  ],
  keyLength: 1,
  onConflict: 'replace',
};
/** Accounts that are in memory together. */
const BATCH = 5000;
const DAY_NANOS = 86_400_000_000_000n;

/**
 * Writes the stakes of all accounts at the end of a staking period, once; those before go to the history.
 *
 * Accounts are read and written in batches, so that a million of them need little memory.
 */
export function* endStakePeriod(
  sql: Sql,
  at: bigint,
  day: bigint,
  rewardAccount: bigint,
  { changed, moved }: Later,
): Work<void> {
  const done = yield* sql
    .prepareExactValue<[bigint], bigint>('select end_stake_period from stake_row where account_id = ?')
    .get(rewardAccount);
  // A further update of a day changes what the network stakes, not what accounts are owed.
  if (done !== undefined && done >= day) return;
  const lapsing = (day - KEPT_DAYS) * DAY_NANOS;
  const rates = yield* ratesOf(sql, at);
  const ratesYearBefore = yield* ratesOf(sql, yield* updateOf(sql, rewardAccount, day - KEPT_DAYS));
  const period = {
    day,
    rewardAccount,
    rateOf: (node: bigint) => rates.get(node) ?? null,
    rateYearBefore: (node: bigint) => ratesYearBefore.get(node) ?? null,
  };
  const end: PeriodEnd = { at, lapsing, rewardAccount, later: sumOf(moved), changed };
  const stakedTo = new Map<bigint, bigint>();
  yield* eachBatch(sql, end, 'staked_account', (accounts) => {
    for (const { id, balance, stakedAccount } of accounts) {
      if (stakedAccount === null || id === stakedAccount) continue;
      stakedTo.set(stakedAccount, (stakedTo.get(stakedAccount) ?? 0n) + (balance ?? 0n));
    }
    return answer(undefined);
  });
  const { each, list } = sql.dialect;
  const close = sql.prepare<[SqlList, bigint]>(
    `insert into stake_history (account_id, lower_ts, end_stake_period, pending_reward, staked_node, staked_to_me,
       stake_total)
     select account_id, lower_ts, end_stake_period, pending_reward, staked_node, staked_to_me, stake_total
     from stake_row where account_id in (select value from ${each('ended')}) and lower_ts < ?
     on conflict (account_id, lower_ts) do nothing`,
  );
  let isMarked = false;
  const store = function* (accounts: readonly StakingAccount[]): Work<void> {
    isMarked ||= accounts.some(({ id }) => id === rewardAccount);
    const rows = accounts.flatMap((account): readonly Columns[] => {
      const stake = endedStake(account, stakedTo.get(account.id) ?? 0n, period);
      if (stake === null) return [];
      const { pendingReward, stakedNode, stakedToMe, stakeTotal } = stake;
      return [[account.id, at, day, pendingReward, stakedNode, stakedToMe, stakeTotal]];
    });
    yield* close.run(list(rows.map(([id]) => id as bigint)), at);
    yield* sql.store(STAKE_ROWS, rows);
  };
  yield* eachBatch(sql, end, 'staked_node', store);
  // Its row says that the period ended, also where the ledger never named the account.
  if (!isMarked) yield* store([stakingAccount(rewardAccount, null, null, null)]);
}

/** Gives accounts and contracts that are staked in one way, and the one that pays rewards, by id, to `take` in batches. */
function* eachBatch(
  sql: Sql,
  { changed, lapsing, later, rewardAccount }: PeriodEnd,
  way: 'staked_account' | 'staked_node',
  take: (accounts: readonly StakingAccount[]) => Work<void>,
): Work<void> {
  // Of settings that changed after the end of the period those before count.
  const isChanged = sql.dialect.isListed('e.id', '@changed');
  const batch = sql.prepareExact<[object], StakingRow>(
    `select e.id, e.balance, s.staked_node as "stakedNode", s.staked_account as "stakedAccount",
       s.decline_reward as "declinesReward", s.stake_period_start as "stakePeriodStart", s.deleted as "isDeleted",
       f.staked_node as former_node, f.stake_total as former_total, f.pending_reward as former_pending,
       case when s.stake_period_start >= @lapsing and not ${isChanged} then null else
         (select y.stake_total from stake_history y where y.account_id = f.account_id
            and y.lower_ts between @lapsing and @lapsing + ${DAY_NANOS - 1n} order by y.lower_ts limit 1)
       end as total_year_before
     from entity e left join entity_settings s on s.id = e.id
     left join stake_row f on f.account_id = e.id
     where e.id > @after and (e.type is null or e.type in ('ACCOUNT', 'CONTRACT'))
       and (e.id = @rewardAccount or (s.${way} is not null and s.deleted is distinct from 1) or ${isChanged})
     order by e.id limit @count`,
  );
  const changedIds = sql.dialect.list(changed.keys());
  for (let after = MIN_INT64; ; ) {
    const rows = yield* batch.all({ after, changed: changedIds, lapsing, rewardAccount, count: BATCH });
    const accounts = rows.map((row) => accountAtEnd(row, later, changed));
    yield* take(accounts.filter(({ id, isDeleted }) => !isDeleted || id === rewardAccount));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

function accountAtEnd(
  row: StakingRow,
  later: ReadonlyMap<bigint, bigint>,
  changed: ChangedLater,
): StakingAccount {
  const { balance, former_node: node, former_pending: pending, former_total: total, id } = row;
  return stakingAccount(
    id,
    balance === null ? null : balance - (later.get(id) ?? 0n),
    changed.has(id) ? (changed.get(id) ?? null) : row,
    node === null ? null : { node, total, pending, totalYearBefore: row.total_year_before },
  );
}

/** The update that ended the period of a day: the first in the chain, as no other one counts; null without one. */
function* updateOf(sql: Sql, rewardAccount: bigint, day: bigint): Work<bigint | null> {
  const from = (day + 1n) * DAY_NANOS;
  const update = yield* sql
    .prepareExactValue<[bigint, bigint, bigint], bigint>(
      'select lower_ts from stake_history where account_id = ? and lower_ts between ? and ?',
    )
    .get(rewardAccount, from, from + DAY_NANOS - 1n);
  return update ?? null;
}

function* ratesOf(sql: Sql, update: bigint | null): Work<ReadonlyMap<bigint, bigint>> {
  if (update === null) return new Map();
  const rows = yield* sql
    .prepareExact<[bigint], { readonly node_id: bigint; readonly reward_rate: bigint }>(
      'select node_id, reward_rate from node_stake where is_told = 0 and consensus_ts = ?',
    )
    .all(update);
  return new Map(rows.map(({ node_id: node, reward_rate: rate }) => [node, rate]));
}

function sumOf(pairs: Pairs): ReadonlyMap<bigint, bigint> {
  const sums = new Map<bigint, bigint>();
  for (const [account, amount] of pairs) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return sums;
}
