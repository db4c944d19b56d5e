-- mirror: times of balance snapshots, stakes of accounts, rewards by account.

-- is_windowed: 1 when every balance that was known then has a row in the half year before the time or in its month, so
-- that no older row counts. known_from: rows before it are from before a gap and count no more.
create table balance_snapshot_time (
  consensus_ts integer primary key,
  is_windowed integer not null,
  known_from integer not null
) strict;
-- Up to now the first snapshot of each month held all balances.
insert into balance_snapshot_time (consensus_ts, is_windowed, known_from)
  select consensus_ts, 1, 0 from balance_snapshot group by consensus_ts;
drop index balance_snapshot_by_time;
-- Holders of a token at a time.
create index token_balance_snapshot_by_token on token_balance_snapshot (token_id, account_id, consensus_ts);
-- From which end of a unit the next snapshot is taken; null in a ledger without units, and in one of an earlier version.
alter table ledger_state add column snapshot_due_ts integer;

-- What an account had staked to a node when a staking period ended; the newest row of each account.
-- end_stake_period: day since 1970. staked_node: −1 for none. Amounts in tinybars.
create table stake_row (
  account_id integer primary key,
  lower_ts integer not null,
  end_stake_period integer not null,
  pending_reward integer not null,
  staked_node integer not null,
  staked_to_me integer not null,
  stake_total integer not null
) strict;
-- Those before: each held until the next one of the account began.
create table stake_history (
  account_id integer not null,
  lower_ts integer not null,
  end_stake_period integer not null,
  pending_reward integer not null,
  staked_node integer not null,
  staked_to_me integer not null,
  stake_total integer not null,
  primary key (account_id, lower_ts)
) strict, without rowid;

create index staking_reward_by_account on staking_reward (account_id, consensus_ts, amount);
