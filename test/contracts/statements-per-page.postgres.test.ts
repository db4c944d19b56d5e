import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contractLedger } from '../bench/contract-ledger.ts';
import { BUSY, contractNum } from '../bench/contract-numbers.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  const DATABASE_URL = await (await sharedPostgres()).createMigrated();
  server = await startTestServer({ env: { DATABASE_URL, MIRROR_DIALECT: 'hiero' }, background: false });
  for (const unit of contractLedger(2000)) await server.services.mirror.ledger.commitUnit(unit);
});
afterAll(() => server?.close());

const MAX_STEPS = 5;
const ROUTER = contractNum(BUSY.router);
const LISTS = [
  '/accounts?order=asc',
  '/balances?order=asc',
  '/blocks?order=desc',
  '/contracts?order=asc',
  '/contracts/results?order=asc',
  '/contracts/results?order=desc',
  '/contracts/results?internal=true',
  `/contracts/${ROUTER}/results?order=asc`,
  '/contracts/results/logs?order=asc',
  `/contracts/${ROUTER}/results/logs?order=desc`,
  `/contracts/${ROUTER}/state?order=asc`,
  '/transactions?order=asc',
];

/** Each statement is a round trip. */
describe('the statements of a page on PostgreSQL', () => {
  test.each(LISTS)('%s do not grow with its rows', async (list) => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const rowsAndStatements = async (limit: number) => {
      asked.mockClear();
      const answer = await server.app.inject({ url: `/api/v1${list}&limit=${limit}` });
      expect(answer.statusCode, answer.body).toBe(200);
      const { links: _, ...rest } = answer.json<Record<string, unknown>>();
      const rows = Object.values(rest).find((member) => Array.isArray(member)) as unknown[];
      return { rows: rows.length, statements: asked.mock.calls.length };
    };
    try {
      // The first request of all learns what is kept.
      await rowsAndStatements(100);
      const few = await rowsAndStatements(2);
      const many = await rowsAndStatements(100);
      expect(few.rows).toBe(2);
      expect(many.rows).toBeGreaterThan(10);
      expect(few.statements).toBeGreaterThan(0);
      // Where conditions leave rows out a walk has steps.
      expect(many.statements - few.statements).toBeLessThan(MAX_STEPS);
    } finally {
      asked.mockRestore();
    }
  });
});
