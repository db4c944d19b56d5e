import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../values/clock.ts';
import type { Hex } from '../../values/hex.ts';
import { createJsonRpcClient } from './json-rpc-client.ts';
import type { TraceMethod } from './json-rpc-endpoint.ts';
import { createRpcChain } from './rpc-chain.ts';

const FACTORY_MADE = `0x${'fa'.repeat(20)}` as Hex;
const hash = (digit: string) => `0x${digit.repeat(64)}` as Hex;
/** As the node below has it. */
const MADE = { address: FACTORY_MADE, runtimeCode: Uint8Array.of(0x60, 0x01) };
const [CALLER, OTHER] = [hash('a'), hash('b')];
const INIT = '0x6001600203';
const CREATED_IN = 5;

/** A block of two calls, the second of which lets a factory make a contract inside another creation. */
const traces = [
  { type: 'call', transactionHash: OTHER, action: {}, result: {} },
  { type: 'create', transactionHash: CALLER, action: { init: '0x00' }, result: { address: '0x1' } },
  { type: 'create', transactionHash: CALLER, action: { init: INIT }, result: { address: FACTORY_MADE } },
];
const frames = {
  type: 'CALL',
  to: '0x1',
  calls: [
    { type: 'CREATE', to: '0x2', input: '0x00', calls: [{ type: 'CREATE2', to: FACTORY_MADE, input: INIT }] },
  ],
};
const quiet = { type: 'CALL', to: '0x3' };

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

const node: Answers = {
  eth_blockNumber: () => '0x3e8',
  eth_getCode: ([, block]) => (Number(block) >= CREATED_IN ? '0x6001' : '0x'),
  eth_getBlockByNumber: () => ({
    transactions: [
      { hash: OTHER, to: '0x3' },
      { hash: CALLER, to: '0x1' },
    ],
  }),
  eth_getTransactionByHash: ([asked]) => (asked === CALLER ? { input: '0x12', from: FACTORY_MADE } : null),
  eth_getTransactionReceipt: ([asked]) =>
    asked === CALLER ? { contractAddress: null, blockNumber: '0x5', transactionIndex: '0x1' } : null,
};

function chainOf(trace: TraceMethod | null, more: Answers = {}) {
  const calls: string[] = [];
  const answers = { ...node, ...more };
  const endpoint = { url: 'http://node/', headers: {}, timeoutMs: 1000, trace };
  const rpc = createJsonRpcClient([endpoint], {
    clock: new ManualClock(0),
    chainId: '1',
    onWrongChain: () => {},
    fetch: async (_url, init) => {
      const { method, params } = JSON.parse(String(init.body));
      calls.push(method);
      const answer = answers[method];
      if (method === 'eth_chainId') return Response.json({ id: 1, result: '0x1' });
      if (answer === undefined) return Response.json({ id: 1, error: { message: `no ${method}` } });
      return Response.json({ id: 1, result: await answer(params) });
    },
  });
  return { source: createRpcChain(rpc, true), calls };
}

const never = new AbortController().signal;
const expected = {
  creationCode: Uint8Array.from([0x60, 0x01, 0x60, 0x02, 0x03]),
  transactionHash: CALLER,
  blockNumber: 5n,
  transactionIndex: 1,
  deployer: FACTORY_MADE,
  life: 'present',
};

/** The same traces of a node that prints other code for what is made at the address. */
function printed(answer: unknown): unknown {
  const text = JSON.stringify(answer);
  const at = `"${FACTORY_MADE}"`;
  return JSON.parse(
    text
      .replaceAll(`{"address":${at}}`, `{"address":${at},"code":"0x6005"}`)
      .replaceAll(`"to":${at}`, `"to":${at},"output":"0x6005"`),
  );
}

describe('the search for the creation of a contract that a contract made', () => {
  const byTransaction = {
    trace_transaction: ([asked]: readonly unknown[]) =>
      asked === CALLER ? traces.slice(1) : traces.slice(0, 1),
    debug_traceTransaction: ([asked]: readonly unknown[]) => (asked === CALLER ? frames : quiet),
  };

  test.each<[string, TraceMethod, Answers]>([
    ['trace_block', 'trace_transaction', { ...byTransaction, trace_block: () => traces }],
    [
      'debug_traceBlockByNumber with names',
      'debug_traceTransaction',
      {
        ...byTransaction,
        debug_traceBlockByNumber: () => [
          { txHash: CALLER, result: frames },
          { txHash: OTHER, result: quiet },
        ],
      },
    ],
    [
      'debug_traceBlockByNumber in the order of the block',
      'debug_traceTransaction',
      { ...byTransaction, debug_traceBlockByNumber: () => [{ result: quiet }, { result: frames }] },
    ],
    ['trace_transaction, when blocks are not traced', 'trace_transaction', byTransaction],
    ['debug_traceTransaction, when blocks are not traced', 'debug_traceTransaction', byTransaction],
  ])('succeeds with %s', async (_, trace, answers) => {
    expect(await chainOf(trace, answers).source.creation(MADE, null, never)).toEqual(expected);
    // The same transaction named by the client.
    expect(await chainOf(trace, answers).source.creation(MADE, CALLER, never)).toEqual(expected);
  });

  test('asks for few traces at the same time, which may be large', async () => {
    let open = 0;
    let most = 0;
    const hashes = Array.from({ length: 12 }, (_, index) => hash(index.toString(16)));
    const { source } = chainOf('trace_transaction', {
      eth_getBlockByNumber: () => ({ transactions: hashes.map((each) => ({ hash: each, to: '0x3' })) }),
      trace_transaction: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return [];
      },
    });
    expect(await source.creation(MADE, null, never)).toBeNull();
    expect(most).toBe(2);
  });

  test('passes over a creation that was reverted with its call (issue 13)', async () => {
    const reverted = { type: 'CALL', to: '0x1', error: 'execution reverted', calls: [frames] };
    const { source } = chainOf('debug_traceTransaction', {
      debug_traceBlockByNumber: () => [
        { txHash: OTHER, result: { type: 'CALL', to: '0x3', calls: [reverted] } },
        { txHash: CALLER, result: { type: 'CALL', to: '0x1', calls: [reverted, frames] } },
      ],
      debug_traceTransaction: () => ({ type: 'CALL', to: '0x1', calls: [reverted, frames] }),
    });
    expect(await source.creation(MADE, null, never)).toEqual(expected);
  });

  describe.each(['trace_transaction', 'debug_traceTransaction'] as const)(
    'of a contract that was destroyed and made anew within a block, with %s (issue 40)',
    (trace) => {
      const [FIRST, CLEARER, LAST] = [hash('1'), hash('2'), hash('3')];
      const lives = new Map([
        [FIRST, ['0x6003', '0x6009']],
        [LAST, [INIT, '0x6001']],
      ]);
      const itemsOf = (asked: unknown, tellsCode: boolean): readonly object[] => {
        const [init, code] = lives.get(asked as Hex) ?? [];
        const made = { address: FACTORY_MADE, ...(tellsCode ? { code } : {}) };
        return init === undefined
          ? [{ type: 'suicide', transactionHash: asked, action: { address: FACTORY_MADE } }]
          : [{ type: 'create', transactionHash: asked, action: { init }, result: made }];
      };
      const framesOf = (asked: unknown, tellsCode: boolean) => {
        const [input, output] = lives.get(asked as Hex) ?? [];
        const call = { type: 'CREATE2', to: FACTORY_MADE, input, ...(tellsCode ? { output } : {}) };
        return { type: 'CALL', to: '0x1', calls: input === undefined ? [] : [call] };
      };
      const nodeOf = (tracesBlocks: boolean, tellsCode = true) =>
        chainOf(trace, {
          eth_getBlockByNumber: () => ({
            transactions: [FIRST, CLEARER, LAST].map((each) => ({ hash: each, to: '0x1' })),
          }),
          eth_getTransactionByHash: () => ({ input: '0x12', from: FACTORY_MADE }),
          eth_getTransactionReceipt: () => ({
            contractAddress: null,
            blockNumber: '0x5',
            transactionIndex: '0x1',
          }),
          trace_transaction: ([asked]) => itemsOf(asked, tellsCode),
          debug_traceTransaction: ([asked]) => framesOf(asked, tellsCode),
          ...(tracesBlocks
            ? {
                trace_block: () => [FIRST, CLEARER, LAST].flatMap((each) => itemsOf(each, tellsCode)),
                // In no particular order, as they name their transactions.
                debug_traceBlockByNumber: () =>
                  [LAST, FIRST, CLEARER].map((each) => ({ txHash: each, result: framesOf(each, tellsCode) })),
              }
            : {}),
        }).source;

      test.each([
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ])('finds the last one, blocks traced: %s, code told: %s', async (tracesBlocks, tellsCode) => {
        expect(await nodeOf(tracesBlocks, tellsCode).creation(MADE, null, never)).toMatchObject({
          ...expected,
          transactionHash: LAST,
        });
      });

      test.each([
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ])('knows which one is named, blocks traced: %s, code told: %s', async (tracesBlocks, tellsCode) => {
        const node = nodeOf(tracesBlocks, tellsCode);
        expect(await node.creation(MADE, FIRST, never)).toMatchObject({ life: 'earlier' });
        expect(await node.creation(MADE, LAST, never)).toMatchObject({ life: 'present' });
      });
    },
  );

  test.each<[string, TraceMethod, Answers]>([
    ['a whole block', 'trace_transaction', { trace_block: () => printed(traces) }],
    ['single transactions', 'trace_transaction', {}],
    [
      'a whole block of frames',
      'debug_traceTransaction',
      {
        debug_traceBlockByNumber: () => [
          { txHash: OTHER, result: quiet },
          { txHash: CALLER, result: printed(frames) },
        ],
      },
    ],
    ['the frames of single transactions', 'debug_traceTransaction', {}],
  ])(
    'takes the only one of the block where the node prints other code for it, in %s (issue 40)',
    async (_, trace, answers) => {
      const { source } = chainOf(trace, {
        trace_transaction: (asked) => printed(byTransaction.trace_transaction(asked)),
        debug_traceTransaction: (asked) => printed(byTransaction.debug_traceTransaction(asked)),
        ...answers,
      });
      expect(await source.creation(MADE, null, never)).toEqual(expected);
      expect(await source.creation(MADE, CALLER, never)).toEqual(expected);
    },
  );

  test('takes none of two for which the node prints other code (issue 40)', async () => {
    for (const trace of ['trace_transaction', 'debug_traceTransaction'] as const) {
      const { source } = chainOf(trace, {
        trace_transaction: () => printed(byTransaction.trace_transaction([CALLER])),
        debug_traceTransaction: () => printed(byTransaction.debug_traceTransaction([CALLER])),
      });
      expect(await source.creation(MADE, null, never)).toBeNull();
      expect(await source.creation(MADE, CALLER, never)).toMatchObject({ life: 'earlier' });
    }
  });

  test.each<[string, TraceMethod, Answers]>([
    ['an item of a block', 'trace_transaction', { trace_block: () => printed(traces.slice(1)) }],
    [
      'a transaction',
      'trace_transaction',
      { trace_transaction: ([asked]) => (asked === CALLER ? printed(traces.slice(1)) : null) },
    ],
    [
      'the frames of an item',
      'debug_traceTransaction',
      {
        debug_traceBlockByNumber: () => [
          { txHash: CALLER, result: printed(frames) },
          { txHash: OTHER, error: 'execution timeout' },
        ],
      },
    ],
    [
      'the frames of a transaction',
      'debug_traceTransaction',
      { debug_traceTransaction: ([asked]) => (asked === CALLER ? printed(frames) : null) },
    ],
  ])(
    'takes no only one with other code where %s is missing: that may have made it again',
    async (_, trace, answers) => {
      const { source } = chainOf(trace, answers);
      expect(await source.creation(MADE, null, never)).toBeNull();
    },
  );

  test('finds nothing without traces', async () => {
    const { source, calls } = chainOf(null);
    expect(await source.creation(MADE, null, never)).toBeNull();
    expect(calls.filter((method) => method.includes('race'))).toEqual([]);
  });

  test.each([
    ['call', null, null],
    ['creation of another contract', null, `0x${'77'.repeat(20)}`],
    ['call of a node that has them in its configuration only', 'trace_transaction', null],
  ] as const)(
    'cannot tell from a named %s without traces whether it made the contract',
    async (_, trace, contractAddress) => {
      const { source } = chainOf(trace, {
        eth_getTransactionReceipt: () => ({ contractAddress, blockNumber: '0x5' }),
      });
      await expect(source.creation(MADE, CALLER, never)).rejects.toMatchObject({
        advice: expect.stringContaining('needs the traces of its transaction'),
      });
    },
  );

  test('finds nothing when the traces show another contract', async () => {
    const { source } = chainOf('trace_transaction', {
      trace_block: () => traces.slice(0, 2),
      trace_transaction: () => [],
    });
    expect(await source.creation(MADE, null, never)).toBeNull();
  });
});

describe('the search for a creation', () => {
  test('ends at the first question when the node has forgotten old states', async () => {
    const { source, calls } = chainOf(null, {
      eth_getCode: () => {
        throw new TypeError('socket closed');
      },
    });
    await expect(source.creation(MADE, null, never)).rejects.toThrow('eth_getCode has no answer');
    expect(calls.filter((method) => method === 'eth_getCode')).toHaveLength(1);
  });

  test('takes no failed transaction for the creation that its receipt names (issue 13)', async () => {
    const failed = { contractAddress: FACTORY_MADE, status: '0x0', blockNumber: '0x5' };
    const { source } = chainOf(null, {
      eth_getBlockByNumber: () => ({ transactions: [{ hash: CALLER, to: null }] }),
      eth_getTransactionReceipt: () => failed,
    });
    expect(await source.creation(MADE, null, never)).toBeNull();
    expect(await source.creation(MADE, CALLER, never)).toBeNull();
  });

  /** Created in block 3, destroyed in 700, and made anew with other code in 900. */
  const lives: Answers = {
    eth_getCode: ([, block]) => {
      const number = block === 'latest' ? 1000 : Number(block);
      return number < 3 || (number >= 700 && number < 900) ? '0x' : number < 700 ? '0x6002' : '0x6001';
    },
    eth_getBlockByNumber: ([block]) => ({
      transactions: [{ hash: Number(block) === 900 ? CALLER : OTHER, to: null }],
    }),
    eth_getTransactionByHash: () => ({ input: INIT, from: FACTORY_MADE }),
    eth_getTransactionReceipt: ([asked]) => ({
      contractAddress: FACTORY_MADE,
      blockNumber: asked === CALLER ? '0x384' : '0x3',
      transactionIndex: '0x1',
    }),
  };

  test('finds the creation of the present code, not of an earlier life of the address', async () => {
    const { source } = chainOf(null, lives);
    expect(await source.creation(MADE, null, never)).toMatchObject({
      transactionHash: CALLER,
      life: 'present',
    });
    expect(await source.creation(MADE, CALLER, never)).toMatchObject({ life: 'present' });
    expect(await source.creation(MADE, OTHER, never)).toMatchObject({ life: 'earlier' });
  });

  test('finds none for code that the node does not have', async () => {
    const other = { address: FACTORY_MADE, runtimeCode: Uint8Array.of(0x60, 0x03) };
    const { source, calls } = chainOf(null, lives);
    expect(await source.creation(other, null, never)).toBeNull();
    expect(calls).not.toContain('eth_getBlockByNumber');
  });

  test('leaves open what a node has forgotten', async () => {
    const { source } = chainOf(null, {
      ...lives,
      eth_getCode: () => Promise.reject(new TypeError('closed')),
    });
    expect(await source.creation(MADE, CALLER, never)).toMatchObject({ life: 'unknown' });
  });

  test('knows that a contract of the genesis block has no transaction', async () => {
    const { source, calls } = chainOf('trace_transaction', { eth_getCode: () => '0x6001' });
    expect(await source.creation(MADE, null, never)).toBeNull();
    expect(calls).not.toContain('eth_getBlockByNumber');
  });

  test('stops when its time is over', async () => {
    const limit = new AbortController();
    const { source, calls } = chainOf(null, {
      eth_getCode: () => {
        limit.abort();
        return '0x';
      },
    });
    await expect(source.creation(MADE, null, limit.signal)).rejects.toThrow(/aborted/);
    expect(calls.filter((method) => method === 'eth_getCode')).toHaveLength(1);
  });
});
