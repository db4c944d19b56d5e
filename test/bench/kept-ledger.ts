import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteLedgerRepository } from '../../src/mirror/ledger/ledger-repository.sqlite.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { syntheticLedger } from './synthetic-ledger.ts';

const SAMPLE_SIZE = 200;

/**
 * The synthetic ledger of this size as a file in the temporary folder; it is made when it is not there yet.
 *
 * The name holds a hash of the schema and of the rows of a small ledger, so a change of either makes a new file.
 *
 * @returns the path of the database.
 */
export async function keptLedger(transactions: number): Promise<string> {
  const folder = join(tmpdir(), 'ledgerlens-bench');
  const path = join(folder, `ledger-${transactions}-${await contentKey()}.sqlite`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  const database = openDatabase(unfinished);
  try {
    // A file that is thrown away when the process dies needs no safe commits.
    database.pragma('synchronous = OFF');
    const repository = createSqliteLedgerRepository(database);
    for (const unit of syntheticLedger(transactions)) await repository.commitUnit(unit);
    database.pragma('wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
  for (const rest of ['-wal', '-shm']) rmSync(unfinished + rest, { force: true });
  return path;
}

async function contentKey(): Promise<string> {
  const database = openDatabase(':memory:');
  try {
    const repository = createSqliteLedgerRepository(database);
    for (const unit of syntheticLedger(SAMPLE_SIZE)) await repository.commitUnit(unit);
    const hash = createHash('sha256');
    for (const sql of ['select sql from sqlite_schema', 'select * from tx', 'select * from account_tx']) {
      for (const row of database.prepare(sql).raw().safeIntegers(true).iterate()) hash.update(String(row));
    }
    return hash.digest('hex').slice(0, 12);
  } finally {
    database.close();
  }
}
