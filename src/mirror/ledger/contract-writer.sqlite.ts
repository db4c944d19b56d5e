import { createHash } from 'node:crypto';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { ContractChange } from './rows.ts';

/** Stores what a unit tells of contracts. */
export interface ContractWriter {
  /** The caller opens the database transaction. */
  apply(changes: readonly ContractChange[]): void;
}

/** Prepares the statements once. A creation is told once; a later code replaces an earlier one. */
export function createContractWriter(database: SqliteDatabase): ContractWriter {
  const putCode = database.prepare(
    'insert into ledger_code (hash, code) values (?, ?) on conflict (hash) do nothing',
  );
  const putContract = database.prepare(
    `insert into ledger_contract (id, created_ts, origin_ts, transaction_hash, transaction_index, sender_id, file_id,
       constructor_parameters, creation_code, runtime_code)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set
       created_ts = coalesce(ledger_contract.created_ts, excluded.created_ts),
       origin_ts = coalesce(ledger_contract.origin_ts, excluded.origin_ts),
       transaction_hash = coalesce(ledger_contract.transaction_hash, excluded.transaction_hash),
       transaction_index = coalesce(ledger_contract.transaction_index, excluded.transaction_index),
       sender_id = coalesce(ledger_contract.sender_id, excluded.sender_id),
       file_id = coalesce(ledger_contract.file_id, excluded.file_id),
       constructor_parameters = coalesce(ledger_contract.constructor_parameters, excluded.constructor_parameters),
       creation_code = coalesce(ledger_contract.creation_code, excluded.creation_code),
       runtime_code = coalesce(excluded.runtime_code, ledger_contract.runtime_code)`,
  );
  const store = (code: Uint8Array | null): Uint8Array | null => {
    if (code === null) return null;
    const hash = createHash('sha256').update(code).digest();
    putCode.run(hash, code);
    return hash;
  };
  return {
    apply(changes) {
      for (const { contract, creation, runtimeCode } of changes) {
        putContract.run(
          contract,
          creation?.consensusTimestamp ?? null,
          creation?.originTimestamp ?? null,
          creation?.transactionHash ?? null,
          creation?.transactionIndex ?? null,
          creation?.sender ?? null,
          creation?.file ?? null,
          creation?.constructorParameters ?? null,
          store(creation?.creationCode ?? null),
          store(runtimeCode),
        );
      }
    },
  };
}
