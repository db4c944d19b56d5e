-- mirror: scheduled transactions with their signatures.

-- executed_ts: also when the execution failed. body: serialized SchedulableTransactionBody.
create table schedule (
  schedule_id integer primary key,
  creator integer not null,
  payer integer not null,
  consensus_ts integer not null,
  executed_ts integer,
  expiration_ts integer,
  wait_for_expiry integer not null,
  body blob not null
) strict;
-- Ends with the number of the schedule, by which a list is ordered.
create index schedule_by_creator on schedule (creator);

-- type: field number in SignaturePair. They go with their transactions.
create table schedule_signature (
  consensus_ts integer not null,
  seq integer not null,
  schedule_id integer not null,
  type integer not null,
  public_key_prefix blob not null,
  signature blob not null,
  primary key (consensus_ts, seq)
) strict, without rowid;
create index schedule_signature_by_schedule on schedule_signature (schedule_id);
