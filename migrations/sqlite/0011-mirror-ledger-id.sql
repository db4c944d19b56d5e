-- mirror: when a node was created, and the id that the network gave its ledger.

-- Null for a node that was there before the import began, and in rows stored before this column.
alter table node add column created_ts integer;

-- One row: the newest publication.
create table ledger_identity (
  only_row integer primary key check (only_row = 1),
  consensus_ts integer not null,
  ledger_id blob not null
) strict;
