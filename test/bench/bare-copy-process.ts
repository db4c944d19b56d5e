// Child process of the benchmarks: decodes the record files of a folder and stores the rows that an import made of
// them by COPY, a transaction for some units each, and nothing else: no hash, no signature, no JSON, no balance.
// Reading the rows is not timed.
// Run: node --import tsx bare-copy-process.ts FOLDER IMPORTED_URL DATABASE_URL UNITS_PER_COMMIT
import pg from 'pg';
import { CopyIn } from '../../src/storage/postgres/copy-rows.ts';
import { serverWork, workSince } from '../support/server-work.ts';
import { decodeRecordFiles } from './decode-record-files.ts';

const [folder = '', importedUrl = '', url = '', unitsPerCommit = '1'] = process.argv.slice(2);
/** Those with rows for a transaction, and the column by which rows of a span of time are found. */
const TABLES = [
  ['tx', 'consensus_ts'],
  ['tx_source', 'consensus_ts'],
  ['tx_hash', 'consensus_ts'],
  ['account_tx', 'consensus_ts'],
  ['transfer', 'consensus_ts'],
  ['staking_reward', 'consensus_ts'],
  ['assessed_fee', 'consensus_ts'],
  ['contract_result', 'consensus_ts'],
  ['contract_result_hash', 'consensus_ts'],
  ['ethereum_transaction', 'consensus_ts'],
  ['contract_log', 'consensus_ts'],
  ['contract_log_topic', 'consensus_ts'],
  ['contract_state_change', 'consensus_ts'],
  ['contract_action', 'consensus_ts'],
  ['ledger_unit', 'place'],
] as const;

type Value = string | Buffer | null;

const decode = decodeRecordFiles(folder);
const imported = new pg.Client({ connectionString: importedUrl });
const database = new pg.Client({ connectionString: url });
await Promise.all([imported.connect(), database.connect()]);
const { rows: units } = await imported.query<{ name: string; first: string; last: string }>(
  'select name, consensus_start as first, place as last from ledger_unit order by place',
);
// The partitions of the import, without their rows.
const { rows: partitions } = await imported.query<{ name: string; parent: string; bound: string }>(
  `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
   from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent where c.relkind = 'r'`,
);
for (const { bound, name, parent } of partitions) {
  await database.query(`create table ${name} partition of ${parent} ${bound}`);
}
let [transactions, milliseconds, cpuMilliseconds] = [0, 0, 0];
const size = Number(unitsPerCommit);
for (let start = 0; start < units.length; start += size) {
  const batch = units.slice(start, start + size);
  const lists: (readonly (readonly Value[])[])[] = [];
  for (const [table, time] of TABLES) {
    const { rows } = await imported.query<Value[]>({
      text: `select * from ${table} where ${time} between $1 and $2`,
      values: [batch[0]?.first, batch.at(-1)?.last],
      rowMode: 'array',
    });
    lists.push(rows);
  }
  const before = serverWork(process.pid, url);
  const started = performance.now();
  for (const { name } of batch) transactions += decode(name);
  await database.query('begin');
  for (const [index, [table]] of TABLES.entries()) await copyRows(table, lists[index] ?? []);
  await database.query('commit');
  milliseconds += performance.now() - started;
  cpuMilliseconds += workSince(before, serverWork(process.pid, url)).ran * 1000;
}
await Promise.all([imported.end(), database.end()]);
process.stdout.write(JSON.stringify({ transactions, milliseconds, cpuMilliseconds, memory: [] }));

async function copyRows(table: string, rows: readonly (readonly Value[])[]): Promise<void> {
  if (rows.length === 0) return;
  let text = '';
  for (const row of rows) text += `${row.map(printed).join('\t')}\n`;
  await database.query(new CopyIn(`copy ${table} from stdin`, [Buffer.from(text)])).done;
}

/** The text format of COPY. */
function printed(value: Value): string {
  if (value === null) return '\\N';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  const text = String(value);
  return /[\\\n\r\t]/.test(text)
    ? text.replace(/[\\\n\r\t]/g, (each) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[each] ?? '\\\\')
    : text;
}
