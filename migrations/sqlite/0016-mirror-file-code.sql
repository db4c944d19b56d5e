-- mirror: code of contracts that lies in a file, for when retention deletes the transactions that wrote the file.

-- Without constructor parameters; null while the transactions of the file are there, and where the file was begun
-- before the import.
alter table ledger_contract add column file_code blob references ledger_code (hash);
create index ledger_contract_by_file on ledger_contract (file_id) where file_code is null;
