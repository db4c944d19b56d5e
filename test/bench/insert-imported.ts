import { openDatabase } from '../../src/storage/open-database.ts';
import { openSqlite, type SqliteDatabase } from '../../src/storage/sqlite.ts';

/** Tables with rows for a transaction, how those of a span of time are found, and whether they replace others. */
const TABLES: readonly (readonly [table: string, rows: string, replaces?: boolean])[] = [
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
  ['contract_result', 'select * from contract_result where consensus_ts between ? and ?'],
  ['contract_result_hash', 'select * from temp.contract_result_hash_of where consensus_ts between ? and ?'],
  ['ethereum_transaction', 'select * from ethereum_transaction where consensus_ts between ? and ?'],
  ['contract_log', 'select * from contract_log where consensus_ts between ? and ?'],
  ['contract_log_topic', 'select * from temp.contract_log_topic_of where consensus_ts between ? and ?'],
  ['contract_state_change', 'select * from contract_state_change where consensus_ts between ? and ?'],
  ['contract_action', 'select * from contract_action where consensus_ts between ? and ?'],
  [
    'contract_state',
    `select contract_id, slot, value_written, max(consensus_ts) from temp.contract_state_change_of
     where consensus_ts between ? and ? and value_written is not null group by contract_id, slot`,
    true,
  ],
  ['sidecar', 'select * from sidecar where place between ? and ?'],
  ['ledger_unit', 'select * from ledger_unit where place between ? and ?'],
];

/**
 * Decodes units and inserts the rows that an import made of them, then prints how long that took. Reading the rows is
 * not timed.
 *
 * @param decode reads and decodes the file of a unit; gives its transactions
 */
export function insertImported(
  importedFile: string,
  file: string,
  unitsPerCommit: number,
  decode: (name: string) => number,
): void {
  const imported = openSqlite(importedFile);
  // Finds the hash rows by time, which the product never asks.
  imported.exec('create temp table tx_hash_of as select * from tx_hash');
  imported.exec('create index temp.tx_hash_by_time on tx_hash_of (consensus_ts)');
  for (const table of ['contract_result_hash', 'contract_log_topic', 'contract_state_change']) {
    imported.exec(`create temp table ${table}_of as select * from ${table} order by consensus_ts`);
    imported.exec(`create index temp.${table}_by_time on ${table}_of (consensus_ts)`);
  }
  const database = openDatabase(file);
  const inserts = TABLES.map(([table, rows, replaces = false]) => ({
    insert: database.prepare(insertInto(database, table, replaces)),
    rows: imported.prepare<[bigint, bigint], unknown[]>(rows).safeIntegers(true).raw(),
  }));
  const units = imported
    .prepare<[], { name: string; first: bigint; last: bigint }>(
      'select name, consensus_start as first, place as last from ledger_unit order by place',
    )
    .safeIntegers(true)
    .all();

  let [transactions, milliseconds, cpuMilliseconds] = [0, 0, 0];
  for (let start = 0; start < units.length; start += unitsPerCommit) {
    const batch = units.slice(start, start + unitsPerCommit);
    const [first, last] = [batch[0]?.first ?? 0n, batch.at(-1)?.last ?? 0n];
    const lists = inserts.map(({ insert, rows }) => ({ insert, rows: rows.all(first, last) }));
    const started = performance.now();
    const used = process.cpuUsage();
    for (const { name } of batch) transactions += decode(name);
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
}

function insertInto(database: SqliteDatabase, table: string, replaces: boolean): string {
  const columns = columnsOf(database, table);
  return `insert ${replaces ? 'or replace ' : ''}into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

function columnsOf(of: SqliteDatabase, table: string): readonly string[] {
  return of.prepare<[], string>(`select name from pragma_table_info('${table}') order by cid`).pluck().all();
}
