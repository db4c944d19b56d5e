-- mirror: gas prices as another mirror told them, for ledgers that have no fee schedule.

-- consensus_ts: end of the block as of which they were told; one row per change.
-- schedule_ts: when the fee schedule was written from which they follow.
-- prices: JSON, tinybars by kind of transaction.
create table told_gas_price (
  consensus_ts integer primary key,
  schedule_ts integer not null,
  prices text not null
) strict;
