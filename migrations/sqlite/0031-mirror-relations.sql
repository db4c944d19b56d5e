-- mirror: the balance of a token becomes one of two groups of columns of the relation between account and token.

-- balance: units of a fungible token, or the number of NFTs; null with a time once the account gave the token up, and
-- without one while it is unknown.
-- associated: null where only the balance tells it. created_ts and automatic: null where the ledger did not tell.
-- freeze_status (0 not applicable, 1 frozen, 2 unfrozen) and kyc_status (0 not applicable, 1 granted, 2 revoked): null
-- means that of the token.
alter table token_balance rename to token_balance_before;
create table token_balance (
  account_id integer not null,
  token_id integer not null,
  balance integer,
  balance_ts integer,
  created_ts integer,
  associated integer,
  automatic integer,
  freeze_status integer,
  kyc_status integer,
  primary key (account_id, token_id)
) strict, without rowid;
insert into token_balance (account_id, token_id, balance, balance_ts, associated)
  select account_id, token_id, balance, balance_ts, iif(balance is null, 0, null) from token_balance_before;
drop table token_balance_before;
create index token_balance_by_ts on token_balance (balance_ts) where balance_ts is not null;
-- Holders of a token. Without the balance, so that a transfer does not touch it.
create index token_balance_by_token on token_balance (token_id, account_id);
