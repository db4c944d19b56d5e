-- mirror: messages of topics.

-- The time is the row id: messages are added at the end, found by their time and removed by a range of times.
-- initial_transaction_id: serialized TransactionID of a message in pieces; valid_start where it was not told.
-- running_hash_version: null for 3.
create table topic_message (
  consensus_ts integer primary key,
  topic_id integer not null,
  sequence_number integer not null,
  payer integer not null,
  chunk_num integer,
  chunk_total integer,
  initial_transaction_id blob,
  valid_start integer,
  running_hash_version integer,
  running_hash blob not null,
  message blob not null
) strict;
-- Both end with the time, by which a list is ordered.
create index topic_message_by_topic on topic_message (topic_id);
create index topic_message_by_number on topic_message (topic_id, sequence_number);
