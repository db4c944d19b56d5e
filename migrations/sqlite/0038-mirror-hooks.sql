-- mirror: hooks of accounts and contracts (HIP-1195), and what they store.

-- lower_ts: since when the row is so. A deleted hook stays, as such.
create table hook (
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
create table hook_storage (
  owner_id integer not null,
  hook_id integer not null,
  key blob not null,
  consensus_ts integer not null,
  value blob not null,
  primary key (owner_id, hook_id, key, consensus_ts)
) strict, without rowid;
