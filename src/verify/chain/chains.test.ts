import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { sharedPath } from '../../../test/shared-data.ts';
import { testShared } from '../../../test/support/shared-suites.ts';
import { ManualClock } from '../../values/clock.ts';
import { type Hex, toHex } from '../../values/hex.ts';
import { viewChains } from '../chain-view.ts';
import { ChainConfigError, parseChains } from './chain-config.ts';
import { createChainRegistry } from './chain-registry.ts';
import { ChainUnavailableError } from './contract-code-source.ts';
import type { Fetch } from './json-rpc-endpoint.ts';
import { creationFromCallFrames, creationFromTraces } from './transaction-traces.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as Hex;
const MADE = { address: ADDRESS, runtimeCode: Uint8Array.of(0x60, 0x01) } as const;
const HASH = `0x${'12'.repeat(32)}` as Hex;
const signal = new AbortController().signal;

describe('parseChains', () => {
  test('reads the short form that a local node needs', () => {
    const [chain] = parseChains('{"31337":{"rpc":["http://127.0.0.1:8545"]}}');
    expect(chain).toEqual({
      chainId: '31337',
      name: 'Local Development Network',
      title: null,
      rpc: [{ url: 'http://127.0.0.1:8545', headers: {} }],
      supported: true,
      showRpc: false,
      ledger: false,
      static: null,
    });
  });

  test('takes header values from the environment', () => {
    const text = JSON.stringify({
      '1': { rpc: [{ url: 'https://rpc.test', headers: { 'x-key': 'a $' + '{KEY}' } }] },
    });
    expect(parseChains(text, { KEY: 'secret' })[0]?.rpc[0]?.headers).toEqual({ 'x-key': 'a secret' });
    expect(() => parseChains(text)).toThrow('the environment variable KEY is not set');
  });

  test('sends credentials of an address as a header, and shows neither', () => {
    const chains = parseChains('{"7":{"rpc":["https://me:p%40ss@rpc.test/v1","http://open.test"]}}');
    expect(chains[0]?.rpc[0]).toEqual({
      url: 'https://rpc.test/v1',
      headers: { authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
    });
    expect(viewChains(chains)[0]).toMatchObject({ rpc: ['http://open.test'], supported: true });
  });

  test('shows no address whose name, path or query may hold a key, unless the operator says so', () => {
    const never = ['https://rpc.test/?apikey=1', { url: 'https://rpc.test', headers: { 'x-key': 'a' } }];
    const hidden = [
      'https://rpc.test/v1',
      'https://rpc.test/short',
      'https://mainnet.rpc.test/v3/9aa3d95b3bc440fa88ea12eaa4456161',
      'https://a1b2c3d4.rpc.test',
      'https://quiet-wandering-lake-of-the-north.rpc.test',
    ];
    const shown = [
      'https://rpc.test',
      'http://127.0.0.1:8545',
      'http://[::1]:8545',
      'http://localhost:7545/',
    ];
    const chain = { rpc: [...never, ...hidden, ...shown] };
    const view = (more: object) =>
      viewChains(parseChains(JSON.stringify({ '7': { ...chain, ...more } })))[0]?.rpc;
    expect(view({})).toEqual(shown);
    expect(view({ showRpc: false })).toEqual(shown);
    expect(view({ showRpc: true })).toEqual([...hidden, ...shown]);
  });

  test.each([
    ['{', 'VERIFY_CHAINS: the text:'],
    ['[]', 'must be an object keyed by chain id'],
    ['{"01":{"ledger":true}}', 'without leading zeros'],
    ['{"9007199254740992":{"ledger":true}}', 'must be at most 9007199254740991'],
    ['{"1":{}}', 'needs "rpc", "ledger" or "static"'],
    ['{"1":{"rpc":["ftp://x"]}}', '1/rpc: the address must begin with http://'],
    ['{"1":{"rpc":["http://a:%zz@x"]}}', 'a broken %-sequence'],
    [
      '{"1":{"rpc":[{"url":"http://a:b@x","headers":{"Authorization":"c"}}]}}',
      'either credentials in the url',
    ],
    ['{"1":{"rpc":[{"url":"http://x","headers":{"a b":"c"}}]}}', 'cannot be sent as an HTTP header'],
    ['{"1":{"rpc":[{"url":"http://x","timeoutMs":600001}]}}', 'VERIFY_CHAINS: 1/rpc'],
    ['{"1":{"rpc":[],"foo":1}}', 'VERIFY_CHAINS: 1/foo'],
    ['{"1":{"static":{"0x1":{"runtimeBytecode":"0x"}}}}', '0x and 40 hex digits'],
    [
      '{"1":{"rpc":[{"url":"http://x","trace":"foo"}]}}',
      'VERIFY_CHAINS: 1/rpc/0/trace: must be "trace_transaction" or "debug_traceTransaction"',
    ],
    ['{"1":{"rpc":[{"url":"http://x","header":{}}]}}', 'VERIFY_CHAINS: 1/rpc/0/header: Unexpected property'],
    ['{"1":{"rpc":[5]}}', 'VERIFY_CHAINS: 1/rpc/0: must be an address or an object with "url"'],
  ])('refuses %s', (text, message) => {
    expect(() => parseChains(text)).toThrow(ChainConfigError);
    expect(() => parseChains(text)).toThrow(message);
  });
});

describe('a chain behind JSON-RPC', () => {
  const contracts = new Map([[ADDRESS, { runtime: '0x6001', creation: '0x600160', transactionHash: HASH }]]);
  const sourceOf = (fetch: Fetch, searchesCreation = true) =>
    createChainRegistry(parseChains('{"31337":{"rpc":["http://chain.test"]}}'), {
      fetch,
      clock: new ManualClock(0),
      rpcTimeoutMs: 1000,
      searchesCreation,
      onWrongChain: () => {},
      ledgerSource: () => null,
    }).get('31337')?.source;

  test('finds the creation by search as well as by its hash', async () => {
    const source = sourceOf(mockChainFetch(contracts));
    const found = await source?.creation(MADE, null, signal);
    expect(found).toMatchObject({ transactionHash: HASH, blockNumber: 7n, transactionIndex: 1 });
    expect(await source?.creation(MADE, HASH, signal)).toEqual(found);
    expect(await source?.creation(MADE, `0x${'00'.repeat(32)}`, signal)).toBeNull();
    expect(await sourceOf(mockChainFetch(contracts), false)?.creation(MADE, null, signal)).toBeNull();
  });

  test.each<[string, Fetch]>([
    ['an HTTP error', async () => new Response('no', { status: 500 })],
    ['a page', async () => new Response('<html>')],
    ['a JSON-RPC error', async () => Response.json({ error: { code: 1, message: 'no' } })],
    ['no hex', async () => Response.json({ result: 'hello' })],
    ['a network error', async () => Promise.reject(new TypeError('fetch failed'))],
    ['an endless body', async () => new Response(endless())],
  ])('is unavailable when it answers with %s', async (_, fetch) => {
    await expect(sourceOf(fetch)?.runtimeCode(ADDRESS)).rejects.toThrow(ChainUnavailableError);
  });

  test.each([
    ['0x8000000000000000', '0x20000000000000', null, null],
    ['seven', {}, null, null],
    ['0x7fffffffffffffff', '0x1fffffffffffff', 9_223_372_036_854_775_807n, Number.MAX_SAFE_INTEGER],
  ])('keeps only numbers that can be stored: block %j, index %j', async (...example) => {
    const [blockNumber, transactionIndex, block, index] = example;
    const answers: Record<string, unknown> = {
      eth_getTransactionByHash: { input: '0x6001', from: 'nobody' },
      eth_getTransactionReceipt: { contractAddress: ADDRESS, blockNumber, transactionIndex },
    };
    const source = sourceOf(async (_url, init) =>
      Response.json({ result: answers[JSON.parse(String(init.body)).method] }),
    );
    expect(await source?.creation(MADE, HASH, signal)).toMatchObject({
      blockNumber: block,
      transactionIndex: index,
      deployer: null,
    });
  });

  test.each([
    ['a block that is not there', { eth_getBlockByNumber: null }],
    ['transactions without a hash', { eth_getBlockByNumber: { transactions: [{ to: null, hash: 7 }] } }],
  ])('finds no creation when the node answers with %s', async (_, lies: Record<string, unknown>) => {
    const answers: Record<string, unknown> = {
      eth_blockNumber: '0x1',
      eth_getBlockByNumber: { transactions: [{ to: null, hash: HASH }] },
      eth_getTransactionByHash: { input: '0x6001' },
      eth_getTransactionReceipt: { contractAddress: ADDRESS },
    };
    const sourceWith = (more: object) =>
      sourceOf(async (_url, init) => {
        const { method, params } = JSON.parse(String(init.body));
        const code = params[1] === '0x0' ? '0x' : '0x6001';
        return Response.json({
          result: method === 'eth_getCode' ? code : { ...answers, ...more }[method as never],
        });
      });
    expect(await sourceWith({})?.creation(MADE, null, signal)).not.toBeNull();
    expect(await sourceWith(lies)?.creation(MADE, null, signal)).toBeNull();
  });

  test('follows no redirect and names its time-out', async () => {
    let seen: RequestInit | undefined;
    await sourceOf(async (_url, init) => {
      seen = init;
      return Response.json({ result: String(init.body).includes('eth_chainId') ? '0x7a69' : '0x' });
    })?.runtimeCode(ADDRESS);
    expect(seen).toMatchObject({ redirect: 'error', signal: expect.any(AbortSignal) });
  });
});

describe('creation traces', () => {
  test('are read from both kinds, creations inside creations too', () => {
    const code = Uint8Array.from([0x60, 0x01]);
    const traces = [
      { type: 'call', action: {}, result: {} },
      {
        type: 'create',
        action: { init: '0x6001' },
        result: { address: ADDRESS.toUpperCase().replace('0X', '0x') },
      },
    ];
    expect(creationFromTraces(traces, MADE)?.creationCode).toEqual(code);
    const inner = { type: 'CREATE2', to: ADDRESS, input: '0x6001' };
    const frames = {
      type: 'CALL',
      to: '0x1',
      calls: [{ type: 'CREATE', to: '0x2', input: '0x', calls: [inner] }],
    };
    expect(creationFromCallFrames(frames, MADE)?.creationCode).toEqual(code);
    expect(creationFromCallFrames(inner, MADE)?.creationCode).toEqual(code);
    expect(creationFromTraces(null, MADE)).toBeNull();
    expect(creationFromCallFrames(null, MADE)).toBeNull();
  });

  test('know no creation in a call that was reverted (issue 13)', () => {
    const create = (input: string, more: object = {}) => ({ type: 'CREATE', to: ADDRESS, input, ...more });
    const reverted = { type: 'CALL', to: '0x1', error: 'execution reverted', calls: [create('0x6001')] };
    const failed = create('0x6003', { error: 'out of gas' });
    const frames = (calls: readonly object[]) => ({ type: 'CALL', to: '0x1', calls });
    const good = Uint8Array.from([0x60, 0x02]);
    expect(creationFromCallFrames(frames([reverted, failed, create('0x6002')]), MADE)?.creationCode).toEqual(
      good,
    );
    expect(creationFromCallFrames(frames([reverted, failed]), MADE)).toBeNull();
    expect(creationFromCallFrames({ ...frames([create('0x6002')]), error: 'x' }, MADE)).toBeNull();

    const item = (init: string, traceAddress: readonly number[], transactionHash: string) => ({
      type: 'create',
      traceAddress,
      transactionHash,
      action: { init },
      result: { address: ADDRESS },
    });
    const error = { type: 'call', traceAddress: [0], transactionHash: 'a', error: 'Reverted', action: {} };
    const traces = [error, item('0x6001', [0, 1, 0], 'a'), item('0x6002', [1], 'a')];
    expect(creationFromTraces(traces, MADE)?.creationCode).toEqual(good);
    expect(creationFromTraces(traces.slice(0, 2), MADE)).toBeNull();
    // In a block the same place of another transaction is another call.
    expect(creationFromTraces([error, item('0x6002', [0], 'b')], MADE)?.transactionHash).toBe('b');
  });

  testShared('tell two creations of one address apart', () => {
    const path = sharedPath('cases', 'verification-hostile', '4-reverted-create-frame.trace.json');
    const { frames, want } = JSON.parse(readFileSync(path, 'utf8'));
    const address = frames.calls[1].to;
    expect(
      toHex(creationFromCallFrames(frames, { ...MADE, address })?.creationCode ?? new Uint8Array()),
    ).toBe(want);
  });
});

describe('a static chain', () => {
  test('answers from the configuration', async () => {
    const chains = parseChains(
      JSON.stringify({
        '9': { static: { [ADDRESS]: { runtimeBytecode: '0x6001', creationBytecode: '0x6002' } } },
      }),
    );
    const parts = {
      fetch,
      clock: new ManualClock(0),
      rpcTimeoutMs: 1,
      searchesCreation: false,
      onWrongChain: () => {},
      ledgerSource: () => null,
    };
    const source = createChainRegistry(chains, parts).get('9')?.source;
    expect(await source?.runtimeCode(ADDRESS)).toEqual(Uint8Array.from([0x60, 0x01]));
    expect(await source?.creation(MADE, null, signal)).toMatchObject({
      transactionHash: null,
      deployer: null,
    });
    expect(await source?.creation(MADE, HASH, signal)).toBeNull();
  });
});

function endless(): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(1_048_576).fill(32);
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
}
