-- mirror: contracts of the ledger and their code.

-- Code by its SHA-256: clones of a contract share one row.
create table ledger_code (
  hash blob primary key,
  code blob not null
) strict;

-- One row per contract of which the ledger tells more than its number. The columns of the creation are null
-- for a contract that was there before the import began. sender_id is what the EVM saw; origin_ts is the
-- transaction that a client sent, transaction_index its place in the unit. Creation code that lies in a file
-- has no creation_code: it is put together from the file's transactions and constructor_parameters.
create table ledger_contract (
  id integer primary key,
  created_ts integer,
  origin_ts integer,
  transaction_hash blob,
  transaction_index integer,
  sender_id integer,
  file_id integer,
  constructor_parameters blob,
  creation_code blob references ledger_code (hash),
  runtime_code blob references ledger_code (hash)
) strict;

-- The transactions that wrote a file, which hold its contents.
create index tx_by_file on tx (entity_id, consensus_ts) where type in (16, 17, 19);
