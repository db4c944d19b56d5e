-- mirror: balances that units state without transfers: opening balances, and what the state of blocks told of
-- accounts that were unknown. A rebuild takes them from here, since no transaction tells them.

create table stated_balance (
  -- of the unit that states it
  consensus_end integer not null,
  account_id integer not null,
  -- 0 for hbar
  token_id integer not null,
  -- 1 for an opening balance, 0 for a state after the unit
  is_opening integer not null,
  consensus_ts integer not null,
  -- null when the account gave the token up
  balance integer,
  primary key (consensus_end, account_id, token_id)
) strict, without rowid;
