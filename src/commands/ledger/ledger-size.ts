import { printFacts } from '../print-facts.ts';
import { renderTable } from '../table.ts';
import type { LedgerAction } from './ledger.ts';

/** `ledgerlens ledger size`: bytes per table and per transaction. */
export const reportLedgerSize: LedgerAction = async ({ mirror }, _words, values) => {
  const size = await mirror.report.size();
  const { databaseBytes, freeBytes, tables, transactions } = size;
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
  printFacts(
    values,
    size,
    () =>
      `${renderTable([head, ...rows, total])}\n\n` +
      `${transactions} transactions; the database file has ${databaseBytes} bytes, ${freeBytes} of them free for new rows.`,
  );
  return 0;
};
