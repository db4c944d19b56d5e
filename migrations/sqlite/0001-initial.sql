-- The whole schema, area by area; at last what belongs to none.

-- Area verify.

CREATE TABLE code (
  code_hash BLOB PRIMARY KEY,            -- SHA-256; empty for "no code"
  code_hash_keccak BLOB NOT NULL,
  code BLOB
) STRICT;

CREATE TABLE source (
  source_hash BLOB PRIMARY KEY,          -- SHA-256
  source_hash_keccak BLOB NOT NULL,
  content TEXT NOT NULL
) STRICT;

CREATE TABLE contract (
  id INTEGER PRIMARY KEY,
  creation_code_hash BLOB NOT NULL REFERENCES code (code_hash),
  runtime_code_hash BLOB NOT NULL REFERENCES code (code_hash),
  UNIQUE (creation_code_hash, runtime_code_hash)
) STRICT;

CREATE TABLE contract_deployment (
  id INTEGER PRIMARY KEY,
  chain_id TEXT NOT NULL,                -- decimal; up to 20 digits, more than int64 holds
  address BLOB NOT NULL,
  transaction_hash BLOB NOT NULL,        -- empty when not known
  block_number INTEGER,
  transaction_index INTEGER,
  deployer BLOB,
  contract_id INTEGER NOT NULL REFERENCES contract (id),
  UNIQUE (chain_id, address, transaction_hash, contract_id)
) STRICT;

CREATE TABLE compiled_contract (
  id INTEGER PRIMARY KEY,
  compiler TEXT NOT NULL,
  version TEXT NOT NULL,
  language TEXT NOT NULL,
  name TEXT NOT NULL,
  fully_qualified_name TEXT NOT NULL,
  compiler_settings TEXT NOT NULL,
  compilation_artifacts TEXT NOT NULL,
  creation_code_hash BLOB NOT NULL REFERENCES code (code_hash),
  creation_code_artifacts TEXT NOT NULL,
  runtime_code_hash BLOB NOT NULL REFERENCES code (code_hash),
  runtime_code_artifacts TEXT NOT NULL,
  additional_input TEXT,                 -- the Alliance's column: storage_layout_overrides only
  input_members TEXT,                    -- every other top-level member of the submitted input
  code_traits TEXT,                      -- what the compiler says of the code beside it; null where it says nothing
  metadata TEXT,                         -- exactly as the compiler printed it; null where it prints none
  input_hash BLOB NOT NULL,              -- SHA-256 of what was submitted: equal code may come of other files, names, settings
  UNIQUE (compiler, version, language, creation_code_hash, runtime_code_hash, input_hash)
) STRICT;

CREATE TABLE compiled_contract_source (
  compilation_id INTEGER NOT NULL REFERENCES compiled_contract (id),
  path TEXT NOT NULL,
  source_hash BLOB NOT NULL REFERENCES source (source_hash),
  PRIMARY KEY (compilation_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE signature (
  signature_hash_32 BLOB PRIMARY KEY,    -- keccak256 of the canonical text
  signature TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX signature_by_text ON signature (signature);

CREATE TABLE compiled_contract_signature (
  compilation_id INTEGER NOT NULL REFERENCES compiled_contract (id),
  signature_type TEXT NOT NULL CHECK (signature_type IN ('function', 'event', 'error')),
  signature_hash_32 BLOB NOT NULL REFERENCES signature (signature_hash_32),
  PRIMARY KEY (compilation_id, signature_type, signature_hash_32)
) STRICT, WITHOUT ROWID;

CREATE INDEX compiled_contract_signature_by_hash
  ON compiled_contract_signature (signature_type, signature_hash_32);

CREATE TABLE verified_contract (
  id INTEGER PRIMARY KEY,
  deployment_id INTEGER NOT NULL REFERENCES contract_deployment (id),
  compilation_id INTEGER NOT NULL REFERENCES compiled_contract (id),
  creation_match INTEGER NOT NULL,
  creation_values TEXT,
  creation_transformations TEXT,
  creation_metadata_match INTEGER,
  runtime_match INTEGER NOT NULL,
  runtime_values TEXT,
  runtime_transformations TEXT,
  runtime_metadata_match INTEGER,
  UNIQUE (deployment_id, compilation_id),
  CHECK (creation_match = 1 OR runtime_match = 1),
  CHECK (creation_match = (creation_values IS NOT NULL)
    AND creation_match = (creation_transformations IS NOT NULL)
    AND creation_match = (creation_metadata_match IS NOT NULL)),
  CHECK (runtime_match = (runtime_values IS NOT NULL)
    AND runtime_match = (runtime_transformations IS NOT NULL)
    AND runtime_match = (runtime_metadata_match IS NOT NULL))
) STRICT;

-- From a compilation to the metadata that a match keeps.
CREATE INDEX verified_contract_by_compilation ON verified_contract (compilation_id);

CREATE TABLE verification_match (
  match_id INTEGER PRIMARY KEY AUTOINCREMENT,
  chain_id TEXT NOT NULL,
  address BLOB NOT NULL,
  verified_contract_id INTEGER NOT NULL REFERENCES verified_contract (id),
  creation_match TEXT CHECK (creation_match IN ('exact_match', 'match')),
  runtime_match TEXT CHECK (runtime_match IN ('exact_match', 'match')),
  verified_at INTEGER NOT NULL,
  UNIQUE (address, chain_id)
) STRICT;

CREATE INDEX verification_match_by_chain ON verification_match (chain_id, match_id);
CREATE INDEX verification_match_by_verified_contract ON verification_match (verified_contract_id);

CREATE TABLE verification_job (
  id TEXT PRIMARY KEY,
  chain_id TEXT NOT NULL,
  address BLOB NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  lease_owner TEXT,
  lease_until INTEGER,
  heartbeat_at INTEGER,
  compilation_ms INTEGER,
  creation_match TEXT,
  runtime_match TEXT,
  match_id INTEGER,
  verified_at INTEGER,
  error_code TEXT,
  error_id TEXT,
  error_data TEXT,
  -- JSON list of sentences; null when there are none
  warnings TEXT,
  input_bytes INTEGER NOT NULL DEFAULT 0,
  is_suspect INTEGER NOT NULL DEFAULT 0,
  -- Processes that died while this was the only job that they ran.
  lone_crashes INTEGER NOT NULL DEFAULT 0,
  -- Who submitted it, until it ends, and which turn it takes: one more than its last job and than any that was claimed.
  client TEXT,
  turn INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One unfinished job per chain and address, whatever happens at the same moment.
CREATE UNIQUE INDEX verification_job_unfinished ON verification_job (chain_id, address)
  WHERE finished_at IS NULL;
CREATE INDEX verification_job_queue ON verification_job (started_at, id) WHERE finished_at IS NULL;
-- Answers the place in the queue, the number of waiting jobs and their size by client without touching the table; the two
-- columns that are always null here are part of it, since SQLite looks at them again.
CREATE INDEX verification_job_waiting
  ON verification_job (turn, started_at, id, client, input_bytes, finished_at, lease_owner)
  WHERE finished_at IS NULL AND lease_owner IS NULL;
-- Answers which turn was reached: only what was claimed has a heartbeat, and keeps it.
CREATE INDEX verification_job_claimed ON verification_job (turn) WHERE heartbeat_at IS NOT NULL;
CREATE INDEX verification_job_suspect ON verification_job (lone_crashes, started_at, id)
  WHERE is_suspect = 1 AND finished_at IS NULL AND lease_owner IS NULL;

CREATE TABLE verification_job_input (
  job_id TEXT PRIMARY KEY REFERENCES verification_job (id),
  input TEXT NOT NULL,
  packed BLOB
) STRICT;

CREATE TABLE verification_job_bytecode (
  job_id TEXT PRIMARY KEY REFERENCES verification_job (id),
  recompiled_creation_code BLOB,
  recompiled_runtime_code BLOB,
  onchain_creation_code BLOB,
  onchain_runtime_code BLOB,
  creation_transaction_hash BLOB,
  stored_at INTEGER NOT NULL DEFAULT 0,
  -- Settings of a compilation that did not match, as JSON of pairs of name and value: they are compared with those that
  -- the metadata of the code on chain tell.
  recompiled_settings TEXT
) STRICT;

CREATE INDEX verification_job_bytecode_by_age ON verification_job_bytecode (stored_at);

-- Where deployed code of a compilation may vary; shared by all compilations of the same form.
CREATE TABLE runtime_shape (
  id INTEGER PRIMARY KEY,
  length INTEGER NOT NULL,               -- bytes of the deployed code
  auxdata TEXT NOT NULL,                 -- JSON list of [offset, length]
  filled TEXT NOT NULL,                  -- likewise: libraries, immutables, own address of a library
  UNIQUE (length, auxdata, filled)
) STRICT;

CREATE TABLE compilation_likeness (
  compilation_id INTEGER PRIMARY KEY REFERENCES compiled_contract (id),
  shape_id INTEGER NOT NULL REFERENCES runtime_shape (id),
  length INTEGER NOT NULL,               -- that of the shape
  masked_hash BLOB NOT NULL,             -- SHA-256 of the runtime code with zeros in all variable places
  linked_hash BLOB NOT NULL,             -- the same, with auxdata left as they are
  prefix BLOB NOT NULL,                  -- first 75 bytes of the compiled runtime code
  is_yul INTEGER NOT NULL                -- 1: any code can be copied into such sources, so they are the last candidates
) STRICT;

CREATE INDEX compilation_likeness_by_hash ON compilation_likeness (masked_hash, is_yul, linked_hash);
CREATE INDEX compilation_likeness_by_prefix ON compilation_likeness (prefix, is_yul, length);

-- Area status.

CREATE TABLE status_page (
  id                    TEXT    NOT NULL PRIMARY KEY,
  name                  TEXT    NOT NULL,
  url                   TEXT    NOT NULL,
  time_zone             TEXT    NOT NULL,
  page_description      TEXT,
  support_url           TEXT,
  hidden_from_search    INTEGER NOT NULL DEFAULT 0,
  allow_rss_atom_feeds  INTEGER NOT NULL DEFAULT 1,
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL,
  -- Counts the commits of this area, so that other processes see a change with one small read.
  revision              INTEGER NOT NULL,
  -- The URL as last configured: a changed setting is told from an edit of the page.
  configured_url        TEXT    NOT NULL
) STRICT;

CREATE TABLE status_component (
  seq                    INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id                     TEXT    NOT NULL UNIQUE,
  name                   TEXT    NOT NULL,
  description            TEXT,
  is_group               INTEGER NOT NULL,
  group_id               TEXT,
  position               INTEGER NOT NULL,
  manual_status          TEXT    NOT NULL,
  monitor_status         TEXT    NOT NULL,
  showcase               INTEGER NOT NULL,
  only_show_if_degraded  INTEGER NOT NULL,
  start_date             TEXT,
  -- Name of the probe that drives the monitor layer; null for components made by hand.
  probe                  TEXT,
  created_at             INTEGER NOT NULL,
  updated_at             INTEGER NOT NULL
) STRICT;

-- Changes of the public status; the first row of a component has no `from_status`.
CREATE TABLE status_component_event (
  seq           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  component_id  TEXT    NOT NULL REFERENCES status_component (id) ON DELETE CASCADE,
  from_status   TEXT,
  to_status     TEXT    NOT NULL,
  layer         TEXT    NOT NULL CHECK (layer IN ('manual', 'monitor')),
  cause         TEXT    NOT NULL,
  at            INTEGER NOT NULL
) STRICT;

CREATE INDEX status_component_event_by_component ON status_component_event (component_id, at);
CREATE INDEX status_component_event_by_time ON status_component_event (at);

CREATE TABLE status_incident (
  seq                                          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id                                           TEXT    NOT NULL UNIQUE,
  kind                                         TEXT    NOT NULL CHECK (kind IN ('realtime', 'maintenance')),
  name                                         TEXT    NOT NULL,
  status                                       TEXT    NOT NULL,
  -- Worst impact that the attached components ever gave; the override wins over it.
  peak_impact                                  TEXT    NOT NULL,
  impact_override                              TEXT,
  backfilled                                   INTEGER NOT NULL,
  created_at                                   INTEGER NOT NULL,
  updated_at                                   INTEGER NOT NULL,
  started_at                                   INTEGER NOT NULL,
  monitoring_at                                INTEGER,
  resolved_at                                  INTEGER,
  scheduled_for                                INTEGER,
  scheduled_until                              INTEGER,
  scheduled_reminded_at                        INTEGER,
  scheduled_remind_prior                       INTEGER NOT NULL,
  scheduled_auto_in_progress                   INTEGER NOT NULL,
  scheduled_auto_completed                     INTEGER NOT NULL,
  auto_transition_to_maintenance_state         INTEGER NOT NULL,
  auto_transition_to_operational_state         INTEGER NOT NULL,
  auto_transition_deliver_notifications_at_start INTEGER NOT NULL,
  auto_transition_deliver_notifications_at_end INTEGER NOT NULL,
  metadata                                     TEXT    NOT NULL,
  reminder_intervals                           TEXT,
  postmortem_body                              TEXT,
  postmortem_body_last_updated_at              INTEGER,
  postmortem_published_at                      INTEGER,
  postmortem_ignored                           INTEGER NOT NULL DEFAULT 0,
  postmortem_notified_subscribers              INTEGER NOT NULL DEFAULT 0,
  postmortem_notified_twitter                  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX status_incident_newest ON status_incident (kind, created_at, seq);
CREATE INDEX status_incident_by_window ON status_incident (kind, scheduled_for, seq);
CREATE INDEX status_incident_open ON status_incident (seq)
  WHERE status IN ('investigating', 'identified', 'monitoring', 'scheduled', 'in_progress', 'verifying');
-- Lists of the management API begin with the newest of both kinds.
CREATE INDEX status_incident_by_creation ON status_incident (created_at, seq);

CREATE TABLE status_incident_update (
  seq                    INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id                     TEXT    NOT NULL UNIQUE,
  incident_id            TEXT    NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE,
  status                 TEXT    NOT NULL,
  body                   TEXT    NOT NULL,
  created_at             INTEGER NOT NULL,
  updated_at             INTEGER NOT NULL,
  display_at             INTEGER NOT NULL,
  -- JSON array of {code, name, old_status, new_status}: what was known then, never rewritten.
  affected_components    TEXT,
  deliver_notifications  INTEGER NOT NULL
) STRICT;

CREATE INDEX status_incident_update_by_incident ON status_incident_update (incident_id, seq);

CREATE TABLE status_incident_component (
  incident_id   TEXT NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE,
  component_id  TEXT NOT NULL REFERENCES status_component (id) ON DELETE CASCADE,
  PRIMARY KEY (incident_id, component_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX status_incident_component_by_component ON status_incident_component (component_id);

CREATE TABLE status_audit (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  -- Name of the token, or `command`.
  actor       TEXT    NOT NULL,
  call        TEXT    NOT NULL,
  subject_id  TEXT    NOT NULL,
  -- JSON objects with the members that the call changed; null where the subject did not or does not exist.
  before      TEXT,
  after       TEXT
) STRICT;

-- Written with the change that it tells of. Not bound to incidents and components: those may be deleted later.
CREATE TABLE status_notice (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id          TEXT    NOT NULL UNIQUE,
  kind        TEXT    NOT NULL CHECK (kind IN ('incident', 'component')),
  subject_id  TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  -- JSON object: the body that subscribers get, without its member `meta`.
  payload     TEXT    NOT NULL,
  -- When the news were made, as receivers see it; the same at each retry.
  generated_at TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX status_notice_by_time ON status_notice (at);

-- Parts for which a component was made, or decided against: a deleted one is not made again.
CREATE TABLE status_part (
  probe  TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- One row: when a server on this database was last alive, UTC milliseconds.
CREATE TABLE status_heartbeat (
  id  INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  at  INTEGER NOT NULL
) STRICT;

-- Stretches in which no server ran, found at a start.
CREATE TABLE status_downtime (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE status_subscriber (
  seq           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id            TEXT    NOT NULL UNIQUE,
  -- Absolute http or https address, as given.
  endpoint      TEXT    NOT NULL,
  email         TEXT,
  -- Key of the signatures: it is needed at every delivery, so it cannot be kept as a hash.
  secret        TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  -- When the newest attempt failed; null when it succeeded. Who fails waits behind the others.
  failed_at     INTEGER,
  -- The process that sends to it now, and until when it surely does.
  lease_owner   TEXT,
  leased_until  INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'webhook'
) STRICT;

-- One row per notice and subscriber that existed then, written with the change. A delivered one is deleted.
CREATE TABLE status_delivery (
  subscriber_seq  INTEGER NOT NULL REFERENCES status_subscriber (seq) ON DELETE CASCADE,
  notice_seq      INTEGER NOT NULL REFERENCES status_notice (seq) ON DELETE CASCADE,
  -- Those that failed.
  attempts        INTEGER NOT NULL DEFAULT 0,
  -- When the next attempt is due; null when there is none any more.
  next_at         INTEGER,
  PRIMARY KEY (subscriber_seq, notice_seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX status_delivery_due ON status_delivery (subscriber_seq, next_at, notice_seq)
  WHERE next_at IS NOT NULL;
CREATE INDEX status_delivery_by_notice ON status_delivery (notice_seq, next_at);

CREATE TABLE status_response_time (
  probe   TEXT    NOT NULL,
  -- YYYY-MM-DD
  date    TEXT    NOT NULL,
  -- Four to each doubling: n holds what took more than 2^((n-1)/4) ms and at most 2^(n/4) ms.
  bucket  INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  PRIMARY KEY (probe, date, bucket)
) STRICT, WITHOUT ROWID;

-- Area mirror.

-- One row per imported unit (record file, block, fixture). place: where it stands in the order of the network, which is
-- not that of time: the greatest time of the ledger with it, but later than the place of the unit before. The newest
-- place is the watermark. consensus_start, consensus_end: its least and greatest time.
CREATE TABLE ledger_unit (
  place integer primary key,
  consensus_start integer not null,
  consensus_end integer not null,
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
  verification text not null,
  -- Null when the source did not state them.
  gas_used integer,
  logs_bloom blob,
  -- Null when it is not known; empty without receipts, where all bytes are zero.
  receipts_root blob,
  -- root: of the block; of a record file null, or that of the block it was wrapped in.
  root blob,
  -- The root that a wrapped record file, or the first native block, names as that of the block before; else null.
  previous_root blob,
  is_native integer not null default 0,
  -- In words what the proof of a block showed; null for units without one.
  proof text
) strict;

CREATE INDEX ledger_unit_early on ledger_unit (consensus_end) where consensus_end < place;
CREATE INDEX ledger_unit_by_number on ledger_unit (block_number) where block_number is not null;
-- EVM tools know a block by the first 32 bytes of its hash.
CREATE INDEX ledger_unit_by_hash on ledger_unit (substr(hash, 1, 32));

-- One row: what the balance keeper needs to go on after a restart.
CREATE TABLE ledger_state (
  only_row integer primary key check (only_row = 1),
  -- 1 when the stream began at genesis (or is a fixture): an account without a row has balance 0.
  balances_complete integer not null,
  last_transaction_ts integer,
  last_snapshot_ts integer,
  -- The last transaction before the newest jump over missing units; null without one. Token balances of what was
  -- created before it are unknown.
  forgotten_ts integer,
  -- From which end of a unit the next snapshot is taken; null in a ledger without units.
  snapshot_due_ts integer,
  -- Version of the derivation of its rows: a later build derives more when the ledger is rebuilt.
  derivation integer,
  -- The greatest time of record files and blocks; null without any.
  stream_end_ts integer,
  -- The most nanoseconds by which a transaction of a record file or block lies before one that came earlier.
  step_back integer not null default 0
) strict;

-- facet: 4 successful, 1 some account was credited, 2 some account was debited.
-- body is the list object with marks where the dialects differ, body_spec that of one dialect where marks do not do,
-- assessed_fees the member that only the single transaction shows.
CREATE TABLE tx (
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
  body_spec text,
  assessed_fees text,
  memo blob,
  batch_key blob,
  max_custom_fees text,
  inner_transactions text,
  nft_transfers text
) strict;

CREATE INDEX tx_by_facet on tx (facet, consensus_ts);
CREATE INDEX tx_by_type on tx (type, facet, consensus_ts);
CREATE INDEX tx_by_id on tx (payer, valid_start, consensus_ts);
-- The transactions that wrote a file, which hold its contents.
CREATE INDEX tx_by_file on tx (entity_id, consensus_ts) where type in (16, 17, 19);

-- The serialized Transaction and TransactionRecord, apart from tx so that pages read fewer bytes.
CREATE TABLE tx_source (
  consensus_ts integer primary key,
  transaction_bytes blob,
  record_bytes blob
) strict;

-- prefix: the first 8 bytes of the hash as int64; the whole hash is compared in tx.
CREATE TABLE tx_hash (
  prefix integer not null,
  consensus_ts integer not null,
  primary key (prefix, consensus_ts)
) strict, without rowid;

-- One row per account that a transaction concerns: every account filter is one or a few index ranges.
-- flags: 1 visible payer, 2 credited, 4 debited, 8 zero row, 16 NFT. facet as in tx, but of this account.
CREATE TABLE account_tx (
  account_id integer not null,
  consensus_ts integer not null,
  flags integer not null,
  type integer not null,
  facet integer not null,
  primary key (account_id, consensus_ts)
) strict, without rowid;

CREATE INDEX account_tx_by_facet on account_tx (account_id, facet, consensus_ts);
CREATE INDEX account_tx_by_type on account_tx (account_id, type, facet, consensus_ts);
CREATE INDEX account_tx_by_time on account_tx (consensus_ts, account_id, facet, type);

-- kind 0 hbar (token_id 0), 1 fungible token.
CREATE TABLE transfer (
  consensus_ts integer not null,
  kind integer not null,
  token_id integer not null,
  account_id integer not null,
  amount integer not null,
  seq integer not null,
  approval integer not null,
  primary key (consensus_ts, kind, token_id, account_id, amount, seq)
) strict, without rowid;

CREATE TABLE staking_reward (
  consensus_ts integer not null,
  seq integer not null,
  account_id integer not null,
  amount integer not null,
  primary key (consensus_ts, seq)
) strict, without rowid;

CREATE INDEX staking_reward_by_account on staking_reward (account_id, consensus_ts, amount);

CREATE TABLE assessed_fee (
  consensus_ts integer not null,
  seq integer not null,
  amount integer not null,
  collector integer not null,
  token_id integer,
  effective_payers text not null,
  primary key (consensus_ts, seq)
) strict, without rowid;

-- balance is null while it is unknown; it is never guessed.
CREATE TABLE entity (
  id integer primary key,
  type text,
  alias blob,
  evm_address blob,
  created_ts integer,
  balance integer,
  balance_ts integer
) strict;

CREATE INDEX entity_by_evm_address on entity (evm_address) where evm_address is not null;
CREATE INDEX entity_by_alias on entity (alias) where alias is not null;
CREATE INDEX entity_by_balance_ts on entity (balance_ts) where balance_ts is not null;
-- Accounts by balance, for balances that few have.
CREATE INDEX entity_by_balance on entity (balance) where balance is not null;
-- Accounts and contracts, and what is known from transfers alone: walks along them meet no token, topic or schedule.
CREATE INDEX entity_accounts on entity (id) where type is null or type in ('ACCOUNT', 'CONTRACT');
-- Contracts in the order of their ids.
CREATE INDEX entity_contracts on entity (id) where type = 'CONTRACT';

CREATE TABLE balance_snapshot (
  account_id integer not null,
  consensus_ts integer not null,
  balance integer not null,
  primary key (account_id, consensus_ts)
) strict, without rowid;

CREATE TABLE file_piece (
  file_id integer not null,
  consensus_ts integer not null,
  tx_type integer not null,
  contents blob not null,
  -- 1 when nothing vouches for it.
  is_told integer not null default 0,
  -- of its unit, with where it stands among the pieces of that; of a fixture, its time
  place integer not null,
  seq integer not null,
  primary key (file_id, consensus_ts)
) strict, without rowid;

CREATE TABLE address_book (
  file_id integer not null,
  start_ts integer not null,
  is_told integer not null default 0,
  primary key (file_id, start_ts)
) strict, without rowid;

-- service_endpoints: JSON list of {domainName, ipAddressV4, port} in book order.
CREATE TABLE address_book_entry (
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

CREATE TABLE node (
  node_id integer primary key,
  changed_ts integer not null,
  account_id integer,
  admin_key blob,
  decline_reward integer,
  grpc_proxy_endpoint text,
  associated_registered_nodes text not null,
  deleted integer not null,
  -- Null for a node that was there before the import began.
  created_ts integer
) strict;

CREATE TABLE network_stake (
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

CREATE TABLE node_stake (
  consensus_ts integer not null,
  node_id integer not null,
  max_stake integer not null,
  min_stake integer not null,
  reward_rate integer not null,
  stake integer not null,
  stake_not_rewarded integer not null,
  stake_rewarded integer not null,
  is_told integer not null default 0,
  primary key (consensus_ts, node_id)
) strict, without rowid;

-- Code by its SHA-256: clones of a contract share one row.
CREATE TABLE ledger_code (
  hash blob primary key,
  code blob not null
) strict;

-- One row per contract of which the ledger tells more than its number. The columns of the creation are null
-- for a contract that was there before the import began. sender_id is what the EVM saw; origin_ts is the
-- transaction that a client sent, transaction_index its place among those of its block that the EVM ran. Creation
-- code that lies in a file has no creation_code: it is put together from the file's transactions and
-- constructor_parameters.
CREATE TABLE ledger_contract (
  id integer primary key,
  created_ts integer,
  origin_ts integer,
  transaction_hash blob,
  transaction_index integer,
  sender_id integer,
  file_id integer,
  constructor_parameters blob,
  creation_code blob references ledger_code (hash),
  runtime_code blob references ledger_code (hash),
  -- Without constructor parameters; null while the transactions of the file are there, and where the file was begun
  -- before the import.
  file_code blob references ledger_code (hash)
) strict;

CREATE INDEX ledger_contract_by_file on ledger_contract (file_id) where file_code is null;

-- Null is what the imported ledger did not tell. Apart from entity, whose rows change with every transfer.
-- key: serialized Key. auto_renew_period in seconds; expiry_ts, stake_period_start and changed_ts in nanoseconds.
CREATE TABLE entity_settings (
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
  permanent_removal integer,
  -- 20 bytes; null when none is set.
  delegation_address blob,
  public_key blob
) strict;

CREATE INDEX entity_settings_by_public_key on entity_settings (public_key) where public_key is not null;

CREATE TABLE token_balance_snapshot (
  account_id integer not null,
  token_id integer not null,
  consensus_ts integer not null,
  balance integer,
  primary key (account_id, token_id, consensus_ts)
) strict, without rowid;

-- Holders of a token at a time.
CREATE INDEX token_balance_snapshot_by_token on token_balance_snapshot (token_id, account_id, consensus_ts);

-- The unit unit_name, which begins at to_ts, names found_hash as previous although the unit that ends at from_ts
-- has expected_hash.
CREATE TABLE ledger_gap (
  from_ts integer primary key,
  to_ts integer not null,
  unit_name text not null,
  expected_hash blob not null,
  found_hash blob not null,
  reason text not null
) strict;

-- One row once something was deleted: transactions before this time are gone.
CREATE TABLE ledger_retention (
  only_row integer primary key check (only_row = 1),
  deleted_before integer not null
) strict;

-- contents: serialized ExchangeRateSet, one row per change.
CREATE TABLE rate_observation (
  consensus_ts integer primary key,
  contents blob not null
) strict;

-- One row. ledger_id names this database; rewrites counts the commits that changed rows behind which others were
-- stored already, so that a copy of the rows made before is known to be old.
CREATE TABLE ledger_edition (
  only_row integer primary key check (only_row = 1),
  ledger_id blob not null,
  rewrites integer not null
) strict;

-- The transactions of units whose times step back, or begin before the end of the unit before; all others are of the
-- first unit with a number whose place is not before them, in the order of time.
CREATE TABLE tx_place (
  consensus_ts integer primary key,
  -- of the unit that holds it
  place integer not null,
  -- from 0, in the order of the unit
  seq integer not null
) strict;

CREATE INDEX tx_place_by_unit on tx_place (place, seq);

-- types: one bit for each number of SidecarType: 2 state changes, 4 actions, 8 bytecode.
-- contents: the file as it came, usually packed with gzip; null while it is missing.
CREATE TABLE sidecar (
  place integer not null,
  id integer not null,
  types integer not null,
  hash blob not null,
  contents blob,
  primary key (place, id)
) strict;

CREATE INDEX sidecar_missing on sidecar (place) where contents is null;

-- One row: the roots of all blocks before the newest one, as the edge of their tree (48 bytes for each subtree,
-- highest first). It holds while place is that of the newest record file or block.
CREATE TABLE block_tree (
  only_row integer primary key check (only_row = 1),
  place integer not null,
  edge blob not null
) strict;

-- Every publication of a ledger id, whole, the first one first; they are never removed.
CREATE TABLE ledger_publication (
  consensus_ts integer primary key,
  ledger_id blob not null,
  -- Serialized LedgerIdPublicationTransactionBody.
  body blob,
  -- Whether the unit that held it was proven by signatures: only then is the id more than a claim.
  is_signed integer not null
) strict;

-- One row: what the proofs of earlier blocks showed.
CREATE TABLE proof_state (
  only_row integer primary key check (only_row = 1),
  -- Of the accepted proofs, the highest; null before the first.
  generation integer,
  -- Threshold keys that proven blocks told, 1096 bytes each, newest first.
  keys blob not null,
  -- As the state of the network names it; null when no block told.
  ledger_id blob
) strict;

CREATE TABLE opening_state (
  -- of the unit, the first block of a network
  place integer not null,
  -- from 0, in the order of the block
  number integer not null,
  consensus_ts integer not null,
  -- Serialized StateChanges, as they came.
  changes blob not null,
  primary key (place, number)
) strict;

CREATE TABLE stated_balance (
  -- of the unit that states it
  place integer not null,
  account_id integer not null,
  -- 0 for hbar
  token_id integer not null,
  consensus_ts integer not null,
  -- null when the account gave the token up
  balance integer,
  primary key (place, account_id, token_id)
) strict, without rowid;

-- consensus_ts: end of the block as of which they were told; one row per change.
-- schedule_ts: when the fee schedule was written from which they follow.
-- prices: JSON, tinybars by kind of transaction.
CREATE TABLE told_gas_price (
  consensus_ts integer primary key,
  schedule_ts integer not null,
  prices text not null
) strict;

-- service_endpoints: JSON list. Rows of deleted nodes stay, with deleted set.
CREATE TABLE registered_node (
  registered_node_id integer primary key,
  changed_ts integer not null,
  created_ts integer,
  deleted integer not null,
  admin_key blob,
  description text,
  service_endpoints text not null
) strict;

-- A row for each time at which settings gave way to others: they held from lower_ts until before upper_ts. The balance
-- is that before upper_ts; null while it was unknown.
CREATE TABLE entity_history (
  id integer not null,
  lower_ts integer not null,
  upper_ts integer not null,
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
  permanent_removal integer,
  delegation_address blob,
  public_key blob,
  balance integer,
  balance_ts integer,
  primary key (id, lower_ts)
) strict, without rowid;

-- The time is the row id: messages are added at the end, found by their time and removed by a range of times.
-- initial_transaction_id: serialized TransactionID of a message in pieces; valid_start where it was not told.
-- running_hash_version: null for 3.
CREATE TABLE topic_message (
  consensus_ts integer primary key,
  topic_id integer not null,
  sequence_number integer not null,
  payer integer not null,
  chunk_num integer,
  chunk_total integer,
  initial_transaction_id blob,
  valid_start integer,
  running_hash_version integer,
  running_hash blob not null,
  message blob not null
) strict;

-- Both end with the time, by which a list is ordered.
CREATE INDEX topic_message_by_topic on topic_message (topic_id);
CREATE INDEX topic_message_by_number on topic_message (topic_id, sequence_number);

-- Units of a fungible token, or the number of NFTs; null once the account gave the token up. Only known balances.
CREATE TABLE token_balance (
  account_id integer not null,
  token_id integer not null,
  balance integer,
  balance_ts integer,
  created_ts integer,
  associated integer,
  automatic integer,
  freeze_status integer,
  kyc_status integer,
  primary key (account_id, token_id)
) strict, without rowid;

CREATE INDEX token_balance_by_ts on token_balance (balance_ts) where balance_ts is not null;
-- Holders of a token. Without the balance, so that a transfer does not touch it.
CREATE INDEX token_balance_by_token on token_balance (token_id, account_id);
-- Holders by balance, for balances that few have.
CREATE INDEX token_balance_by_balance on token_balance (token_id, balance) where balance is not null;

-- executed_ts: also when the execution failed. body: serialized SchedulableTransactionBody.
CREATE TABLE schedule (
  schedule_id integer primary key,
  creator integer not null,
  payer integer not null,
  consensus_ts integer not null,
  executed_ts integer,
  expiration_ts integer,
  wait_for_expiry integer not null,
  body blob not null
) strict;

-- Ends with the number of the schedule, by which a list is ordered.
CREATE INDEX schedule_by_creator on schedule (creator);

-- type: field number in SignaturePair. They go with their transactions.
CREATE TABLE schedule_signature (
  consensus_ts integer not null,
  seq integer not null,
  schedule_id integer not null,
  type integer not null,
  public_key_prefix blob not null,
  signature blob not null,
  primary key (consensus_ts, seq)
) strict, without rowid;

CREATE INDEX schedule_signature_by_schedule on schedule_signature (schedule_id);

-- Keys are serialized; folded_name is the name in one letter case.
CREATE TABLE token (
  token_id integer primary key,
  kind text,
  lower_ts integer,
  created_ts integer,
  name text,
  folded_name text,
  symbol text,
  decimals integer,
  initial_supply integer,
  max_supply integer,
  supply_type text,
  freeze_default integer,
  freeze_status text,
  kyc_status text,
  pause_status text,
  treasury integer,
  metadata blob,
  fee_schedule_key blob,
  freeze_key blob,
  kyc_key blob,
  metadata_key blob,
  pause_key blob,
  supply_key blob,
  wipe_key blob,
  total_supply integer
) strict;

CREATE INDEX token_by_kind on token (kind, token_id);
-- Searched from end to end, in the order of the list.
CREATE INDEX token_by_name on token (token_id, folded_name);

-- A row for each time at which a token changed: it was so from lower_ts until before upper_ts.
CREATE TABLE token_history (
  token_id integer not null,
  lower_ts integer not null,
  upper_ts integer not null,
  kind text,
  created_ts integer,
  name text,
  folded_name text,
  symbol text,
  decimals integer,
  initial_supply integer,
  max_supply integer,
  supply_type text,
  freeze_default integer,
  freeze_status text,
  kyc_status text,
  pause_status text,
  treasury integer,
  metadata blob,
  fee_schedule_key blob,
  freeze_key blob,
  kyc_key blob,
  metadata_key blob,
  pause_key blob,
  supply_key blob,
  wipe_key blob,
  total_supply integer,
  primary key (token_id, lower_ts)
) strict, without rowid;

-- The fees of a token or topic, until the next row of it. The lists are JSON as the answers show it.
CREATE TABLE custom_fee (
  entity_id integer not null,
  lower_ts integer not null,
  fee_count integer not null,
  fixed_fees text,
  fractional_fees text,
  royalty_fees text,
  primary key (entity_id, lower_ts)
) strict, without rowid;

-- Null where the imported part does not tell: creation and metadata of a serial that was minted before it, the account
-- of one that was burned or wiped.
CREATE TABLE nft (
  token_id integer not null,
  serial_number integer not null,
  account_id integer,
  spender integer,
  delegating_spender integer,
  created_ts integer,
  changed_ts integer not null,
  deleted integer not null,
  metadata blob,
  primary key (token_id, serial_number)
) strict, without rowid;

CREATE INDEX nft_by_account on nft (account_id, token_id, serial_number) where account_id is not null;
-- Few NFTs are approved: a filter on the spender walks these alone.
CREATE INDEX nft_by_approval on nft (account_id, token_id, serial_number, spender) where spender is not null;

-- What happened at a time is told by the transaction, with which the row goes.
CREATE TABLE nft_event (
  token_id integer not null,
  serial_number integer not null,
  consensus_ts integer not null,
  primary key (token_id, serial_number, consensus_ts)
) strict, without rowid;

CREATE INDEX nft_event_by_time on nft_event (consensus_ts);

CREATE TABLE "topic_state" (
  topic_id integer primary key,
  consensus_ts integer not null,
  fixed_fee_count integer,
  admin_key blob,
  submit_key blob,
  fee_schedule_key blob,
  fee_exempt_keys blob
) strict;

-- kind: 0 hbar, 1 a fungible token, 2 all NFTs of a token. token_id: 0 for hbar. amount: what is left; of NFTs 1 while
-- the approval is in force. What was revoked or used up stays with amount 0.
CREATE TABLE allowance (
  kind integer not null,
  owner_id integer not null,
  spender_id integer not null,
  token_id integer not null,
  amount integer not null,
  amount_granted integer not null,
  lower_ts integer not null,
  primary key (kind, owner_id, spender_id, token_id)
) strict, without rowid;

-- Lists show approvals in force alone, and do not walk the others.
CREATE INDEX allowance_in_force on allowance (kind, owner_id, spender_id, token_id) where amount > 0;
-- An account decides what it approves, but not how many approve it.
CREATE INDEX nft_approval_of_spender on allowance (spender_id, owner_id, token_id) where kind = 2 and amount > 0;
CREATE INDEX nft_approval_of_spender_by_token on allowance (spender_id, token_id, owner_id)
  where kind = 2 and amount > 0;

-- serial_number: 0 of fungible tokens. amount: null of NFTs. state: 0 pending, 1 cancelled, 2 claimed.
CREATE TABLE airdrop (
  sender_id integer not null,
  receiver_id integer not null,
  token_id integer not null,
  serial_number integer not null,
  amount integer,
  state integer not null,
  lower_ts integer not null,
  primary key (sender_id, receiver_id, token_id, serial_number)
) strict, without rowid;

CREATE INDEX airdrop_outstanding on airdrop (sender_id, receiver_id, token_id, serial_number) where state = 0;
CREATE INDEX airdrop_outstanding_by_token on airdrop (sender_id, token_id, receiver_id, serial_number) where state = 0;
CREATE INDEX airdrop_pending on airdrop (receiver_id, sender_id, token_id, serial_number) where state = 0;
CREATE INDEX airdrop_pending_by_token on airdrop (receiver_id, token_id, sender_id, serial_number) where state = 0;

-- is_windowed: 1 when every balance that was known then has a row in the half year before the time or in its month, so
-- that no older row counts. known_from: rows before it are from before a gap and count no more.
CREATE TABLE balance_snapshot_time (
  consensus_ts integer primary key,
  is_windowed integer not null,
  known_from integer not null
) strict;

-- What an account had staked to a node when a staking period ended; the newest row of each account.
-- end_stake_period: day since 1970. staked_node: −1 for none. Amounts in tinybars.
CREATE TABLE stake_row (
  account_id integer primary key,
  lower_ts integer not null,
  end_stake_period integer not null,
  pending_reward integer not null,
  staked_node integer not null,
  staked_to_me integer not null,
  stake_total integer not null
) strict;

-- Those before: each held until the next one of the account began.
CREATE TABLE stake_history (
  account_id integer not null,
  lower_ts integer not null,
  end_stake_period integer not null,
  pending_reward integer not null,
  staked_node integer not null,
  staked_to_me integer not null,
  stake_total integer not null,
  primary key (account_id, lower_ts)
) strict, without rowid;

-- lower_ts: since when the row is so. A deleted hook stays, as such.
CREATE TABLE hook (
  owner_id integer not null,
  hook_id integer not null,
  lower_ts integer not null,
  created_ts integer,
  deleted integer not null,
  contract_id integer,
  admin_key blob,
  primary key (owner_id, hook_id)
) strict, without rowid;

-- Every change of a slot: key of 32 bytes, value without leading zeros, empty when it was cleared.
CREATE TABLE hook_storage (
  owner_id integer not null,
  hook_id integer not null,
  key blob not null,
  consensus_ts integer not null,
  value blob not null,
  primary key (owner_id, hook_id, key, consensus_ts)
) strict, without rowid;

-- Slots as the order of the chain left them, whatever their times.
CREATE TABLE hook_slot (
  owner_id integer not null,
  hook_id integer not null,
  key blob not null,
  value blob not null,
  modified_ts integer not null,
  primary key (owner_id, hook_id, key)
) strict, without rowid;

-- listing: 0 in no list, 1 in all, 2 in those that ask for internal results. contract_id: 0 where none is known.
-- hash: 32 bytes. created_contracts: encoded ids with blanks between, null for none. has_run: whether the record has a result.
CREATE TABLE contract_result (
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

CREATE INDEX contract_result_listed on contract_result (consensus_ts) where listing = 1;
CREATE INDEX contract_result_by_contract on contract_result (contract_id, consensus_ts) where listing = 1;
-- With all that a search for senders reads.
CREATE INDEX contract_result_by_sender
  on contract_result (sender_id, consensus_ts, contract_id, transaction_index, listing) where listing = 1;
CREATE INDEX contract_result_with_internal on contract_result (consensus_ts) where listing > 0;
CREATE INDEX contract_result_by_contract_with_internal on contract_result (contract_id, consensus_ts) where listing > 0;
CREATE INDEX contract_result_by_sender_with_internal
  on contract_result (sender_id, consensus_ts, contract_id, transaction_index, listing) where listing > 0;
CREATE INDEX contract_result_by_contract_and_sender
  on contract_result (contract_id, sender_id, listing, consensus_ts, transaction_index);

-- prefix: the first 8 bytes of the hash, as in tx_hash.
CREATE TABLE contract_result_hash (
  prefix integer not null,
  consensus_ts integer not null,
  primary key (prefix, consensus_ts)
) strict, without rowid;

-- Prices and value: weibars, big-endian. access_list, authorization_list: JSON, null for none.
CREATE TABLE ethereum_transaction (
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
CREATE TABLE contract_log (
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

CREATE INDEX contract_log_by_contract on contract_log (contract_id, consensus_ts, log_index) where is_hidden = 0;
CREATE INDEX contract_log_first_result on contract_log (consensus_ts) where is_first_result = 1;
CREATE INDEX contract_log_result on contract_log (result_contract_id, consensus_ts) where result_contract_id is not null;

-- topic_tail: the last 8 bytes as int64.
CREATE TABLE contract_log_topic (
  position integer not null,
  topic_tail integer not null,
  consensus_ts integer not null,
  log_index integer not null,
  primary key (position, topic_tail, consensus_ts, log_index)
) strict, without rowid;

-- Visible logs that follow each other: a chunk begins after the last_ts of the one before it. places: time and index of
-- each log, 8 bytes each.
CREATE TABLE contract_log_chunk (
  last_ts integer primary key,
  log_count integer not null,
  places blob not null
) strict;

-- Which logs of a chunk have a key: position 0 to 3 and a topic_tail, 4 and a contract_id. places: bits, or numbers of 2
-- bytes where that is shorter. A key that few logs of a chunk have is not there.
CREATE TABLE contract_log_chunk_key (
  position integer not null,
  key integer not null,
  last_ts integer not null references contract_log_chunk (last_ts) on delete cascade,
  places blob not null,
  primary key (position, key, last_ts)
) strict, without rowid;

CREATE INDEX contract_log_chunk_key_by_chunk on contract_log_chunk_key (last_ts);

-- slot: 32 bytes. A migration tells what was there, beside what a transaction of the same time did. value_written: null when it was only read, empty when zero was written.
CREATE TABLE contract_state_change (
  contract_id integer not null,
  slot blob not null,
  consensus_ts integer not null,
  value_read blob not null,
  value_written blob,
  is_migration integer not null,
  primary key (contract_id, slot, consensus_ts, is_migration)
) strict, without rowid;

CREATE INDEX contract_state_change_by_time on contract_state_change (consensus_ts, contract_id, slot);

CREATE TABLE contract_state (
  contract_id integer not null,
  slot blob not null,
  value blob not null,
  modified_ts integer not null,
  primary key (contract_id, slot)
) strict, without rowid;

CREATE TABLE contract_action (
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

insert into ledger_edition (only_row, ledger_id, rewrites) values (1, randomblob(16), 0);

-- Area none.

-- One row that a server writes and reads to see whether its database works.
CREATE TABLE health_row (
  id  INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  at  INTEGER NOT NULL
) STRICT;
