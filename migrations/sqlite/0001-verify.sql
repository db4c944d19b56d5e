-- Contract verification: the Verifier Alliance schema, the matches that the API shows, and the jobs.
-- Times are milliseconds since the epoch; hashes, addresses and codes are bytes; JSON is text.

-- Codes and sources by content.

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

-- What is deployed.

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

-- What was compiled.

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
  UNIQUE (compiler, version, language, creation_code_hash, runtime_code_hash)
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

CREATE TABLE compiled_contract_signature (
  compilation_id INTEGER NOT NULL REFERENCES compiled_contract (id),
  signature_type TEXT NOT NULL CHECK (signature_type IN ('function', 'event', 'error')),
  signature_hash_32 BLOB NOT NULL REFERENCES signature (signature_hash_32),
  PRIMARY KEY (compilation_id, signature_type, signature_hash_32)
) STRICT, WITHOUT ROWID;

-- Why both are the same. A side without match has nulls in all four columns' JSON, a side with match none.

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

-- What the API shows for an address; a better verification changes the row and keeps its number.

CREATE TABLE verification_match (
  match_id INTEGER PRIMARY KEY AUTOINCREMENT,
  chain_id TEXT NOT NULL,
  address BLOB NOT NULL,
  verified_contract_id INTEGER NOT NULL REFERENCES verified_contract (id),
  creation_match TEXT CHECK (creation_match IN ('exact_match', 'match')),
  runtime_match TEXT CHECK (runtime_match IN ('exact_match', 'match')),
  metadata TEXT,                         -- exactly as the compiler printed it
  verified_at INTEGER NOT NULL,
  UNIQUE (address, chain_id)
) STRICT;

CREATE INDEX verification_match_by_chain ON verification_match (chain_id, match_id);

-- Jobs. The input goes when the job ends, the bytecodes of failures may go later.

CREATE TABLE verification_job (
  id TEXT PRIMARY KEY,
  chain_id TEXT NOT NULL,
  address BLOB NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  claims INTEGER NOT NULL DEFAULT 0,
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
  error_data TEXT
) STRICT;

-- One unfinished job per chain and address, whatever happens at the same moment.
CREATE UNIQUE INDEX verification_job_unfinished ON verification_job (chain_id, address)
  WHERE finished_at IS NULL;

CREATE INDEX verification_job_queue ON verification_job (started_at, id) WHERE finished_at IS NULL;

CREATE TABLE verification_job_input (
  job_id TEXT PRIMARY KEY REFERENCES verification_job (id),
  input TEXT NOT NULL
) STRICT;

CREATE TABLE verification_job_bytecode (
  job_id TEXT PRIMARY KEY REFERENCES verification_job (id),
  recompiled_creation_code BLOB,
  recompiled_runtime_code BLOB,
  onchain_creation_code BLOB,
  onchain_runtime_code BLOB,
  creation_transaction_hash BLOB
) STRICT;
