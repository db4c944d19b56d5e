import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { readWholeDocument } from '../support/openapi-document.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The greatest of 64 bits, the next one, the last time that can be written, more than 64 bits, an address of nobody. */
const FAR = [
  '9223372036.854775807',
  '9223372036.854775808',
  '9999999999.999999999',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  `0x${'f'.repeat(40)}`,
];
const OPERATORS = ['', 'lte:', 'gte:'];
const TOPICS = 'transactions?transactiontype=consensuscreatetopic&result=success&limit=1';

let folder = '';
let server: TestServer;
/** Of each path parameter one that leads to something. */
let known: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-far-'));
  await writeStream(writeIntoFolder(folder), {
    seed: 'far',
    mix: 'everything',
    files: 4,
    transactionsPerFile: 60,
    nodes: 1,
    accounts: 20,
    keyBits: 1024,
  });
  server = await startTestServer({});
  expect((await server.services.imports.run([folder]))[0]).toMatchObject({ refused: [] });
  const first = async (path: string, list: string) => {
    const answer = await server.app.inject(`/api/v1/${path}`);
    return (JSON.parse(answer.body)[list] as readonly Readonly<Record<string, string>>[])[0] ?? {};
  };
  const result = await first('contracts/results?limit=1', 'results');
  known = {
    idOrHash: String((await first('transactions?limit=1', 'transactions'))['transaction_id']),
    idOrAliasOrEvmAddress: '0.0.1001',
    tokenId: String((await first('tokens?type=NON_FUNGIBLE_UNIQUE&limit=1', 'tokens'))['token_id']),
    serialNumber: '1',
    hashOrNumber: '0',
    hookId: '1',
    scheduleId: String((await first('schedules?limit=1', 'schedules'))['schedule_id']),
    topicId: String((await first(TOPICS, 'transactions'))['entity_id']),
    sequenceNumber: '1',
    timestamp: String(result['timestamp']),
    contractIdOrAddress: String((await first('contracts?limit=1', 'contracts'))['contract_id']),
    transactionIdOrHash: String(result['hash']),
  };
  expect(Object.values(known)).not.toContain('undefined');
}, 60_000);
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function faultsOf(targets: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const target of targets) {
    const { body, statusCode } = await server.app.inject(target);
    if (![200, 206, 400, 404].includes(statusCode)) faults.push(`${statusCode} ${target} ${body}`);
  }
  return faults;
}

test('a value that no ledger has is refused, or meets nothing or everything: in each parameter of the mirror', {
  timeout: 120_000,
}, async () => {
  const targets = Object.entries(readWholeDocument('all').paths).flatMap(([template, { get }]) => {
    if (get === undefined || !template.startsWith('/api/v1/')) return [];
    const pathWith = (name: string, value: string) =>
      template.replace(/\{(\w+)\}/g, (_, each: string) => (each === name ? value : (known[each] ?? each)));
    return (get.parameters ?? []).flatMap((parameter) =>
      parameter.in === 'path'
        ? FAR.map((value) => pathWith(parameter.name, value))
        : OPERATORS.flatMap((operator) =>
            FAR.map((value) => `${pathWith('', '')}?${parameter.name}=${operator}${value}`),
          ),
    );
  });
  expect(targets.length).toBeGreaterThan(2000);
  expect(await faultsOf(targets)).toEqual([]);
});

test('so are several together, and the starts of transactions', async () => {
  const { contractIdOrAddress: contract, transactionIdOrHash: hash } = known;
  const lists = ['contracts/results/logs', `contracts/${contract}/results/logs`, 'contracts/results'];
  const logs = [
    'timestamp=lte:9223372036.854775808&index=lt:1',
    'timestamp=gte:9223372036&timestamp=lt:9223372100&topic0=1',
    'timestamp=9999999999&topic0=1',
    'timestamp=gte:9999999999&timestamp=lte:9999999999&index=1',
  ];
  const hashes = ['', 'lt:', 'gt:'].map((operator) => `timestamp=${operator}9999999999.999999999`);
  const starts = ['9223372036-854775807', '9223370000-000000000', '9999999999-999999999'];
  const paths = [
    ...lists.flatMap((list) => logs.map((query) => `${list}?${query}`)),
    ...hashes.map((query) => `contracts/results/logs?transaction.hash=${hash}&${query}`),
    ...['from=0.0.1001', 'block.number=1'].map(
      (query) => `contracts/results?${query}&timestamp=9999999999.999999999`,
    ),
    ...starts.flatMap((start) => [
      `contracts/results/0.0.1001-${start}`,
      `contracts/results/0.0.1001-${start}/actions`,
      `transactions/0.0.1001-${start}`,
    ]),
  ];
  expect(await faultsOf(paths.map((path) => `/api/v1/${path}`))).toEqual([]);
});

test('all times lie below a far one', async () => {
  for (const list of ['results', 'logs']) {
    const path = `/api/v1/contracts/results${list === 'logs' ? '/logs' : ''}`;
    const all = await server.app.inject(path);
    const below = await server.app.inject(`${path}?timestamp=lt:9999999999`);
    expect(JSON.parse(all.body)[list].length).toBeGreaterThan(0);
    expect(JSON.parse(below.body)[list]).toEqual(JSON.parse(all.body)[list]);
  }
});
