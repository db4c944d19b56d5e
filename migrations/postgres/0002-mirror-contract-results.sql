-- serves: 1
-- mirror: what contracts did: results, Ethereum transactions, logs, storage, actions.

-- listing: 0 in no list, 1 in all, 2 in those that ask for internal results. contract_id: 0 where none is known.
-- hash: 32 bytes. created_contracts: encoded ids with blanks between, null for none. has_run: whether the record has a result.
create table contract_result (
  consensus_ts bigint primary key,
  payer_id bigint not null,
  nonce bigint not null,
  result bigint not null,
  listing bigint not null,
  contract_id bigint not null,
  sender_id bigint,
  sender_alias bytea,
  transaction_index bigint,
  hash bytea not null,
  amount bigint,
  gas_limit bigint not null,
  gas_used bigint,
  gas_consumed bigint,
  bloom bytea,
  call_result bytea,
  error_message text collate "C",
  function_parameters bytea,
  failed_initcode bytea,
  created_contracts text collate "C",
  has_run bigint not null
);

create index contract_result_listed on contract_result (consensus_ts) where listing = 1;
create index contract_result_by_contract on contract_result (contract_id, consensus_ts) where listing = 1;
-- With all that a search for senders reads.
create index contract_result_by_sender
  on contract_result (sender_id, consensus_ts, contract_id, transaction_index, listing) where listing = 1;
create index contract_result_with_internal on contract_result (consensus_ts) where listing > 0;
create index contract_result_by_contract_with_internal on contract_result (contract_id, consensus_ts) where listing > 0;
create index contract_result_by_sender_with_internal
  on contract_result (sender_id, consensus_ts, contract_id, transaction_index, listing) where listing > 0;
create index contract_result_by_contract_and_sender
  on contract_result (contract_id, sender_id, listing, consensus_ts, transaction_index);

-- prefix: the first 8 bytes of the hash, as in tx_hash.
create table contract_result_hash (
  prefix bigint not null,
  consensus_ts bigint not null,
  primary key (prefix, consensus_ts)
);

-- Prices and value: weibars, big-endian. access_list, authorization_list: JSON, null for none.
create table ethereum_transaction (
  consensus_ts bigint primary key,
  payer_id bigint not null,
  type bigint not null,
  nonce bigint not null,
  gas_limit bigint not null,
  gas_price bytea,
  max_fee_per_gas bytea,
  max_priority_fee_per_gas bytea,
  value bytea,
  chain_id bytea,
  to_address bytea,
  call_data bytea,
  call_data_file_id bigint,
  access_list text collate "C",
  authorization_list text collate "C",
  recovery_id bigint,
  signature_v bytea,
  signature_r bytea,
  signature_s bytea
);

-- topic0 to topic3: without leading zeros, null where there is none. is_hidden: shown nowhere. result_contract_id: of
-- the lowest visible synthetic log of a contract at a time, which stands for its result; is_first_result: of the lowest
-- one of all contracts.
create table contract_log (
  consensus_ts bigint not null,
  log_index bigint not null,
  contract_id bigint not null,
  root_contract_id bigint,
  payer_id bigint not null,
  transaction_index bigint,
  hash bytea,
  bloom bytea,
  data bytea,
  topic0 bytea,
  topic1 bytea,
  topic2 bytea,
  topic3 bytea,
  is_synthetic bigint not null,
  is_hidden bigint not null,
  result_contract_id bigint,
  is_first_result bigint not null,
  primary key (consensus_ts, log_index)
);

create index contract_log_by_contract on contract_log (contract_id, consensus_ts, log_index) where is_hidden = 0;
create index contract_log_first_result on contract_log (consensus_ts) where is_first_result = 1;
create index contract_log_result on contract_log (result_contract_id, consensus_ts) where result_contract_id is not null;

-- topic_tail: the last 8 bytes as int64.
create table contract_log_topic (
  position bigint not null,
  topic_tail bigint not null,
  consensus_ts bigint not null,
  log_index bigint not null,
  primary key (position, topic_tail, consensus_ts, log_index)
);

-- Visible logs that follow each other: a chunk begins after the last_ts of the one before it. places: time and index of
-- each log, 8 bytes each.
create table contract_log_chunk (
  last_ts bigint primary key,
  log_count bigint not null,
  places bytea not null
);

-- Parts of it are read alone.
alter table contract_log_chunk alter column places set storage external;

-- Which logs of a chunk have a key: position 0 to 3 and a topic_tail, 4 and a contract_id. places: bits, or numbers of 2
-- bytes where that is shorter. A key that few logs of a chunk have is not there.
create table contract_log_chunk_key (
  position bigint not null,
  key bigint not null,
  last_ts bigint not null references contract_log_chunk (last_ts) on delete cascade,
  places bytea not null,
  primary key (position, key, last_ts)
);

create index contract_log_chunk_key_by_chunk on contract_log_chunk_key (last_ts);

-- slot: 32 bytes. A migration tells what was there, beside what a transaction of the same time did. value_written: null when it was only read, empty when zero was written.
create table contract_state_change (
  contract_id bigint not null,
  slot bytea not null,
  consensus_ts bigint not null,
  value_read bytea not null,
  value_written bytea,
  is_migration bigint not null,
  primary key (contract_id, slot, consensus_ts, is_migration)
);

create index contract_state_change_by_time on contract_state_change (consensus_ts, contract_id, slot);

create table contract_state (
  contract_id bigint not null,
  slot bytea not null,
  value bytea not null,
  modified_ts bigint not null,
  primary key (contract_id, slot)
);

create table contract_action (
  consensus_ts bigint not null,
  action_index bigint not null,
  payer_id bigint not null,
  call_depth bigint not null,
  call_type bigint not null,
  operation bigint not null,
  caller_id bigint,
  is_caller_contract bigint not null,
  gas bigint not null,
  gas_used bigint not null,
  value bigint not null,
  input bytea,
  recipient_account_id bigint,
  recipient_contract_id bigint,
  targeted_address bytea,
  result_data bytea,
  result_data_type bigint not null,
  primary key (consensus_ts, action_index)
);

-- Contracts in the order of their ids.
create index entity_contracts on entity (id) where type = 'CONTRACT';
