-- mirror: exchange rates that receipts told, for imports that begin after file 112 was written.

-- contents: serialized ExchangeRateSet, one row per change.
create table rate_observation (
  consensus_ts integer primary key,
  contents blob not null
) strict;
