import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LEDGER_TABLES } from './ledger-report.ts';

const MIGRATIONS = new URL('../../../../migrations/sqlite/', import.meta.url);

test('the size of a ledger counts every table that its migrations make, and those of no other area', () => {
  const tablesOf = (area: RegExp) =>
    readdirSync(MIGRATIONS)
      .filter((name) => area.test(name))
      .flatMap((name) => {
        const text = readFileSync(new URL(name, MIGRATIONS), 'utf8');
        return [...text.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table);
      });
  const tables = tablesOf(/-mirror/);
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter((table) => !LEDGER_TABLES.test(table))).toEqual([]);
  expect(tablesOf(/-(verify|status|verification)/).filter((table) => LEDGER_TABLES.test(table))).toEqual([]);
});
