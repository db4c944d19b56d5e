-- mirror: a ledger that was stored before token balances were kept knows them only for accounts that come later, until
-- it is rebuilt.
update ledger_state set forgotten_ts = last_transaction_ts;
