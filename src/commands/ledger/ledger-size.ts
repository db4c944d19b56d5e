import { renderTable } from '../table.ts';
import type { LedgerAction } from './ledger.ts';

/** `ledgerlens ledger size`: bytes per table and per transaction. */
export const reportLedgerSize: LedgerAction = async ({ mirror }) => {
  const { databaseBytes, freeBytes, tables, transactions } = await mirror.report.size();
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
  return 0;
};
