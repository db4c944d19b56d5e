-- mirror: which rules derived the state of the ledger.

-- Null in a ledger that an earlier version began: it lacks what that version did not derive, until it is rebuilt.
alter table ledger_state add column derivation integer;
