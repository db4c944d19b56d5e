-- mirror: settings of accounts and contracts, balances of tokens, and what blocks show of a unit.

-- Null is what the imported ledger did not tell. Apart from entity, whose rows change with every transfer.
-- key: serialized Key. auto_renew_period in seconds; expiry_ts, stake_period_start and changed_ts in nanoseconds.
create table entity_settings (
  id integer primary key,
  changed_ts integer,
  key blob,
  memo text,
  auto_renew_period integer,
  auto_renew_account integer,
  expiry_ts integer,
  deleted integer,
  receiver_sig_required integer,
  max_automatic_associations integer,
  decline_reward integer,
  staked_account integer,
  staked_node integer,
  stake_period_start integer,
  ethereum_nonce integer,
  proxy_account integer,
  obtainer integer,
  permanent_removal integer
) strict;

-- Units of a fungible token, or the number of NFTs; null once the account gave the token up. Only known balances.
create table token_balance (
  account_id integer not null,
  token_id integer not null,
  balance integer,
  balance_ts integer not null,
  primary key (account_id, token_id)
) strict, without rowid;
create index token_balance_by_ts on token_balance (balance_ts);

create table token_balance_snapshot (
  account_id integer not null,
  token_id integer not null,
  consensus_ts integer not null,
  balance integer,
  primary key (account_id, token_id, consensus_ts)
) strict, without rowid;

create index balance_snapshot_by_time on balance_snapshot (consensus_ts);

-- Null when the source did not tell, and in units stored before these columns.
alter table ledger_unit add column gas_used integer;
alter table ledger_unit add column logs_bloom blob;
create index ledger_unit_by_number on ledger_unit (block_number) where block_number is not null;
-- EVM tools know a block by the first 32 bytes of its hash.
create index ledger_unit_by_hash on ledger_unit (substr(hash, 1, 32));
