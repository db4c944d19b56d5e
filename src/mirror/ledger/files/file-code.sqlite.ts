import { createHash } from 'node:crypto';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { creationCodeOfFile, type FileWrite, readFileWrite } from './creation-code-file.ts';

/** @returns the code that a file had before a time, nanoseconds; null when the ledger does not tell. */
export type FileCodeReader = (file: bigint, before: bigint) => Uint8Array | null;

interface ContractRow {
  readonly id: bigint;
  readonly file_id: bigint;
  readonly created_ts: bigint;
}

/** Puts the code of files together from the transactions that wrote them. */
export function createFileCodeReader(database: SqliteDatabase): FileCodeReader {
  // The condition on type is that of the index; facet 4 is success.
  const transactions = database
    .prepare<[bigint, bigint], Buffer>(
      `select s.transaction_bytes from tx t join tx_source s on s.consensus_ts = t.consensus_ts
       where t.type in (16, 17, 19) and t.entity_id = ? and t.consensus_ts < ? and t.facet & 4 <> 0
         and s.transaction_bytes is not null
       order by t.consensus_ts desc`,
    )
    .pluck();
  function* writes(file: bigint, before: bigint): Generator<FileWrite> {
    for (const transaction of transactions.iterate(file, before)) yield readFileWrite(transaction);
  }
  return (file, before) => creationCodeOfFile(writes(file, before));
}

/**
 * Keeps the code of contracts whose file transactions are about to be deleted.
 *
 * @returns a function from the first and last of these transactions, nanoseconds; the caller opens the database
 * transaction.
 */
export function createFileCodeKeeper(database: SqliteDatabase): (first: bigint, last: bigint) => void {
  const contracts = database
    .prepare<[bigint, bigint], ContractRow>(
      `select distinct c.id, c.file_id, c.created_ts from tx t
       cross join ledger_contract c on c.file_id = t.entity_id and c.file_code is null
       where t.type in (16, 17, 19) and t.consensus_ts between ? and ?
         and c.creation_code is null and c.created_ts is not null`,
    )
    .safeIntegers(true);
  const putCode = database.prepare(
    'insert into ledger_code (hash, code) values (?, ?) on conflict (hash) do nothing',
  );
  const setCode = database.prepare('update ledger_contract set file_code = ? where id = ?');
  const read = createFileCodeReader(database);
  return (first, last) => {
    for (const { created_ts, file_id, id } of contracts.all(first, last)) {
      const code = read(file_id, created_ts);
      if (code === null) continue;
      const hash = createHash('sha256').update(code).digest();
      putCode.run(hash, code);
      setCode.run(hash, id);
    }
  };
}
