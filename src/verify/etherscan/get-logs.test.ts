import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ChainHistory,
  historyChainFetch,
  historyChains,
} from '../../../test/kit/verify/history-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import type { Fetch } from '../chain/json-rpc-endpoint.ts';

const ONE = `0x${'a1'.repeat(20)}`;
const OTHER = `0x${'b2'.repeat(20)}`;
const word = (digit: string) => `0x${digit.repeat(64)}`;
const log = (address: string, block: number, index: number, ...topics: readonly string[]) => ({
  address,
  topics: topics.map(word),
  data: '0x01',
  blockNumber: `0x${block.toString(16)}`,
  blockHash: word('9'),
  logIndex: `0x${index.toString(16)}`,
  transactionHash: `0x${`${block}`.padStart(64, '0')}`,
  transactionIndex: '0x0',
  removed: false,
});
const HISTORY: ChainHistory = {
  head: 1_000_000,
  contracts: {},
  logs: [
    log(ONE, 10, 1, '1', '2'),
    log(OTHER, 10, 0, '1', '3'),
    { ...log(ONE, 10, 2, '1'), removed: true },
    log(ONE, 20, 0, '4', '2', '5', '6'),
    log(ONE, 999_999, 0, '1', '7'),
  ],
};

interface Call {
  readonly method: string;
  readonly params: readonly { readonly fromBlock: string; readonly toBlock: string }[];
}

let served: ServedArea;
/** What the node answers in place of the history; undefined leaves it to that. */
let instead: (call: Call) => object | undefined | Promise<object> = () => undefined;
const calls: Call[] = [];

const answer = historyChainFetch(HISTORY);
const fetch: Fetch = async (url, init) => {
  const call = JSON.parse(String(init.body)) as Call & { readonly id: number };
  calls.push(call);
  const special = await instead(call);
  return special === undefined
    ? answer(url, init)
    : Response.json({ jsonrpc: '2.0', id: call.id, ...special });
};

beforeAll(async () => {
  const chains = { ...JSON.parse(historyChains(HISTORY)), 5: { static: {} } };
  served = await serveArea({ chainsJson: JSON.stringify(chains), fetch });
});
afterAll(() => served.close());
afterEach(() => {
  instead = () => undefined;
  calls.length = 0;
});

interface Answer {
  readonly status: string;
  readonly message: string;
  readonly result: string | readonly Readonly<Record<string, unknown>>[];
}

async function ask(
  parameters: Readonly<Record<string, string>>,
  { method = 'GET', from = '10.0.0.1' }: { readonly method?: 'GET' | 'POST'; readonly from?: string } = {},
) {
  const query = new URLSearchParams({
    chainid: '31337',
    module: 'logs',
    action: 'getLogs',
    ...parameters,
  }).toString();
  const response = await served.app.inject(
    method === 'GET'
      ? { url: `/api?${query}`, remoteAddress: from }
      : {
          method,
          url: '/api',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: query,
        },
  );
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Answer>();
}

const placesOf = ({ result }: Answer) =>
  typeof result === 'string'
    ? result
    : result.map(({ blockNumber, logIndex }) => `${Number(blockNumber)}/${Number(logIndex)}`);

/** @see contracts/verification-api.md section 7.4 */
describe('getLogs', () => {
  test('all of a log, with what its block and transaction tell', async () => {
    instead = ({ method }) =>
      method === 'eth_getTransactionReceipt'
        ? { result: { gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00' } }
        : undefined;
    const found = await ask({ address: ONE.toUpperCase().replace('X', 'x'), toBlock: '10' });
    expect(found).toEqual({
      status: '1',
      message: 'OK',
      result: [
        {
          address: ONE,
          topics: [word('1'), word('2')],
          data: '0x01',
          blockNumber: '0xa',
          blockHash: word('9'),
          timeStamp: `0x${(1_700_000_120).toString(16)}`,
          gasPrice: '0x3b9aca00',
          gasUsed: '0x5208',
          logIndex: '0x1',
          transactionHash: `0x${'10'.padStart(64, '0')}`,
          transactionIndex: '0x0',
        },
      ],
    });
    expect(await ask({ address: ONE, toBlock: '10' }, { method: 'POST' })).toEqual(found);
  });

  test.each<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ address: ONE }, ['10/1', '20/0', '999999/0']],
    [{ topic0: word('1') }, ['10/0', '10/1', '999999/0']],
    [{ topic0: word('1'), topic1: word('2') }, ['10/1']],
    [{ topic0: word('1'), topic1: word('2'), topic0_1_opr: 'AND' }, ['10/1']],
    [{ topic0: word('1'), topic1: word('2'), topic0_1_opr: 'or' }, ['10/0', '10/1', '20/0', '999999/0']],
    [{ address: OTHER, topic0: word('4'), topic1: word('3'), topic0_1_opr: 'or' }, ['10/0']],
    [{ topic0: word('4'), topic1: word('3'), topic2: word('5'), topic0_1_opr: 'or' }, ['20/0']],
    [
      { topic0: word('4'), topic1: word('3'), topic3: word('6'), topic0_1_opr: 'or', topic1_3_opr: 'or' },
      ['10/0', '20/0'],
    ],
    [{ address: ONE, fromBlock: '0xa', toBlock: '0x14' }, ['10/1', '20/0']],
    [{ address: ONE, fromBlock: 'earliest', toBlock: 'pending' }, ['10/1', '20/0', '999999/0']],
    [{ address: ONE, page: '2', offset: '1' }, ['20/0']],
    [{ address: ONE, page: '1', offset: '2' }, ['10/1', '20/0']],
  ])('%j', async (parameters, places) => {
    expect(placesOf(await ask(parameters))).toEqual(places);
  });

  test.each<[Readonly<Record<string, string>>]>([
    [{ address: `0x${'c'.repeat(40)}` }],
    [{ address: ONE, fromBlock: 'latest' }],
    [{ address: ONE, fromBlock: '2000000' }],
    [{ address: ONE, page: '4', offset: '1' }],
  ])('%j finds nothing, which is a list', async (parameters) => {
    expect(await ask(parameters)).toEqual({ status: '0', message: 'No records found', result: [] });
  });

  test.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ address: 'x' }, /^Error! Invalid address format/],
    [{}, /^Error! Missing address/],
    [{ address: ONE, fromBlock: 'soon' }, /^Error! fromBlock must be a block number/],
    [{ address: ONE, toBlock: '-1' }, /^Error! toBlock must be/],
    [{ address: ONE, fromBlock: '3', toBlock: '2' }, /^Error! fromBlock must not be after toBlock/],
    [{ topic0: '0x12' }, /^Error! topic0 must be/],
    [{ topic0: word('1'), topic0_1_opr: 'xor' }, /^Error! topic0_1_opr must be and or or/],
    [{ topic0: word('1'), topic0_1_opr: 'or' }, /^Error! topic0_1_opr needs both/],
    [{ address: ONE, page: '0' }, /^Error! page must be/],
    [{ address: ONE, offset: '1001' }, /^Error! offset must be/],
    [{ address: ONE, page: '11' }, /^Error! page times offset/],
    [{ address: ONE, chainid: '777' }, /^Error! Chain 777 not found/],
    [{ address: ONE, chainid: '5' }, /^Error! Chain 5 has no node/],
  ])('%j is refused', async (parameters, text) => {
    expect(await ask(parameters)).toMatchObject({
      status: '0',
      message: 'NOTOK',
      result: expect.stringMatching(text),
    });
  });
});

test('leaves the nodes of a chain to others: four at the same time, two of them of one client (issues 40, 41)', async () => {
  let resolve: (answer: object) => void = () => {};
  const open = new Promise<object>((set) => {
    resolve = set;
  });
  instead = ({ method }) => (method === 'eth_blockNumber' ? open : undefined);
  const running = () => calls.filter(({ method }) => method === 'eth_blockNumber').length;
  const refused = {
    status: '0',
    message: 'NOTOK',
    result: expect.stringMatching(/^Error! Too many requests for logs of this chain/),
    customCode: 'chain_unavailable',
  };
  const first = [1, 2].map(() => ask({ address: ONE }));
  await expect.poll(running).toBe(2);
  expect(await ask({ address: ONE })).toMatchObject(refused);
  first.push(...['10.0.0.2', '10.0.0.3'].map((from) => ask({ address: ONE }, { from })));
  await expect.poll(running).toBe(4);
  expect(await ask({ address: ONE }, { from: '10.0.0.4' })).toMatchObject(refused);
  resolve({ result: '0xf4240' });
  for (const found of await Promise.all(first)) expect(found.status).toBe('1');
  expect((await ask({ address: ONE })).status).toBe('1');
});

describe('a node that refuses a range', () => {
  const refusing = (blocks: number) => (call: Call) => {
    if (call.method !== 'eth_getLogs') return undefined;
    const [{ fromBlock, toBlock } = { fromBlock: '', toBlock: '' }] = call.params;
    const isWide = Number(toBlock) - Number(fromBlock) >= blocks;
    return isWide ? { error: { code: -32005, message: 'block range too large' } } : undefined;
  };
  const searches = () => calls.filter(({ method }) => method === 'eth_getLogs').length;

  test('gets halves of it, in order, and no more than the page needs', async () => {
    instead = refusing(300_000);
    expect(placesOf(await ask({ address: ONE }))).toEqual(['10/1', '20/0', '999999/0']);
    expect(searches()).toBe(7);
    calls.length = 0;
    expect(placesOf(await ask({ address: ONE, offset: '2' }))).toEqual(['10/1', '20/0']);
    expect(searches()).toBe(3);
  });

  test('is asked twenty times at most; what was found by then is no answer', async () => {
    instead = refusing(1000);
    const refused = await ask({ address: ONE });
    expect(refused.result).toMatch(/^Error! The node returns no logs for so many blocks: .*fromBlock/);
    expect(searches()).toBe(20);
  });

  test.each<[string, object]>([
    ['an error for every range', { error: { code: -32000, message: 'no logs' } }],
    ['no list', { result: {} }],
    ['nothing', { result: null }],
    ['a log without a block', { result: [{ address: ONE }] }],
  ])('%s is never an empty list', async (_, special) => {
    instead = ({ method }) => (method === 'eth_getLogs' ? special : undefined);
    expect(await ask({ address: ONE })).toMatchObject({
      status: '0',
      message: 'NOTOK',
      result: expect.stringMatching(/^Error! /),
    });
  });
});
