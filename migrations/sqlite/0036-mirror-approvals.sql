-- mirror: what owners let others spend, and airdrops that wait for their receivers.

-- kind: 0 hbar, 1 a fungible token, 2 all NFTs of a token. token_id: 0 for hbar. amount: what is left; of NFTs 1 while
-- the approval is in force. What was revoked or used up stays with amount 0.
create table allowance (
  kind integer not null,
  owner_id integer not null,
  spender_id integer not null,
  token_id integer not null,
  amount integer not null,
  amount_granted integer not null,
  lower_ts integer not null,
  primary key (kind, owner_id, spender_id, token_id)
) strict, without rowid;

-- Lists show approvals in force alone, and do not walk the others.
create index allowance_in_force on allowance (kind, owner_id, spender_id, token_id) where amount > 0;
-- An account decides what it approves, but not how many approve it.
create index nft_approval_of_spender on allowance (spender_id, owner_id, token_id) where kind = 2 and amount > 0;
create index nft_approval_of_spender_by_token on allowance (spender_id, token_id, owner_id)
  where kind = 2 and amount > 0;

-- serial_number: 0 of fungible tokens. amount: null of NFTs. state: 0 pending, 1 cancelled, 2 claimed.
create table airdrop (
  sender_id integer not null,
  receiver_id integer not null,
  token_id integer not null,
  serial_number integer not null,
  amount integer,
  state integer not null,
  lower_ts integer not null,
  primary key (sender_id, receiver_id, token_id, serial_number)
) strict, without rowid;

create index airdrop_outstanding on airdrop (sender_id, receiver_id, token_id, serial_number) where state = 0;
create index airdrop_outstanding_by_token on airdrop (sender_id, token_id, receiver_id, serial_number) where state = 0;
create index airdrop_pending on airdrop (receiver_id, sender_id, token_id, serial_number) where state = 0;
create index airdrop_pending_by_token on airdrop (receiver_id, token_id, sender_id, serial_number) where state = 0;
