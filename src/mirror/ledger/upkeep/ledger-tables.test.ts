import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LEDGER_TABLES } from './ledger-report.ts';

const SCHEMA = new URL('../../../../migrations/sqlite/0001-initial.sql', import.meta.url);

test('the size of a ledger counts every table of the area mirror, and those of no other area', () => {
  const areas = readFileSync(SCHEMA, 'utf8')
    .split(/^-- Area /m)
    .map((text) => [...text.matchAll(/^create table (\w+)/gim)].map(([, table = '']) => table));
  const [, verify = [], status = [], mirror = []] = areas;
  expect(mirror.length).toBeGreaterThan(50);
  expect(mirror.filter((table) => !LEDGER_TABLES.test(table))).toEqual([]);
  expect([...verify, ...status].filter((table) => LEDGER_TABLES.test(table))).toEqual([]);
});
