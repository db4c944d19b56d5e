-- mirror: the ledger. Ids are encoded (shard << 54 | realm << 38 | num), times are nanoseconds since 1970.

-- One row per imported unit (record file, block, fixture); the newest consensus_end is the watermark.
create table ledger_unit (
  consensus_end integer primary key,
  consensus_start integer not null,
  source text not null,
  kind text not null,
  name text not null,
  version integer not null,
  hapi_version text,
  block_number integer,
  hash blob not null,
  previous_hash blob not null,
  file_hash blob not null,
  transaction_count integer not null,
  size integer not null,
  verification text not null
) strict;

-- One row: what the balance keeper needs to go on after a restart.
create table ledger_state (
  only_row integer primary key check (only_row = 1),
  -- 1 when the stream began at genesis (or is a fixture): an account without a row has balance 0.
  balances_complete integer not null,
  last_transaction_ts integer,
  last_snapshot_ts integer
) strict;

-- facet: 4 successful, 1 some account was credited, 2 some account was debited.
-- body is the list object without its end; tail_spec and tail_hiero are its end in the two dialects,
-- assessed_fees the member that only the single transaction shows.
create table tx (
  consensus_ts integer primary key,
  type integer not null,
  facet integer not null,
  result integer not null,
  payer integer not null,
  valid_start integer not null,
  nonce integer not null,
  scheduled integer not null,
  parent_ts integer,
  entity_id integer,
  node_id integer,
  charged_fee integer not null,
  max_fee integer,
  valid_duration integer,
  high_volume integer not null,
  high_volume_multiplier integer,
  hash blob,
  body text not null,
  tail_spec text not null,
  tail_hiero text not null,
  assessed_fees text,
  memo blob,
  batch_key blob,
  max_custom_fees text,
  inner_transactions text,
  nft_transfers text
) strict;
create index tx_by_facet on tx (facet, consensus_ts);
create index tx_by_type on tx (type, facet, consensus_ts);
create index tx_by_id on tx (payer, valid_start, consensus_ts);

-- The serialized Transaction and TransactionRecord, apart from tx so that pages read fewer bytes.
create table tx_source (
  consensus_ts integer primary key,
  transaction_bytes blob,
  record_bytes blob
) strict;

-- prefix: the first 8 bytes of the hash as int64; the whole hash is compared in tx.
create table tx_hash (
  prefix integer not null,
  consensus_ts integer not null,
  primary key (prefix, consensus_ts)
) strict, without rowid;

-- One row per account that a transaction concerns: every account filter is one or a few index ranges.
-- flags: 1 visible payer, 2 credited, 4 debited, 8 zero row, 16 NFT. facet as in tx, but of this account.
create table account_tx (
  account_id integer not null,
  consensus_ts integer not null,
  flags integer not null,
  type integer not null,
  facet integer not null,
  primary key (account_id, consensus_ts)
) strict, without rowid;
create index account_tx_by_facet on account_tx (account_id, facet, consensus_ts);
create index account_tx_by_type on account_tx (account_id, type, facet, consensus_ts);
create index account_tx_by_time on account_tx (consensus_ts, account_id, facet, type);

-- kind 0 hbar (token_id 0), 1 fungible token.
create table transfer (
  consensus_ts integer not null,
  kind integer not null,
  token_id integer not null,
  account_id integer not null,
  amount integer not null,
  seq integer not null,
  approval integer not null,
  primary key (consensus_ts, kind, token_id, account_id, amount, seq)
) strict, without rowid;

create table staking_reward (
  consensus_ts integer not null,
  seq integer not null,
  account_id integer not null,
  amount integer not null,
  primary key (consensus_ts, seq)
) strict, without rowid;

create table assessed_fee (
  consensus_ts integer not null,
  seq integer not null,
  amount integer not null,
  collector integer not null,
  token_id integer,
  effective_payers text not null,
  primary key (consensus_ts, seq)
) strict, without rowid;

-- balance is null while it is unknown; it is never guessed.
create table entity (
  id integer primary key,
  type text,
  alias blob,
  evm_address blob,
  created_ts integer,
  balance integer,
  balance_ts integer
) strict;
create index entity_by_evm_address on entity (evm_address) where evm_address is not null;
create index entity_by_alias on entity (alias) where alias is not null;
create index entity_by_balance_ts on entity (balance_ts) where balance_ts is not null;

create table balance_snapshot (
  account_id integer not null,
  consensus_ts integer not null,
  balance integer not null,
  primary key (account_id, consensus_ts)
) strict, without rowid;

create table file_piece (
  file_id integer not null,
  consensus_ts integer not null,
  tx_type integer not null,
  contents blob not null,
  primary key (file_id, consensus_ts)
) strict, without rowid;

create table address_book (
  file_id integer not null,
  start_ts integer not null,
  primary key (file_id, start_ts)
) strict, without rowid;

-- service_endpoints: JSON list of {domainName, ipAddressV4, port} in book order.
create table address_book_entry (
  file_id integer not null,
  start_ts integer not null,
  node_id integer not null,
  node_account integer,
  description text,
  memo text,
  public_key text,
  node_cert_hash blob,
  service_endpoints text not null,
  primary key (file_id, start_ts, node_id)
) strict, without rowid;

create table node (
  node_id integer primary key,
  changed_ts integer not null,
  account_id integer,
  admin_key blob,
  decline_reward integer,
  grpc_proxy_endpoint text,
  associated_registered_nodes text not null,
  deleted integer not null
) strict;

create table network_stake (
  consensus_ts integer primary key,
  staking_period_end integer not null,
  max_stake_rewarded integer not null,
  max_staking_reward_rate_per_hbar integer not null,
  max_total_reward integer not null,
  node_reward_fee_numerator integer not null,
  node_reward_fee_denominator integer not null,
  reserved_staking_rewards integer not null,
  reward_balance_threshold integer not null,
  stake_total integer not null,
  staking_period_duration integer not null,
  staking_periods_stored integer not null,
  staking_reward_fee_numerator integer not null,
  staking_reward_fee_denominator integer not null,
  staking_reward_rate integer not null,
  staking_start_threshold integer not null,
  unreserved_staking_reward_balance integer not null
) strict;

create table node_stake (
  consensus_ts integer not null,
  node_id integer not null,
  max_stake integer not null,
  min_stake integer not null,
  reward_rate integer not null,
  stake integer not null,
  stake_not_rewarded integer not null,
  stake_rewarded integer not null,
  primary key (consensus_ts, node_id)
) strict, without rowid;

create table token_state (
  token_id integer primary key,
  kind text not null,
  custom_fee_count integer not null,
  consensus_ts integer not null
) strict;

create table topic_state (
  topic_id integer primary key,
  fixed_fee_count integer not null,
  consensus_ts integer not null
) strict;
