// Child process of the benchmarks: decodes the record files of a folder and inserts the rows that an import made
// of them, and nothing else: no hash, no signature, no JSON, no balance. Reading the rows is not timed.
// Run: node --import tsx bare-import-process.ts FOLDER IMPORTED_DATABASE DATABASE UNITS_PER_COMMIT
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { messages, messageType } from '../../src/mirror/protobuf/messages.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { openSqlite, type SqliteDatabase } from '../../src/storage/sqlite.ts';

const RecordStreamFile = messageType<{
  readonly recordStreamItems: readonly { readonly transaction: unknown; readonly record: unknown }[];
}>('proto.RecordStreamFile');

/** Tables with rows for a transaction, and how those of a span of time are found. */
const TABLES: readonly (readonly [table: string, rows: string])[] = [
  ['tx', 'select * from tx where consensus_ts between ? and ?'],
  ['tx_source', 'select * from tx_source where consensus_ts between ? and ?'],
  [
    'tx_hash',
    `select h.* from tx t cross join tx_hash_of h on h.consensus_ts = t.consensus_ts
     where t.consensus_ts between ? and ?`,
  ],
  ['account_tx', 'select * from account_tx where consensus_ts between ? and ?'],
  ['transfer', 'select * from transfer where consensus_ts between ? and ?'],
  ['staking_reward', 'select * from staking_reward where consensus_ts between ? and ?'],
  ['assessed_fee', 'select * from assessed_fee where consensus_ts between ? and ?'],
  ['ledger_unit', 'select * from ledger_unit where consensus_end between ? and ?'],
];

const [folder = '', importedFile = '', file = '', unitsPerCommit = '1'] = process.argv.slice(2);
const imported = openSqlite(importedFile);
// Finds the hash rows by time, which the product never asks.
imported.exec('create temp table tx_hash_of as select * from tx_hash');
imported.exec('create index temp.tx_hash_by_time on tx_hash_of (consensus_ts)');
const database = openDatabase(file);
const inserts = TABLES.map(([table, rows]) => ({
  insert: database.prepare(insertInto(table)),
  rows: imported.prepare<[bigint, bigint], unknown[]>(rows).safeIntegers(true).raw(),
}));
const units = imported
  .prepare<[], { name: string; first: bigint; last: bigint }>(
    'select name, consensus_start as first, consensus_end as last from ledger_unit order by consensus_end',
  )
  .safeIntegers(true)
  .all();
const paths = recordFiles(folder);

let [transactions, milliseconds, cpuMilliseconds] = [0, 0, 0];
const batchSize = Number(unitsPerCommit);
for (let start = 0; start < units.length; start += batchSize) {
  const batch = units.slice(start, start + batchSize);
  const [first, last] = [batch[0]?.first ?? 0n, batch.at(-1)?.last ?? 0n];
  const lists = inserts.map(({ insert, rows }) => ({ insert, rows: rows.all(first, last) }));
  const started = performance.now();
  const used = process.cpuUsage();
  for (const { name } of batch) transactions += decode(readFileSync(paths.get(name) ?? ''));
  database.transaction(() => {
    for (const { insert, rows } of lists) for (const row of rows) insert.run(...row);
  })();
  milliseconds += performance.now() - started;
  const { system, user } = process.cpuUsage(used);
  cpuMilliseconds += (system + user) / 1000;
}
imported.close();
database.close();
process.stdout.write(JSON.stringify({ transactions, milliseconds, cpuMilliseconds, memory: [] }));

function decode(compressed: Uint8Array): number {
  const items = RecordStreamFile.decode(gunzipSync(compressed).subarray(4)).recordStreamItems;
  for (const { transaction } of items) {
    const { signedTransactionBytes } = transaction as { signedTransactionBytes: Uint8Array };
    messages.TransactionBody.decode(messages.SignedTransaction.decode(signedTransactionBytes).bodyBytes);
  }
  return items.length;
}

function insertInto(table: string): string {
  const columns = columnsOf(database, table);
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

function columnsOf(of: SqliteDatabase, table: string): readonly string[] {
  return of.prepare<[], string>(`select name from pragma_table_info('${table}') order by cid`).pluck().all();
}

function recordFiles(path: string): ReadonlyMap<string, string> {
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries
      .filter((name) => /\.rcd(\.gz)?$/.test(name) && !name.includes('sidecar'))
      .map((name) => [name.split('/').at(-1) ?? '', join(path, name)]),
  );
}
