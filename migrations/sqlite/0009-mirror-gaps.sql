-- mirror: jumps over missing units that the operator accepted, and what retention has deleted.

-- The unit unit_name, which begins at to_ts, names found_hash as previous although the unit that ends at from_ts
-- has expected_hash.
create table ledger_gap (
  from_ts integer primary key,
  to_ts integer not null,
  unit_name text not null,
  expected_hash blob not null,
  found_hash blob not null,
  reason text not null
) strict;

-- One row once something was deleted: transactions before this time are gone.
create table ledger_retention (
  only_row integer primary key check (only_row = 1),
  deleted_before integer not null
) strict;

