-- mirror: tokens as they are and as they were, and the custom fees of tokens and topics.

-- Of a token that the former version kept only the kind is known: without lower_ts it is not shown before
-- `ledger rebuild`. Keys are serialized; folded_name is the name in one letter case.
create table token (
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
create index token_by_kind on token (kind, token_id);
-- Searched from end to end, in the order of the list.
create index token_by_name on token (token_id, folded_name);

-- A row for each time at which a token changed: it was so from lower_ts until before upper_ts.
create table token_history (
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

-- The fees of a token or topic, until the next row of it. The lists are JSON as the answers show it; null where the
-- former version kept the number of fees alone.
create table custom_fee (
  entity_id integer not null,
  lower_ts integer not null,
  fee_count integer not null,
  fixed_fees text,
  fractional_fees text,
  royalty_fees text,
  primary key (entity_id, lower_ts)
) strict, without rowid;

insert into token (token_id, kind) select token_id, kind from token_state;
insert into custom_fee (entity_id, lower_ts, fee_count)
  select token_id, consensus_ts, custom_fee_count from token_state;
drop table token_state;
