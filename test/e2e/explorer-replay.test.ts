import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { account, transactionBytes } from '../kit/mirror/fees/transactions.ts';
import { networkState } from '../kit/mirror/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Json = Readonly<Record<string, unknown>>;
interface Row extends Json {
  readonly consensus_timestamp: string;
  readonly transaction_id: string;
  readonly transaction_hash: string;
}

const CONTRACT_ADDRESS = `0x${'ab'.repeat(20)}`;
const SUCCESSES = ['SUCCESS', 'FEE_SCHEDULE_FILE_PART_UPLOADED', 'SUCCESS_BUT_MISSING_EXPECTED_OPERATION'];
const HOUR_MS = 3_600_000;

let folder = '';
let server: TestServer;
/** Newest first. */
let rows: readonly Row[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-explorer-'));
  const schedule = networkState().filePieces?.find(({ file }) => file === 111n);
  await writeStream(writeIntoFolder(folder), {
    seed: 'explorer',
    files: 4,
    transactionsPerFile: 60,
    keyBits: 1024,
    copies: 1,
    systemFiles: [{ num: 111n, contents: schedule?.contents ?? new Uint8Array() }],
    contracts: [
      {
        by: 'body',
        creationCode: Uint8Array.of(0x60, 1),
        constructorParameters: new Uint8Array(),
        runtimeCode: Uint8Array.of(0x60, 2),
        sidecar: 'runtime',
        evmAddress: new Uint8Array(20).fill(0xab),
      },
    ],
  });
  server = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
  const [report] = await server.services.imports.run([folder]);
  expect(report).toMatchObject({ units: 4, refused: [], verification: 'signatures' });
  rows = await allRows('transactions?limit=100&order=desc');
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}/api/v1/${path}`, {
    headers: { accept: 'application/json, text/plain, */*' },
    ...init,
  });

async function get(path: string): Promise<Json> {
  const answer = await send(path);
  expect(answer.status, path).toBe(200);
  expect(answer.headers.get('access-control-allow-origin'), path).toBe('*');
  return (await answer.json()) as Json;
}

const listOf = async (path: string) => (await get(path))['transactions'] as readonly Row[];
const nextOf = (body: Json) => (body['links'] as { readonly next: string | null }).next;

/** Appends each link to the base as it is, as clients do. */
async function allRows(path: string): Promise<readonly Row[]> {
  const found: Row[] = [];
  let next: string | null = `/api/v1/${path}`;
  while (next !== null) {
    expect(next).toMatch(/^\/api\/v1\//);
    const body: Json = await get(next.slice('/api/v1/'.length));
    found.push(...(body['transactions'] as readonly Row[]));
    next = nextOf(body);
  }
  return found;
}

/** The children that stand before the transaction that they belong to. */
const PRECEDING = ['CRYPTOCREATEACCOUNT', 'CRYPTOUPDATEACCOUNT'];

/** Payer of what a client sent, or a party of a transfer. */
function concerns(each: Row, id: string): boolean {
  const parties = (['transfers', 'token_transfers', 'nft_transfers'] as const).flatMap(
    (name) => each[name] as readonly Json[],
  );
  return (
    (each.transaction_id.startsWith(`${id}-`) &&
      (each['nonce'] === 0 ||
        each['parent_consensus_timestamp'] !== null ||
        PRECEDING.includes(String(each['name'])))) ||
    parties.some((party) =>
      ['account', 'sender_account_id', 'receiver_account_id'].some((name) => party[name] === id),
    )
  );
}

/** A row of the ledger; the test fails when the ledger is shorter. */
function row(index: number): Row {
  const found = rows[index];
  if (found === undefined) throw new Error(`the ledger has no row ${index}`);
  return found;
}

/** @see contracts/client-needs.md section 4.1 */
describe('the explorer, at a ledger of the past', () => {
  test('home: rate and supply for now and for a day ago, with two decimals and no operator', async () => {
    for (const ms of [Date.now(), Date.now() - 24 * HOUR_MS]) {
      const time = Math.floor(ms / 10) / 100;
      const rate = {
        cent_equivalent: expect.any(Number),
        expiration_time: expect.any(Number),
        hbar_equivalent: expect.any(Number),
      };
      expect(await get(`network/exchangerate?timestamp=${time}`)).toEqual({
        current_rate: rate,
        next_rate: rate,
        timestamp: expect.stringMatching(/^\d+\.\d{9}$/),
      });
      expect(await get(`network/supply?timestamp=${time}`)).toEqual({
        released_supply: expect.stringMatching(/^\d+$/),
        timestamp: expect.stringMatching(/^\d+\.\d{9}$/),
        total_supply: '5000000000000000000',
      });
    }
    expect(await get(`network/supply?timestamp=1.5`)).toHaveProperty('released_supply');
    expect(await get(`network/exchangerate?timestamp=1`)).toHaveProperty('current_rate');
  });

  test('home: the newest page twice, then what came since every five seconds', async () => {
    const page = await listOf('transactions?limit=15&order=desc');
    expect(page).toEqual(rows.slice(0, 15));
    expect(await listOf('transactions?limit=15&order=desc')).toEqual(page);
    expect(
      await listOf(`transactions?limit=15&order=desc&timestamp=gte:${row(0).consensus_timestamp}`),
    ).toEqual([row(0)]);
    const escaped = `gte%3A${row(2).consensus_timestamp}`;
    expect(await listOf(`transactions?limit=15&order=desc&timestamp=${escaped}`)).toEqual(rows.slice(0, 3));
  });

  test('transactions: a far page is reached in steps of a hundred, then twenty', async () => {
    const step = await listOf(
      `transactions?limit=100&order=desc&timestamp=lt:${row(20).consensus_timestamp}`,
    );
    expect(step).toEqual(rows.slice(21, 121));
    const last = step.at(-1)?.consensus_timestamp;
    expect(await listOf(`transactions?limit=20&order=desc&timestamp=lt:${last}`)).toEqual(
      rows.slice(121, 141),
    );
  });

  test('one exact time is found, and is an empty list when there is nothing', async () => {
    expect(await listOf(`transactions?timestamp=${row(7).consensus_timestamp}`)).toEqual([row(7)]);
    expect(await listOf('transactions?timestamp=1795250000.000001000')).toEqual([]);
  });

  test.each([
    'CRSPUBLICATION',
    'HINTSKEYPUBLICATION',
    'HINTSPARTIALSIGNATURE',
    'HINTSPREPROCESSINGVOTE',
    'HISTORYPROOFKEYPUBLICATION',
    'HISTORYPROOFSIGNATURE',
    'HISTORYPROOFVOTE',
    'MIGRATIONROOTHASHVOTE',
    'REGISTEREDNODECREATE',
    'REGISTEREDNODEDELETE',
    'REGISTEREDNODEUPDATE',
    'STATESIGNATURETRANSACTION',
  ])('the type %s can be chosen', async (type) => {
    expect(await listOf(`transactions?limit=15&order=desc&transactiontype=${type}&result=success`)).toEqual(
      [],
    );
  });

  test('filters by account, type and result select what the whole list has', async () => {
    expect(await listOf('transactions?limit=10&order=desc&account.id=0.0.1001')).toEqual(
      rows.filter((each) => concerns(each, '0.0.1001')).slice(0, 10),
    );
    for (const type of ['CRYPTOTRANSFER', 'CONSENSUSCREATETOPIC']) {
      const expected = rows.filter(
        (each) => each['name'] === type && SUCCESSES.includes(String(each['result'])),
      );
      expect(expected).not.toEqual([]);
      expect(await listOf(`transactions?limit=15&order=desc&transactiontype=${type}&result=success`)).toEqual(
        expected.slice(0, 15),
      );
    }
  });

  test('the export of an account asks for a range of two times, ascending', async () => {
    const [from, to] = [row(150).consensus_timestamp, row(30).consensus_timestamp];
    const found = await allRows(
      `transactions?account.id=0.0.1001&order=asc&timestamp=gte:${from}&timestamp=lt:${to}&limit=20`,
    );
    const all = await allRows('transactions?account.id=0.0.1001&order=asc&limit=100');
    expect(found).toEqual(all.filter(({ consensus_timestamp: at }) => at >= from && at < to));
    expect(found.length).toBeGreaterThan(20);
  });

  test('members have the types that the pages are drawn from', async () => {
    expect(row(0)).toMatchObject({
      max_fee: expect.stringMatching(/^\d+$/),
      valid_duration_seconds: expect.stringMatching(/^\d+$/),
      transaction_hash: expect.stringMatching(/^[A-Za-z0-9+/]{64}$/),
      transaction_id: expect.stringMatching(/^0\.0\.\d+-\d+-\d{9}$/),
    });
    const rewards = rows.flatMap(
      (each) => each['staking_reward_transfers'] as readonly { readonly account: unknown }[],
    );
    expect(rewards.length).toBeGreaterThan(0);
    for (const { account: rewarded } of rewards) expect(rewarded).toMatch(/^0\.0\.\d+$/);
  });

  test('the page of a transaction opens by id, by time and by hash, and shows its block', async () => {
    const { consensus_timestamp: at, transaction_hash, transaction_id } = row(0);
    expect(await listOf(`transactions/${transaction_id}`)).toContainEqual(row(0));
    expect(await listOf(`transactions/${transaction_id}?nonce=0&scheduled=false`)).toEqual([row(0)]);
    const hash = Buffer.from(transaction_hash, 'base64').toString('hex');
    expect(await listOf(`transactions/${hash}`)).toEqual([row(0)]);
    const { blocks } = await get(`blocks?timestamp=gte:${at}&order=asc&limit=1`);
    expect(blocks).toEqual([expect.objectContaining({ number: 3 })]);
    expect((await get(`blocks?timestamp=${at}`))['blocks']).toEqual(blocks);
  });

  test('blocks open by number and hash, and lead to their transactions', async () => {
    const { blocks } = (await get('blocks?limit=15&order=desc')) as { readonly blocks: readonly Json[] };
    expect(blocks.map(({ number }) => number)).toEqual([3, 2, 1, 0]);
    const [newest] = blocks;
    expect(await get('blocks/3')).toEqual(newest);
    expect(await get(`blocks/${newest?.['hash']}`)).toEqual(newest);
    expect(newest?.['previous_hash']).toBe(blocks[1]?.['hash']);
    const { from, to } = (newest as Json)['timestamp'] as { readonly from: string; readonly to: string };
    const inside = await allRows(`transactions?timestamp=gte:${from}&timestamp=lte:${to}&limit=25&order=asc`);
    expect(inside).toHaveLength(Number(newest?.['count']));
  });

  test('the page of an account takes its balance from the list of balances', async () => {
    const found = await get('accounts/0.0.1001?limit=10');
    expect(found['transactions']).toEqual(await listOf('transactions?account.id=0.0.1001&limit=10'));
    const { balances } = (await get('balances?account.id=0.0.1001&order=asc')) as {
      readonly balances: readonly Json[];
    };
    const { balance, tokens } = found['balance'] as Json;
    expect(balances).toEqual([{ account: '0.0.1001', balance, tokens }]);
    expect(balance).toEqual(expect.any(Number));
  });

  test('the page of a contract opens by id and address', async () => {
    const found = await get('contracts/0.0.4001');
    expect(found).toMatchObject({
      bytecode: '0x6001',
      runtime_bytecode: '0x6002',
      evm_address: CONTRACT_ADDRESS,
      contract_id: '0.0.4001',
      created_timestamp: expect.stringMatching(/^\d+\.\d{9}$/),
      timestamp: { from: expect.any(String), to: null },
    });
    expect(await get(`contracts/${CONTRACT_ADDRESS}`)).toEqual(found);
  });

  test('network: nodes to their end, stake, fees by time and order, registered nodes', async () => {
    const { nodes, links } = (await get('network/nodes?limit=100')) as {
      readonly nodes: readonly Json[];
      readonly links: Json;
    };
    expect(links).toEqual({ next: null });
    expect(nodes).toHaveLength(4);
    expect(nodes[0]).toMatchObject({
      node_id: 0,
      public_key: expect.stringMatching(/^0x[0-9a-f]+$/),
      node_cert_hash: expect.stringMatching(/^0x[0-9a-f]+$/),
      service_endpoints: [{ domain_name: '', ip_address_v4: '127.0.0.1', port: 50211 }],
      stake: expect.any(Number),
      reward_rate_start: expect.any(Number),
      staking_period: { from: expect.any(String), to: expect.any(String) },
    });
    expect(await get('network/stake')).toHaveProperty('stake_total');
    const at = row(0).consensus_timestamp;
    const { fees } = (await get(`network/fees?timestamp=${at}`)) as { readonly fees: readonly Json[] };
    expect(fees.map((fee) => fee['transaction_type'])).toEqual([
      'ContractCall',
      'ContractCreate',
      'EthereumTransaction',
    ]);
    for (const { gas } of fees) expect(gas).toEqual(expect.any(Number));
    expect((await get(`network/fees?timestamp=${at}&order=desc`))['fees']).toEqual([...fees].reverse());
    expect(await get(`network/exchangerate?timestamp=${at}`)).toEqual(await get('network/exchangerate'));
    expect(await get('network/registered-nodes?limit=25')).toEqual({
      registered_nodes: [],
      links: { next: null },
    });
  });

  test('a fee estimate accepts the mode in upper case and an unsigned transaction', async () => {
    const body = transactionBytes({
      cryptoTransfer: {
        transfers: {
          accountAmounts: [
            { accountID: account(1001n), amount: -1n },
            { accountID: account(1002n), amount: 1n },
          ],
        },
      },
    });
    for (const query of ['mode=INTRINSIC', 'mode=STATE', 'mode=STATE&high_volume_throttle=5000']) {
      const answer = await send(`network/fees?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/protobuf' },
        body: new Uint8Array(body),
      });
      expect(answer.status, query).toBe(200);
      expect(await answer.json()).toHaveProperty('total');
    }
  });
});

/** @see contracts/client-needs.md sections 2 and 4.2 */
describe('what a browser on another origin needs', () => {
  test.each([
    'accounts/0.0.999999',
    'contracts/0.0.1001',
    'blocks/999',
    'schedules/0.0.5',
    'tokens/0.0.1001',
    'tokens/0.0.5/nfts/1',
    'topics/0.0.5',
    'topics/0.0.5/messages/1',
    `contracts/results/0x${'00'.repeat(32)}`,
  ])('%s is unknown: 404 that scripts may read', async (path) => {
    const answer = await send(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toEqual({ _status: { messages: [{ message: 'Not found' }] } });
  });

  test.each([
    'accounts/0.0.1001',
    'balances',
    'blocks',
    'blocks/0',
    'contracts/0.0.4001',
    'network/registered-nodes',
    'accounts/0.0.1001/allowances/nfts',
    'tokens',
    'topics/0.0.5/messages',
  ])('%s answers preflights, HEAD, a trailing slash and no other method', async (path) => {
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'content-type', 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,HEAD,PUT,PATCH,POST,DELETE');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    const head = await send(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(await get(`${path}/`)).toEqual(await get(path));
    expect((await send(path, { method: 'POST' })).status).toBe(404);
  });

  test('a page that asks forty things at once gets all of them', async () => {
    const paths = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? `transactions?limit=15&timestamp=lt:${row(index).consensus_timestamp}`
        : 'blocks?limit=1',
    );
    const answers = await Promise.all(paths.map((path) => send(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  });
});
