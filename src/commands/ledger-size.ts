import { readLedgerSize } from '../mirror/ledger/ledger-size.sqlite.ts';
import { folderBytes, pageFolder } from '../mirror/transactions/page-file/page-folder.ts';
import { parseDatabaseUrl } from '../storage/database-url.ts';
import { type LedgerAction, noWords } from './ledger.ts';
import { renderTable } from './table.ts';

/** `ledgerlens ledger size`: bytes per table and per transaction, and those of the page file. */
export const reportLedgerSize: LedgerAction = async ({ config, database }, words) => {
  noWords('size', words);
  const { databaseBytes, freeBytes, tables, transactions } = readLedgerSize(database);
  const perTransaction = (bytes: number) => (transactions === 0 ? '' : (bytes / transactions).toFixed(1));
  const rows = tables.map(({ indexBytes, table, tableBytes }) => [
    table,
    `${tableBytes}`,
    `${indexBytes}`,
    perTransaction(tableBytes + indexBytes),
  ]);
  const sum = (of: (row: (typeof tables)[number]) => number) =>
    tables.reduce((total, row) => total + of(row), 0);
  const [tableBytes, indexBytes] = [sum((row) => row.tableBytes), sum((row) => row.indexBytes)];
  const head = ['table', 'bytes', 'of its indexes', 'per transaction'];
  const total = ['ledger', `${tableBytes}`, `${indexBytes}`, perTransaction(tableBytes + indexBytes)];
  console.log(renderTable([head, ...rows, total]));
  console.log(
    `\n${transactions} transactions; the database file has ${databaseBytes} bytes, ${freeBytes} of them free for new rows.`,
  );
  const folder = pageFolder(parseDatabaseUrl(config.databaseUrl));
  if (folder !== null) {
    const bytes = folderBytes(folder);
    console.log(
      `The page file beside it has ${bytes} bytes${bytes === 0 ? '' : `, ${perTransaction(bytes)} per transaction`}.`,
    );
  }
  return 0;
};
