-- mirror: the sidecars that record files name, with those that no source had.

-- types: one bit for each number of SidecarType: 2 state changes, 4 actions, 8 bytecode.
-- contents: the file as it came, usually packed with gzip; null while it is missing.
create table sidecar (
  consensus_end integer not null,
  id integer not null,
  types integer not null,
  hash blob not null,
  contents blob,
  primary key (consensus_end, id)
) strict;
create index sidecar_missing on sidecar (consensus_end) where contents is null;
