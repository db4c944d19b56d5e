import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockFileName } from '../../src/mirror/ingest/block/block-source.ts';
import { groupBy } from '../../src/values/group-by.ts';
import { writeBlocks, writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { parseBigintJson } from '../kit/mirror/bigint-json.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the relay reads of each answer, in the form that it takes. @see contracts/mirror-contracts.md section 10 */
const text = Type.String();
const integer = Type.BigInt();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const bytes = Type.String({ pattern: '^0x([0-9a-f]{2})*$' });
const some = Type.String({ pattern: '^0x([0-9a-f]{2})+$' });
const quantity = Type.String({ pattern: '^0x[0-9a-f]*$' });
const address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const word = Type.String({ pattern: '^0x[0-9a-f]{64}$' });
const blockHash = Type.String({ pattern: '^0x[0-9a-f]{96}$' });
const time = Type.String({ pattern: '^\\d+\\.\\d{9}$' });
const id = Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' });
const object = (members: TProperties) => Type.Object(members);
const links = object({ next: orNull(Type.String({ pattern: '^/api/v1/' })) });

const block = object({
  count: integer,
  gas_used: integer,
  hapi_version: text,
  hash: blockHash,
  logs_bloom: Type.String({ pattern: '^0x([0-9a-f]{512})?$' }),
  name: text,
  number: integer,
  previous_hash: blockHash,
  size: integer,
  timestamp: object({ from: time, to: time }),
});
const result = object({
  access_list: Type.Array(object({ address, storage_keys: Type.Array(word) })),
  address: orNull(address),
  amount: orNull(integer),
  block_gas_used: integer,
  block_hash: blockHash,
  block_number: integer,
  bloom: bytes,
  call_result: bytes,
  chain_id: quantity,
  contract_id: orNull(id),
  created_contract_ids: Type.Array(id),
  error_message: orNull(text),
  // Used without a look whether it is there.
  from: address,
  function_parameters: bytes,
  gas_limit: integer,
  gas_price: orNull(quantity),
  gas_used: orNull(integer),
  hash: word,
  max_fee_per_gas: orNull(quantity),
  max_priority_fee_per_gas: orNull(quantity),
  nonce: orNull(integer),
  r: orNull(bytes),
  result: text,
  s: orNull(bytes),
  status: Type.Union([Type.Literal('0x0'), Type.Literal('0x1')]),
  timestamp: time,
  to: orNull(address),
  transaction_index: integer,
  type: integer,
  v: orNull(integer),
});
const log = object({
  address,
  block_hash: blockHash,
  block_number: integer,
  data: bytes,
  index: integer,
  timestamp: time,
  topics: Type.Array(word, { maxItems: 4 }),
  transaction_hash: word,
  transaction_index: integer,
});
const single = Type.Intersect([
  result,
  object({
    logs: Type.Array(object({ address, data: bytes, index: integer, topics: Type.Array(word) })),
  }),
]);
const listOf = (name: string, row: TSchema) => object({ [name]: Type.Array(row), links });

let folder = '';
let server: TestServer;
/** As the relay asks: integers exact, nothing but 2xx and 404. */
const get = async (path: string): Promise<Json | null> => {
  const answer = await fetch(`${server.url}/api/v1/${path}`);
  if (answer.status === 404) return null;
  expect([path, answer.status]).toEqual([path, answer.status === 206 ? 206 : 200]);
  return parseBigintJson(await answer.text()) as Json;
};
const read = async (path: string, shape: TSchema): Promise<Json> => {
  const body = await get(path);
  const wrong = Value.Errors(shape, body).First();
  expect([path, wrong?.path, wrong?.message, wrong?.value]).toEqual([path, undefined, undefined, undefined]);
  return body ?? {};
};
const rows = (body: Json, name: string) => body[name] as readonly Json[];
const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.filter((_, index) => index % Math.max(1, Math.floor(all.length / most)) === 0);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-relay-'));
  await writeStream(writeIntoFolder(folder), {
    seed: 'relay',
    files: 40,
    transactionsPerFile: 60,
    nodes: 1,
    accounts: 40,
    keyBits: 1024,
  });
  server = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
  const [report] = await server.services.imports.run([folder]);
  expect(report).toMatchObject({ refused: [] });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** All results of the ledger, as the relay pages them. */
async function allResults(): Promise<readonly Json[]> {
  const all: Json[] = [];
  for (let next: string | null = 'contracts/results?limit=100&order=asc'; next !== null; ) {
    const body = await read(next, listOf('results', result));
    all.push(...rows(body, 'results'));
    const link: string | null = (body['links'] as { readonly next: string | null }).next;
    next = link === null ? null : link.slice('/api/v1/'.length);
  }
  return all;
}

describe('the mirror client of the JSON-RPC relay', () => {
  test('reads blocks by number, hash, time, and the newest one', async () => {
    const [newest] = rows(await read('blocks?limit=1&order=desc', listOf('blocks', block)), 'blocks');
    if (newest === undefined) throw new Error('the ledger has no block');
    await read(`blocks/${newest['number']}`, block);
    await read(`blocks/${newest['hash']}`, block);
    const { from, to } = newest['timestamp'] as Json;
    await read(`blocks?timestamp=gte:${from}&timestamp=lte:${to}`, listOf('blocks', block));
    await read(`blocks?block.number=gte:1&block.number=lte:3`, listOf('blocks', block));
    expect(await get('blocks/99999999')).toBeNull();
  });

  test('reads results of a block, of a sender, and all of them', async () => {
    const all = await allResults();
    expect(all.length).toBeGreaterThan(50);
    expect(new Set(all.map((each) => each['type']))).toContain(2n);
    const times = all.map((each) => String(each['timestamp']));
    expect(times).toEqual([...times].sort());
    for (const each of spread(all, 10)) {
      const [number, hash, index] = [each['block_number'], each['block_hash'], each['transaction_index']];
      const ofBlock = rows(
        await read(`contracts/results?block.number=${number}&limit=100`, listOf('results', result)),
        'results',
      );
      expect(ofBlock).toEqual(all.filter((other) => other['block_number'] === number).reverse());
      const one = await read(
        `contracts/results?block.hash=${hash}&transaction.index=${index}`,
        listOf('results', result),
      );
      expect(rows(one, 'results')).toEqual([each]);
      const { from, to } = (await read(`blocks/${number}`, block))['timestamp'] as Json;
      const within = `timestamp=gte:${from}&timestamp=lte:${to}&limit=100&order=asc&internal=true`;
      await read(`contracts/results?${within}`, listOf('results', result));
      await read(`contracts/results?from=${each['from']}&limit=100`, listOf('results', result));
    }
  });

  test('reads one result by hash, and by contract and time', async () => {
    for (const each of spread(await allResults(), 40)) {
      const byHash = await read(`contracts/results/${each['hash']}`, single);
      expect(byHash).toMatchObject({ hash: each['hash'], timestamp: each['timestamp'] });
      await get(`contracts/results/${each['hash']}/actions?limit=100&order=asc`);
      if (each['contract_id'] === null) continue;
      const contract = String(each['contract_id']);
      await read(`contracts/${contract}/results/${each['timestamp']}`, single);
      const before = `timestamp=lte:${each['timestamp']}&limit=1&order=desc`;
      const list = rows((await get(`contracts/${contract}/results?${before}`)) ?? {}, 'results');
      expect(list[0]).toMatchObject({ timestamp: each['timestamp'] });
    }
    expect(await get(`contracts/results/0x${'ab'.repeat(32)}`)).toBeNull();
  });

  test('reads logs of a block, of an address and of topics, none of them without its block', async () => {
    const logs: Json[] = [];
    for (const { number, timestamp } of rows(
      await read('blocks?limit=100&order=asc', listOf('blocks', block)),
      'blocks',
    )) {
      const { from, to } = timestamp as Json;
      const range = `timestamp=gte:${from}&timestamp=lte:${to}&limit=100&order=asc`;
      const ofBlock = rows(await read(`contracts/results/logs?${range}`, listOf('logs', log)), 'logs');
      expect(ofBlock.every((each) => each['block_number'] === number)).toBe(true);
      logs.push(...ofBlock);
      const [first] = ofBlock;
      if (first === undefined) continue;
      const ofAddress = rows(
        await read(`contracts/${first['address']}/results/logs?${range}`, listOf('logs', log)),
        'logs',
      );
      expect(ofAddress).toEqual(ofBlock.filter((each) => each['address'] === first['address']));
      const [topic] = first['topics'] as readonly string[];
      if (topic === undefined) continue;
      const ofTopic = rows(
        await read(`contracts/results/logs?${range}&topic0=${topic}`, listOf('logs', log)),
        'logs',
      );
      expect(ofTopic).toEqual(ofBlock.filter((each) => (each['topics'] as readonly string[])[0] === topic));
      const byHash = rows(
        await read(
          `contracts/results/logs?order=asc&transaction.hash=${first['transaction_hash']}`,
          listOf('logs', log),
        ),
        'logs',
      );
      const hash = first['transaction_hash'];
      expect(byHash).toEqual(
        ofBlock.filter(
          (each) => each['transaction_hash'] === hash && each['timestamp'] === first['timestamp'],
        ),
      );
    }
    expect(logs.length).toBeGreaterThan(100);
  });

  test('reads contracts, storage, accounts, fees and rates', async () => {
    const contracts = rows((await get('contracts?limit=25')) ?? {}, 'contracts');
    expect(contracts.length).toBeGreaterThan(0);
    const contract = object({
      contract_id: id,
      evm_address: address,
      runtime_bytecode: bytes,
      created_timestamp: orNull(time),
      nonce: orNull(integer),
    });
    const state = listOf(
      'state',
      object({ address: text, contract_id: id, slot: word, timestamp: time, value: word }),
    );
    for (const { evm_address: at } of contracts) {
      await read(`contracts/${at}`, contract);
      await read(`contracts/${at}/state?slot=0x0&limit=100&order=desc`, state);
      await read(`contracts/${at}/state?timestamp=1700000001.000000000&limit=100&order=desc`, state);
    }
    expect(await get(`contracts/0x${'ab'.repeat(20)}`)).toBeNull();
    const account = object({
      account: id,
      evm_address: orNull(some),
      alias: orNull(text),
      balance: object({ balance: orNull(integer) }),
      ethereum_nonce: orNull(integer),
      links,
    });
    await read('accounts/0.0.1001?transactions=false', account);
  });

  test('is told that contracts cannot be called here', async () => {
    const answer = await fetch(`${server.url}/api/v1/contracts/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":"0x","to":"0x0000000000000000000000000000000000000167","estimate":false}',
    });
    expect(answer.status).toBe(501);
    expect(await answer.json()).toMatchObject({ _status: { messages: [{ message: 'Not implemented' }] } });
  });
});

/** The relay prints indices and gas as they are: a block must tell each once. @see contracts/streams.md section 11 */
describe('the relay over blocks whose times step back and overlap', () => {
  const BLOCKS = 60;
  let odd: TestServer;
  beforeAll(async () => {
    const path = join(folder, 'odd');
    const write = writeIntoFolder(path);
    const options = { files: BLOCKS, transactionsPerFile: 25, nodes: 1, keyBits: 1024, stepsBack: true };
    const { blocks, book } = writeBlocks({ ...options, seed: 'relay', mix: 'contracts', nativeFrom: 20 });
    await write('address_book.bin', book);
    for (const { bytes, number } of blocks) await write(blockFileName(number), bytes);
    odd = await startTestServer({
      env: { MIRROR_DIALECT: 'hiero', VERIFY_CHAINS: '{"298":{"ledger":true}}' },
    });
    const [report] = await odd.services.imports.run([path]);
    expect(report).toMatchObject({ units: BLOCKS, refused: [] });
  }, 120_000);
  afterAll(() => odd?.close());
  const at = async (path: string): Promise<Json> => {
    const answer = await fetch(`${odd.url}/api/v1/${path}`);
    expect([path, answer.status === 206 ? 200 : answer.status]).toEqual([path, 200]);
    return parseBigintJson(await answer.text()) as Json;
  };
  const walk = async (path: string, name: string): Promise<readonly Json[]> => {
    const all: Json[] = [];
    for (let next: string | null = path; next !== null; ) {
      const body: Json = await at(next);
      all.push(...rows(body, name));
      next = (body['links'] as { readonly next: string | null }).next?.slice('/api/v1/'.length) ?? null;
    }
    return all;
  };
  const once = (keys: readonly unknown[]) => expect(new Set(keys.map(String)).size).toBe(keys.length);

  test('finds blocks by number and hash, their results, receipts and logs, each with an index of its own', async () => {
    const logs = await walk('contracts/results/logs?limit=100&order=asc', 'logs');
    const results = await walk('contracts/results?limit=100&order=asc&internal=true', 'results');
    let [foreign, total] = [0, 0n];
    for (const each of await walk('blocks?limit=100&order=asc', 'blocks')) {
      const { gas_used: gas, hash, number, timestamp } = each;
      expect(await at(`blocks/${number}`)).toEqual(each);
      expect(await at(`blocks/${hash}`)).toEqual(each);
      const ofBlock = await walk(`contracts/results?block.number=${number}&limit=100&order=asc`, 'results');
      const isOwn = (row: Json) => row['block_number'] === number;
      expect(await walk(`contracts/results?block.hash=${hash}&limit=100&order=asc`, 'results')).toEqual(
        ofBlock,
      );
      expect(ofBlock.every((row) => isOwn(row) && row['block_hash'] === hash)).toBe(true);
      once(ofBlock.map((row) => row['transaction_index']));
      expect(ofBlock.every((row) => row['block_gas_used'] === gas)).toBe(true);
      // Receipts of a block add up what its transactions used, up to what the block tells.
      expect(ofBlock.reduce((sum, row) => sum + BigInt(String(row['gas_used'] ?? 0)), 0n)).toBe(gas);
      total += BigInt(String(gas));
      for (const row of spread(ofBlock, 2)) {
        const receipt = await at(`contracts/results/${row['hash']}`);
        expect(receipt).toMatchObject({ block_number: number, transaction_index: row['transaction_index'] });
        const own = await walk(`contracts/results/logs?transaction.hash=${row['hash']}&order=asc`, 'logs');
        expect(rows(receipt, 'logs').map((log) => log['index'])).toEqual(own.map((log) => log['index']));
      }
      const { from, to } = timestamp as Json;
      const range = `timestamp=gte:${from}&timestamp=lte:${to}&limit=100&order=asc`;
      const between = await walk(`contracts/results/logs?${range}`, 'logs');
      const ofLogs = logs.filter(isOwn);
      expect(between.filter(isOwn)).toEqual(ofLogs);
      foreign += between.length - ofLogs.length;
      const indices = ofLogs.map((log) => Number(log['index'])).sort((one, other) => one - other);
      expect(indices).toEqual(indices.map((_, index) => index));
    }
    expect(foreign).toBeGreaterThan(0);
    expect(total).toBeGreaterThan(0n);
    expect(results.length).toBeGreaterThan(BLOCKS);
    expect(logs.length).toBeGreaterThan(BLOCKS);
  });

  test('answers getLogs by block and index, page after page and for any blocks', async () => {
    const logs = await walk('contracts/results/logs?limit=100&order=asc', 'logs');
    const [own = []] = [...groupBy(logs, (log) => log['address']).values()].sort(
      (one, other) => other.length - one.length,
    );
    const place = (log: Json) => [Number(log['block_number']), Number(log['index'])] as const;
    const expected = own.map(place).sort(([a, b], [c, d]) => a - c || b - d);
    const query = `${odd.url}/api/298?module=logs&action=getLogs&address=${own[0]?.['address']}`;
    const asked = async (more: string) => {
      const answer = (await (await fetch(query + more)).json()) as { readonly result: readonly Json[] };
      return answer.result.map((log) => [Number(log['blockNumber']), Number(log['logIndex'])]);
    };
    const pages: (readonly number[])[] = [];
    for (let page = 1; pages.length < expected.length; page++) {
      const found = await asked(`&page=${page}&offset=7`);
      expect(found.length).toBeGreaterThan(0);
      pages.push(...found);
    }
    expect(pages).toEqual(expected);
    for (let block = 0; block < BLOCKS; block++) {
      const range = `&fromBlock=${block}&toBlock=${block + 1}`;
      expect(await asked(range)).toEqual(
        expected.filter(([number]) => number === block || number === block + 1),
      );
    }
  });
});
