-- mirror: NFTs as they are now, and the times at which each of them changed.

-- Null where the imported part does not tell: creation and metadata of a serial that was minted before it, the account
-- of one that was burned or wiped.
create table nft (
  token_id integer not null,
  serial_number integer not null,
  account_id integer,
  spender integer,
  delegating_spender integer,
  created_ts integer,
  changed_ts integer not null,
  deleted integer not null,
  metadata blob,
  primary key (token_id, serial_number)
) strict, without rowid;
create index nft_by_account on nft (account_id, token_id, serial_number) where account_id is not null;
-- Few NFTs are approved: a filter on the spender walks these alone.
create index nft_by_approval on nft (account_id, token_id, serial_number, spender) where spender is not null;

-- What happened at a time is told by the transaction, with which the row goes.
create table nft_event (
  token_id integer not null,
  serial_number integer not null,
  consensus_ts integer not null,
  primary key (token_id, serial_number, consensus_ts)
) strict, without rowid;
create index nft_event_by_time on nft_event (consensus_ts);
