import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedgerRepository } from '../../src/mirror/ledger/ledger-repository.sql.ts';
import { createLogChunks } from '../../src/mirror/ledger/log-chunks/log-chunks.sql.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { sqliteSql } from '../../src/storage/sql/sqlite-sql.ts';
import { contractLedger } from './contract-ledger.ts';
import { entityLedger } from './entity-ledger.ts';
import { syntheticLedger } from './synthetic-ledger.ts';

const SAMPLE_SIZE = 200;
const ENTITY_SAMPLE_SIZE = 1000;
const CONTRACT_SAMPLE_SIZE = 1000;
/** Those that hold rows of the ledger. */
const TABLES = `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
  and name <> 'ledger_edition' order by name`;

type Units = (size: number) => Iterable<LedgerUnit>;

/**
 * The synthetic ledger of this size as a file in the temporary folder; it is made when it is not there yet.
 *
 * The name holds a hash of the schema and of the rows of a small ledger, so a change of either makes a new file.
 *
 * @returns the path of the database.
 */
export function keptLedger(transactions: number): Promise<string> {
  return kept('ledger', transactions, syntheticLedger, SAMPLE_SIZE);
}

/** The ledger of every kind of row, kept in the same way. */
export function keptEntityLedger(size: number): Promise<string> {
  return kept('entities', size, entityLedger, ENTITY_SAMPLE_SIZE);
}

/** The ledger of contract calls, kept in the same way. */
export function keptContractLedger(results: number): Promise<string> {
  return kept('contracts', results, contractLedger, CONTRACT_SAMPLE_SIZE);
}

async function kept(name: string, size: number, units: Units, sampleSize: number): Promise<string> {
  const folder = join(tmpdir(), 'ledgerlens-bench');
  const path = join(folder, `${name}-${size}-${await contentKey(() => units(sampleSize))}.sqlite`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  const database = openDatabase(unfinished);
  try {
    // A file that is thrown away when the process dies needs no safe commits.
    database.pragma('synchronous = OFF');
    const repository = createLedgerRepository(sqliteSql(database));
    for (const unit of units(size)) await repository.commitUnit(unit);
    await createLogChunks(sqliteSql(database)).build();
    database.pragma('wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
  for (const rest of ['-wal', '-shm']) rmSync(unfinished + rest, { force: true });
  return path;
}

async function contentKey(sample: () => Iterable<LedgerUnit>): Promise<string> {
  const database = openDatabase(':memory:');
  try {
    const repository = createLedgerRepository(sqliteSql(database));
    for (const unit of sample()) await repository.commitUnit(unit);
    const hash = createHash('sha256');
    const tables = database.prepare(TABLES).pluck().all() as readonly string[];
    for (const sql of ['select sql from sqlite_schema', ...tables.map((table) => `select * from ${table}`)]) {
      for (const row of database.prepare(sql).raw().safeIntegers(true).iterate()) hash.update(String(row));
    }
    return hash.digest('hex').slice(0, 12);
  } finally {
    database.close();
  }
}
