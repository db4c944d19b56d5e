-- mirror: keys of topics.

-- Keys are serialized: null where the imported ledger did not tell, empty bytes where a topic was created without one.
-- fee_exempt_keys: serialized KeyList. fixed_fee_count: null where only other things were told.
create table topic_with_keys (
  topic_id integer primary key,
  consensus_ts integer not null,
  fixed_fee_count integer,
  admin_key blob,
  submit_key blob,
  fee_schedule_key blob,
  fee_exempt_keys blob
) strict;
insert into topic_with_keys (topic_id, consensus_ts, fixed_fee_count)
  select topic_id, consensus_ts, fixed_fee_count from topic_state;
drop table topic_state;
alter table topic_with_keys rename to topic_state;
