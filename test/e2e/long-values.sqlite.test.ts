import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { copyStore } from '../../src/store/open-store.ts';
import { toBase32 } from '../../src/values/base32.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { startTestServer } from '../support/test-server.ts';

/** Whoever writes a ledger may write names that no network would take: each database keeps them and answers alike. */
const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-long-'));
const LEDGER = join(folder, 'long.ndjson');

/** Bytes that cannot be packed. */
const bytes = (length: number, of: string) =>
  createHash('shake256', { outputLength: length }).update(of).digest();
const NAME = bytes(6000, 'name').toString('base64');
const ALIAS = toBase32(bytes(4000, 'alias'));
const EVM_ADDRESS = bytes(4000, 'address');
/** Fields 3 (RSA) and 2 (Ed25519) of `Key`. */
const LONG_KEY = Buffer.concat([Buffer.from('1aa01f', 'hex'), bytes(4000, 'key')]).toString('hex');
const ED25519 = bytes(32, 'key').toString('hex');

const LINES = [
  {
    kind: 'account',
    account: '0.0.1001',
    alias: ALIAS,
    key: { _type: 'ProtobufEncoded', key: LONG_KEY },
    memo: NAME,
    created_timestamp: '1700000000.000000000',
    balance: { balance: 5, timestamp: '1700000000.000000000' },
  },
  { kind: 'account', account: '0.0.1002', key: { _type: 'ED25519', key: ED25519 }, balance: { balance: 7 } },
  { kind: 'token', token_id: '0.0.5001', name: NAME, symbol: NAME, treasury_account_id: '0.0.1001' },
  { kind: 'token', token_id: '0.0.5002', name: 'Short', symbol: 'S', treasury_account_id: '0.0.1001' },
  {
    consensus_timestamp: '1700000010.000000000',
    transaction_id: '0.0.1001-1700000009-000000000',
    transfers: [
      { account: '0.0.1001', amount: -1 },
      { account: '0.0.3', amount: 1 },
    ],
  },
];

const QUESTIONS = [
  '/api/v1/accounts/0.0.1001',
  '/api/v1/accounts?account.publickey=gte:00',
  `/api/v1/accounts?account.publickey=${ED25519}`,
  `/api/v1/balances?account.publickey=gt:${'00'.repeat(32)}`,
  `/api/v1/accounts/${ALIAS}`,
  '/api/v1/tokens',
  '/api/v1/tokens/0.0.5001',
  '/api/v1/tokens?name=short',
  // From the middle of the name and in the other case.
  `/api/v1/tokens?name=${encodeURIComponent(NAME.slice(4000, 4060).toLowerCase())}`,
];

async function answers(url: string): Promise<readonly unknown[]> {
  const server = await startTestServer({ env: { DATABASE_URL: url }, background: false });
  try {
    const asked = QUESTIONS.map(async (path) => {
      const answer = await fetch(server.url + path);
      return [path, answer.status, await answer.text()];
    });
    return await Promise.all(asked);
  } finally {
    await server.close();
  }
}

async function importInto(url: string): Promise<void> {
  const server = await startTestServer({ env: { DATABASE_URL: url }, background: false });
  const reports = await server.services.imports.run([LEDGER]);
  await server.close();
  expect(reports).toMatchObject([{ units: 1, transactions: 1, refused: [] }]);
}

const copy = (from: string, to: string) => copyStore(parseDatabaseUrl(from), parseDatabaseUrl(to), () => {});
const file = (name: string) => `sqlite:${join(folder, name)}`;

let postgres: string;
beforeAll(async () => {
  writeFileSync(LEDGER, LINES.map((line) => JSON.stringify(line)).join('\n'));
  postgres = await (await sharedPostgres()).createMigrated();
  await importInto(postgres);
  await importInto(file('imported.sqlite'));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('values that are longer than an entry of an index', () => {
  test('are imported and answered alike', async () => {
    const given = await answers(file('imported.sqlite'));
    expect(await answers(postgres)).toEqual(given);
    const told = (path: string | undefined) =>
      (given as [string, number, string][]).find(([each]) => each === path)?.[2];
    expect(told('/api/v1/accounts/0.0.1001')).toContain(ALIAS);
    expect(told(QUESTIONS.at(-1))).toContain(NAME);
    expect(told(`/api/v1/accounts?account.publickey=${ED25519}`)).toContain('0.0.1002');
    expect(told('/api/v1/tokens?name=short')).not.toContain('0.0.5001');
  });

  test('are copied in both directions, an EVM address as well', async () => {
    const database = openSqlite(join(folder, 'imported.sqlite'));
    database.prepare('update entity set evm_address = ? where alias is not null').run(EVM_ADDRESS);
    database.close();
    const there = await (await sharedPostgres()).createDatabase();
    expect((await copy(file('imported.sqlite'), there)).differences).toEqual([]);
    expect((await copy(there, file('back.sqlite'))).differences).toEqual([]);
    const given = await answers(file('imported.sqlite'));
    expect(await answers(there)).toEqual(given);
    expect(await answers(file('back.sqlite'))).toEqual(given);
  });
});
