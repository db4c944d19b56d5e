-- mirror: exchange rates that receipts told, for imports that begin after file 112 was written; since when balances
-- are known anew.

-- contents: serialized ExchangeRateSet, one row per change.
create table rate_observation (
  consensus_ts integer primary key,
  contents blob not null
) strict;

-- The last transaction before the newest jump over missing units; null without one. Token balances of what was
-- created before it are unknown.
alter table ledger_state add column forgotten_ts integer;
