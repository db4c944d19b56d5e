-- mirror: what the proofs of blocks are checked with.

-- Every publication of a ledger id, whole, the first one first; they are never removed.
create table ledger_publication (
  consensus_ts integer primary key,
  ledger_id blob not null,
  -- Serialized LedgerIdPublicationTransactionBody; null in rows that were stored before this table.
  body blob,
  -- Whether the unit that held it was proven by signatures: only then is the id more than a claim.
  is_signed integer not null
) strict;

insert into ledger_publication (consensus_ts, ledger_id, body, is_signed)
  select i.consensus_ts, i.ledger_id, null, coalesce(
    (select u.verification = 'signatures' from ledger_unit u where u.consensus_end >= i.consensus_ts
     order by u.consensus_end limit 1), 0)
  from ledger_identity i;

drop table ledger_identity;

-- One row: what the proofs of earlier blocks showed.
create table proof_state (
  only_row integer primary key check (only_row = 1),
  -- Of the accepted proofs, the highest; null before the first.
  generation integer,
  -- Threshold keys that proven blocks told, 1096 bytes each, newest first.
  keys blob not null,
  -- As the state of the network names it; null when no block told.
  ledger_id blob
) strict;

-- In words what the proof of a block showed; null for units without one.
alter table ledger_unit add column proof text;
