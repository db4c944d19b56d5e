-- mirror: address books and stakes that another mirror told are shown, but prove nothing: no signature is checked with
-- keys of theirs, and no vote weighed by them.

alter table address_book add column is_told integer not null default 0;
alter table node_stake add column is_told integer not null default 0;
