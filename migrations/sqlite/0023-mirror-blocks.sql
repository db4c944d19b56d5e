-- mirror: blocks in the chain of a ledger.

-- root: of the block; of a record file null, or that of the block it was wrapped in.
alter table ledger_unit add column root blob;
alter table ledger_unit add column is_native integer not null default 0;

-- One row: the roots of all blocks before the newest one, as the edge of their tree (48 bytes for each subtree,
-- highest first). It holds while consensus_end is that of the newest record file or block.
create table block_tree (
  only_row integer primary key check (only_row = 1),
  consensus_end integer not null,
  edge blob not null
) strict;
