-- mirror: nodes that offer a service beside consensus, as the ledger registers them (HIP-1137).

-- service_endpoints: JSON list. Rows of deleted nodes stay, with deleted set.
create table registered_node (
  registered_node_id integer primary key,
  changed_ts integer not null,
  created_ts integer,
  deleted integer not null,
  admin_key blob,
  description text,
  service_endpoints text not null
) strict;
