-- mirror: what contracts did: results, Ethereum transactions, logs, storage, actions.

-- listing: 0 in no list, 1 in all, 2 in those that ask for internal results. contract_id: 0 where none is known.
-- hash: 32 bytes. created_contracts: encoded ids with blanks between, null for none. has_run: whether the record has a result.
create table contract_result (
  consensus_ts integer primary key,
  payer_id integer not null,
  nonce integer not null,
  result integer not null,
  listing integer not null,
  contract_id integer not null,
  sender_id integer,
  sender_alias blob,
  transaction_index integer,
  hash blob not null,
  amount integer,
  gas_limit integer not null,
  gas_used integer,
  gas_consumed integer,
  bloom blob,
  call_result blob,
  error_message text,
  function_parameters blob,
  failed_initcode blob,
  created_contracts text,
  has_run integer not null
) strict;

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
  prefix integer not null,
  consensus_ts integer not null,
  primary key (prefix, consensus_ts)
) strict, without rowid;

-- Prices and value: weibars, big-endian. access_list, authorization_list: JSON, null for none.
create table ethereum_transaction (
  consensus_ts integer primary key,
  payer_id integer not null,
  type integer not null,
  nonce integer not null,
  gas_limit integer not null,
  gas_price blob,
  max_fee_per_gas blob,
  max_priority_fee_per_gas blob,
  value blob,
  chain_id blob,
  to_address blob,
  call_data blob,
  call_data_file_id integer,
  access_list text,
  authorization_list text,
  recovery_id integer,
  signature_v blob,
  signature_r blob,
  signature_s blob
) strict;

-- topic0 to topic3: without leading zeros, null where there is none. is_hidden: shown nowhere. result_contract_id: of
-- the lowest visible synthetic log of a contract at a time, which stands for its result; is_first_result: of the lowest
-- one of all contracts.
create table contract_log (
  consensus_ts integer not null,
  log_index integer not null,
  contract_id integer not null,
  root_contract_id integer,
  payer_id integer not null,
  transaction_index integer,
  hash blob,
  bloom blob,
  data blob,
  topic0 blob,
  topic1 blob,
  topic2 blob,
  topic3 blob,
  is_synthetic integer not null,
  is_hidden integer not null,
  result_contract_id integer,
  is_first_result integer not null,
  primary key (consensus_ts, log_index)
) strict, without rowid;

create index contract_log_by_contract on contract_log (contract_id, consensus_ts, log_index) where is_hidden = 0;
create index contract_log_first_result on contract_log (consensus_ts) where is_first_result = 1;
create index contract_log_result on contract_log (result_contract_id, consensus_ts) where result_contract_id is not null;

-- topic_tail: the last 8 bytes as int64.
create table contract_log_topic (
  position integer not null,
  topic_tail integer not null,
  consensus_ts integer not null,
  log_index integer not null,
  primary key (position, topic_tail, consensus_ts, log_index)
) strict, without rowid;

-- Visible logs that follow each other: a chunk begins after the last_ts of the one before it. places: time and index of
-- each log, 8 bytes each.
create table contract_log_chunk (
  last_ts integer primary key,
  log_count integer not null,
  places blob not null
) strict;

-- Which logs of a chunk have a key: position 0 to 3 and a topic_tail, 4 and a contract_id. places: bits, or numbers of 2
-- bytes where that is shorter. A key that few logs of a chunk have is not there.
create table contract_log_chunk_key (
  position integer not null,
  key integer not null,
  last_ts integer not null references contract_log_chunk (last_ts) on delete cascade,
  places blob not null,
  primary key (position, key, last_ts)
) strict, without rowid;

create index contract_log_chunk_key_by_chunk on contract_log_chunk_key (last_ts);

-- slot: 32 bytes. A migration tells what was there, beside what a transaction of the same time did. value_written: null when it was only read, empty when zero was written.
create table contract_state_change (
  contract_id integer not null,
  slot blob not null,
  consensus_ts integer not null,
  value_read blob not null,
  value_written blob,
  is_migration integer not null,
  primary key (contract_id, slot, consensus_ts, is_migration)
) strict, without rowid;

create index contract_state_change_by_time on contract_state_change (consensus_ts, contract_id, slot);

create table contract_state (
  contract_id integer not null,
  slot blob not null,
  value blob not null,
  modified_ts integer not null,
  primary key (contract_id, slot)
) strict, without rowid;

create table contract_action (
  consensus_ts integer not null,
  action_index integer not null,
  payer_id integer not null,
  call_depth integer not null,
  call_type integer not null,
  operation integer not null,
  caller_id integer,
  is_caller_contract integer not null,
  gas integer not null,
  gas_used integer not null,
  value integer not null,
  input blob,
  recipient_account_id integer,
  recipient_contract_id integer,
  targeted_address blob,
  result_data blob,
  result_data_type integer not null,
  primary key (consensus_ts, action_index)
) strict, without rowid;

-- Contracts in the order of their ids.
create index entity_contracts on entity (id) where type = 'CONTRACT';
