-- mirror: what files derived from the ledger are compared with.

-- One row. ledger_id names this database; rewrites counts the commits that changed rows behind which others were
-- stored already, so that a copy of the rows made before is known to be old.
create table ledger_edition (
  only_row integer primary key check (only_row = 1),
  ledger_id blob not null,
  rewrites integer not null
) strict;
insert into ledger_edition (only_row, ledger_id, rewrites) values (1, randomblob(16), 0);
