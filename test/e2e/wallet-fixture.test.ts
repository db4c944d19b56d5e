import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** A wallet is tested against a ledger that one file states, line by line. */
const LEDGER = fileURLToPath(new URL('wallet.ndjson', import.meta.url));
const PAGE = new URL('../../docs/test-ledger.md', import.meta.url);
const ME = '0.0.1001';
const KEY = '07'.repeat(32);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
  expect(await server.services.imports.run([LEDGER])).toMatchObject([{ units: 1, refused: [] }]);
});
afterAll(() => server.close());

async function get(path: string) {
  const answer = await fetch(`${server.url}/api/v1/${path}`);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

test('which accounts has my key, and which one my address or alias', async () => {
  for (const key of [KEY, `0x${KEY.toUpperCase()}`, `302a300506032b6570032100${KEY}`]) {
    const { accounts } = await get(`accounts?account.publickey=${key}&balance=true&order=asc`);
    expect(accounts).toMatchObject([{ account: ME }, { account: '0.0.1002' }]);
  }
  const mine = await get(`accounts/${ME}`);
  expect(mine).toMatchObject({
    key: { _type: 'ED25519', key: KEY },
    balance: {
      balance: 1_499_999_993,
      tokens: [
        { token_id: '0.0.5001', balance: 2_500_000 },
        { token_id: '0.0.5002', balance: 2 },
      ],
    },
    transactions: [{ transaction_id: '0.0.1001-1700000009-000000000' }],
  });
  for (const form of [`0x${'ab'.repeat(20)}`, 'ab'.repeat(20), mine['alias']]) {
    expect(await get(`accounts/${form}`)).toEqual(mine);
  }
});

test('what do I hold: tokens with name, decimals and metadata', async () => {
  const { tokens: held = [] } = await get(`accounts/${ME}/tokens?limit=100`);
  expect(held).toMatchObject([
    { token_id: '0.0.5001', balance: 2_500_000, decimals: 6, automatic_association: false },
    { token_id: '0.0.5002', balance: 2, automatic_association: true },
  ]);
  const shown = await Promise.all(held.map(({ token_id: token }) => get(`tokens/${token}`)));
  expect(shown).toMatchObject([
    { name: 'Dollar', symbol: 'USDX', decimals: '6', metadata: 'aXBmczovL2RvbGxhcg==' },
    { name: 'Tickets', symbol: 'TIX', type: 'NON_FUNGIBLE_UNIQUE' },
  ]);
  expect((await get(`accounts/${ME}/tokens?token.id=0.0.5003`))['tokens']).toEqual([]);
  expect((await get(`tokens?account.id=${ME}&order=asc`))['tokens']).toMatchObject([
    { token_id: '0.0.5001', decimals: 6 },
    { token_id: '0.0.5002' },
  ]);
});

test('which NFTs are mine, and what does a serial show', async () => {
  const { nfts } = await get(`accounts/${ME}/nfts?token.id=0.0.5002&order=asc`);
  expect(nfts).toMatchObject([
    { serial_number: 1, metadata: 'aXBmczovL3RpY2tldC8x', spender: null },
    { serial_number: 2, spender: '0.0.1004' },
  ]);
  const one = await get(`accounts/${ME}/nfts?token.id=0.0.5002&serialnumber=2`);
  expect(one['nfts']).toEqual([await get('tokens/0.0.5002/nfts/2')]);
});

test('who may spend what is mine', async () => {
  const allowed = async (kind: string) => (await get(`accounts/${ME}/allowances/${kind}`))['allowances'];
  expect(await allowed('crypto')).toMatchObject([{ spender: '0.0.1004', amount: 40, amount_granted: 100 }]);
  expect(await allowed('tokens')).toMatchObject([{ spender: '0.0.1004', token_id: '0.0.5001', amount: 7 }]);
  expect(await allowed('nfts')).toMatchObject([{ token_id: '0.0.5002', approved_for_all: true }]);
});

test('which airdrops wait for me, page by page as links and tables ask', async () => {
  const { airdrops = [] } = await get(`accounts/${ME}/airdrops/pending`);
  expect(airdrops).toMatchObject([
    { sender_id: '0.0.1003', token_id: '0.0.5001', amount: 9, serial_number: null },
    { sender_id: '0.0.1003', token_id: '0.0.5002', amount: null, serial_number: 3 },
    { sender_id: '0.0.1004', token_id: '0.0.5001', amount: 1 },
  ]);
  const after = async (query: string) =>
    (await get(`accounts/${ME}/airdrops/pending?limit=1&order=desc&${query}`))['airdrops'];
  expect(await after('sender.id=lte:0.0.1004&token.id=lt:0.0.5001')).toEqual([airdrops[1]]);
  expect(await after('sender.id=lte:0.0.1003&token.id=lte:0.0.5002&serialnumber=lt:3')).toEqual([
    airdrops[0],
  ]);
  expect((await get('accounts/0.0.1003/airdrops/outstanding?receiver.id=0.0.1001'))['airdrops']).toEqual(
    airdrops.slice(0, 2),
  );
});

test('what came to a topic since I looked', async () => {
  const { messages } = await get('topics/0.0.7001/messages?timestamp=gt:1700000008.000000000&order=asc');
  expect(messages).toMatchObject([{ sequence_number: 2, message: 'd29ybGQ=', chunk_info: null }]);
  expect(await get('topics/0.0.7001/messages/2')).toEqual(messages?.[0]);
  expect(await get('topics/0.0.7001')).toMatchObject({ memo: 'news', submit_key: null });
});

test('what did a contract do, and what does it store', async () => {
  expect((await get('contracts/0.0.8001/results'))['results']).toMatchObject([{ gas_used: 41_000 }]);
  expect((await get('contracts/results/logs'))['logs']).toMatchObject([{ contract_id: '0.0.8001' }]);
  expect((await get('contracts/0.0.8001/state'))['state']).toMatchObject([
    { timestamp: '1700000011.000000000', value: `0x${'2a'.padStart(64, '0')}` },
  ]);
});

test('the lines that the documentation shows are of this file', () => {
  const [, shown = ''] =
    /wallet-fixture\.test\.ts[^\n]*\n\n```\n([^`]*)\n```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const lines = readFileSync(LEDGER, 'utf8').split('\n');
  expect(shown.split('\n').length).toBe(3);
  for (const line of shown.split('\n')) expect(lines).toContain(line);
});
