import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const HOME = { shard: 0n, realm: 0n };
const [FIRST, SECOND, TWICE, OWN] = [1, 2, 3, 4].map((second) => `170000000${second}.000000000`) as [
  string,
  string,
  string,
  string,
];
const OWN_ADDRESS = 'ef'.repeat(20);
const TOPIC = `0x${'0'.repeat(62)}7b`;
const HASH = `0x${'ab'.repeat(32)}`;
const BLOOM = `0x01${'00'.repeat(254)}80`;
const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
const longZero = (digits: string) => `0x${digits.padStart(40, '0')}`;

const call = (at: string, result = 'SUCCESS') => ({
  consensus_timestamp: at,
  transaction_id: `0.0.1001-${at.replace('.', '-')}`,
  transaction_hash: Buffer.alloc(48, at === FIRST ? 1 : 2).toString('base64'),
  name: 'CONTRACTCALL',
  result,
});
const RESULT = {
  timestamp: SECOND,
  contract_id: '0.0.3001',
  amount: '9223372036854775807',
  bloom: BLOOM,
  call_result: '0x2a',
  created_contract_ids: ['0.0.3002'],
  error_message: '0x01',
  from: longZero('3ea'),
  function_parameters: '0x6d4ce63c',
  gas_consumed: 40_000,
  gas_limit: 100_000,
  gas_used: '41000',
  hash: HASH,
};
const LOG = {
  timestamp: SECOND,
  index: 0,
  contract_id: '0.0.3001',
  root_contract_id: '0.0.3001',
  bloom: BLOOM,
  data: '0x2a',
  topics: [TOPIC],
  transaction_hash: HASH,
};
const SLOT = { timestamp: SECOND, contract_id: '0.0.3001', slot: '0x01', value: '0x2b', value_read: '0x2a' };
const result = (changes: object = {}) => ({ kind: 'contract_result', ...RESULT, ...changes });
const log = (changes: object = {}) => ({ kind: 'contract_log', ...LOG, ...changes });
const slot = (changes: object = {}) => ({ kind: 'contract_state', ...SLOT, ...changes });

const read = (...lines: readonly object[]) =>
  readFixture(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')), 'lines.ndjson', HOME);

describe('lines of what contracts did', () => {
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await buildMirrorApp();
    const rows = read(
      // Before their transactions, and the newer ones first.
      slot(),
      slot({ timestamp: FIRST, value: word('2a'), value_read: null }),
      log({ index: 1, topics: [], data: '0x' }),
      log(),
      result(),
      { kind: 'contract_result', timestamp: FIRST, contract_id: '0.0.3001', from: `0x${'cd'.repeat(20)}` },
      { kind: 'contract_result', timestamp: TWICE, contract_id: '0.0.3001' },
      { kind: 'contract_result', timestamp: OWN, contract_id: '0.0.3001', from: `0x${OWN_ADDRESS}` },
      { kind: 'account', account: '0.0.1003', evm_address: `0x${OWN_ADDRESS}` },
      { kind: 'contract_log', timestamp: FIRST, index: 0, contract_id: '0.0.3009', synthetic: true },
      { kind: 'contract_log', timestamp: TWICE, index: 2, contract_id: '0.0.3010', synthetic: true },
      { kind: 'contract', contract_id: '0.0.3001' },
      call(FIRST),
      call(SECOND),
      call(TWICE, 'DUPLICATE_TRANSACTION'),
      call(OWN),
    );
    expect(await mirror.area.ledger.commitUnit(fixtureUnit('contracts', rows))).toBe('stored');
  });
  afterAll(() => mirror.close());

  const get = async (path: string) => {
    const answer = await mirror.app.inject(`/api/v1/contracts/${path}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return JSON.parse(answer.body.replace('9223372036854775807', '"9223372036854775807"'));
  };

  test('a result is shown as it was written, with its logs and changes of slots', async () => {
    const shown = await get(`results/${HASH}`);
    expect(shown).toMatchObject({
      ...RESULT,
      gas_used: 41_000,
      result: 'SUCCESS',
      transaction_index: 1,
      logs: [
        { index: 0, topics: [TOPIC], bloom: BLOOM },
        { index: 1, topics: [], data: '0x' },
      ],
      state_changes: [{ slot: word('1'), value_read: word('2a'), value_written: word('2b') }],
    });
    expect(await get(`0.0.3001/results/${SECOND}`)).toEqual(shown);
    expect(await get('results/0.0.1001-1700000002-000000000')).toEqual(shown);
  });

  test('what a result does not tell is that of its transaction', async () => {
    expect(await get(`results/0x${'01'.repeat(32)}`)).toMatchObject({
      amount: null,
      bloom: '0x',
      call_result: '0x',
      error_message: null,
      from: `0x${'cd'.repeat(20)}`,
      gas_limit: 0,
      gas_used: null,
      transaction_index: 0,
    });
  });

  test('a token whose event is shown for a result took part in it', async () => {
    const shown = await get(`0.0.3001/results/${FIRST}`);
    expect(shown.logs).toMatchObject([{ contract_id: '0.0.3009' }]);
    expect((await get('0.0.3009/results')).results).toMatchObject([{ timestamp: FIRST }]);
    expect(await get(`0.0.3009/results/${FIRST}`)).toEqual(shown);
  });

  test('a transaction that was sent twice is in no list of results, nor are its synthetic logs', async () => {
    const { results } = await get('0.0.3001/results');
    expect(results).toMatchObject([{ timestamp: OWN }, { timestamp: SECOND }, { timestamp: FIRST }]);
    expect((await get('results')).results).toMatchObject(
      [OWN, SECOND, FIRST].map((timestamp) => ({ timestamp })),
    );
    expect((await get('0.0.3010/results')).results).toEqual([]);
    expect(await get(`0.0.3010/results/${TWICE}`)).toMatchObject({ transaction_index: null });
    expect((await get(`results?from=${longZero('3ea').slice(2)}`)).results).toMatchObject([
      { timestamp: SECOND },
    ]);
  });

  test('no results are of a block with a number that none can have', async () => {
    for (const path of ['results', '0.0.3001/results']) {
      for (const number of ['0xffffffffffffffff', '0x8000000000000000', 'eq:0x7fffffffffffffff']) {
        expect(await get(`${path}?block.number=${number}`)).toEqual({ results: [], links: { next: null } });
      }
    }
  });

  test('a sender named by its EVM address is the account that has it', async () => {
    const shown = [{ timestamp: OWN, from: longZero('3eb') }];
    expect((await get('results?from=1003')).results).toMatchObject(shown);
    expect((await get(`results?from=${OWN_ADDRESS}`)).results).toMatchObject(shown);
  });

  test('logs are found by contract, topic and hash, also those of token events', async () => {
    const range = 'timestamp=gte:1700000000&timestamp=lt:1700000009';
    expect((await get('0.0.3001/results/logs')).logs).toMatchObject([
      { index: 1 },
      { index: 0, root_contract_id: '0.0.3001', transaction_hash: HASH, transaction_index: 1 },
    ]);
    expect((await get(`results/logs?topic0=7b&${range}`)).logs).toMatchObject([{ topics: [TOPIC] }]);
    expect((await get(`results/logs?topic0=7c&${range}`)).logs).toEqual([]);
    expect((await get('0.0.3009/results/logs')).logs).toMatchObject([{ timestamp: FIRST }]);
  });

  test.each(['timestamp=1&timestamp=1', 'timestamp=1&timestamp=2'])(
    'topics at two times: %s',
    async (times) => {
      const answer = await mirror.app.inject(`/api/v1/contracts/results/logs?topic0=7b&${times}`);
      const message = 'Only one equal (eq) operator is allowed for timestamp';
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
    },
  );

  test('the newest change of a slot is its state, older ones are found by time', async () => {
    const shown = { address: longZero('bb9'), contract_id: '0.0.3001', slot: word('1') };
    expect((await get('0.0.3001/state')).state).toEqual([{ ...shown, timestamp: SECOND, value: word('2b') }]);
    expect((await get(`0.0.3001/state?timestamp=${FIRST}`)).state).toEqual([
      { ...shown, timestamp: FIRST, value: word('2a') },
    ]);
  });
});

test('a result has the blooms of the synthetic logs that are shown for it, alone and in lists', async () => {
  const mirror = await buildMirrorApp();
  const bits = `0x80${'00'.repeat(255)}`;
  const both = `0x81${'00'.repeat(254)}80`;
  const rows = read(
    result(),
    log(),
    log({ index: 1, contract_id: '0.0.3009', root_contract_id: '0.0.3009', bloom: bits, synthetic: true }),
    call(SECOND),
  );
  await mirror.area.ledger.commitUnit(fixtureUnit('contracts', rows));
  const get = async (path: string) => (await mirror.app.inject(`/api/v1/contracts/${path}`)).json();
  expect(await get(`results/${HASH}`)).toMatchObject({ bloom: both, logs: [{ index: 0 }, { index: 1 }] });
  expect((await get('results')).results).toMatchObject([{ bloom: both }]);
  expect((await get('0.0.3001/results')).results).toMatchObject([{ bloom: both }]);
  await mirror.close();
});

const LONG = `0x${'01'.repeat(33)}`;
const OTHER_TIME = /"timestamp" must be the time of a transaction .* not 1700000001\.000000000: add a trans/;
test.each<[string, object, RegExp]>([
  ...[result, log, slot].flatMap((line): [string, object, RegExp][] => [
    ['no time', line({ timestamp: null }), /"timestamp" is missing/],
    ['a time that is none', line({ timestamp: 'now' }), /"timestamp" must be a time/],
    ['the time of no transaction', line({ timestamp: FIRST }), OTHER_TIME],
    ['a contract that is no id', line({ contract_id: 'x' }), /"contract_id" must be an id/],
  ]),
  ...['amount', 'gas_consumed', 'gas_limit', 'gas_used'].map((name): [string, object, RegExp] => [
    `a result whose ${name} is no number`,
    result({ [name]: '1.5' }),
    new RegExp(`"${name}" must be an integer of 64 bits, not "1.5"`),
  ]),
  ...['call_result', 'failed_initcode', 'function_parameters'].map((name): [string, object, RegExp] => [
    `a result whose ${name} is no hex`,
    result({ [name]: '0xabc' }),
    new RegExp(`"${name}" must be hex, not "0xabc"`),
  ]),
  ['a result with a short bloom', result({ bloom: '0x01' }), /"bloom" must be hex of 256 bytes/],
  ['a result with a short hash', result({ hash: '0x01' }), /"hash" must be hex of 32 bytes/],
  ['a result from an id', result({ from: '0.0.5' }), /"from" must be hex of 20 bytes/],
  ['a result with a bad message', result({ error_message: 5 }), /"error_message" must be a text/],
  ['a result with a bad index', result({ transaction_index: -1 }), /"transaction_index" must be a whole/],
  ['created contracts that are no list', result({ created_contract_ids: '0.0.5' }), /must be a list of ids/],
  [
    'a created contract that is no id',
    result({ created_contract_ids: ['x'] }),
    /"created_contract_ids" must be an id/,
  ],
  ['a result with logs', result({ logs: [LOG] }), /"logs" must be empty: .* kind "contract_log"/],
  [
    'a result with changes of slots',
    result({ state_changes: [SLOT] }),
    /"state_changes" must be empty: .* kind "contract_state"/,
  ],
  ['a log without index', log({ index: null }), /"index" is missing/],
  ['a log without contract', log({ contract_id: null }), /"contract_id" is missing/],
  ['a log with a bad root', log({ root_contract_id: '0.0' }), /"root_contract_id" must be an id/],
  ['a log with a short bloom', log({ bloom: '0x01' }), /"bloom" must be hex of 256 bytes/],
  ['a log with a short hash', log({ transaction_hash: '0x' }), /"transaction_hash" must be hex of 32 bytes/],
  ['a log with bad data', log({ data: 'data' }), /"data" must be hex/],
  ['a log with a bad mark', log({ synthetic: 'yes' }), /"synthetic" must be true or false/],
  ['topics that are no list', log({ topics: TOPIC }), /"topics" must be a list of texts/],
  ['five topics', log({ topics: Array(5).fill(TOPIC) }), /"topics" must be at most 4, not 5/],
  ['a long topic', log({ topics: [LONG] }), /"topics" must be hex of at most 32 bytes, not of 33/],
  ['a slot that is missing', slot({ slot: null }), /"slot" is missing/],
  ['a long slot', slot({ slot: LONG }), /"slot" must be hex of at most 32 bytes, not of 33/],
  ['a value that is missing', slot({ value: null }), /"value" is missing/],
  ['a long value', slot({ value: LONG }), /"value" must be hex of at most 32 bytes/],
  ['a long value that was read', slot({ value_read: LONG }), /"value_read" must be hex of at most 32 bytes/],
])('refuses %s', (_what, line, message) => {
  expect(() => read(call(SECOND), line)).toThrow(message);
  expect(() => read(call(SECOND), line)).toThrow(/^Malformed file lines\.ndjson, line 2: /);
});

test.each([
  ['result', result(), result({ contract_id: '0.0.3002' }), '"timestamp": keep one'],
  ['log', log(), log({ data: '0x' }), '"timestamp", "index": keep one'],
  ['slot', slot(), slot({ slot: '0x0001' }), '"timestamp", "contract_id", "slot": keep one'],
])('refuses a second %s in the same place, which would hide one', (_what, one, other, message) => {
  expect(() => read(call(SECOND), one, other)).toThrow(
    `Malformed file lines.ndjson, line 3: another line of its kind has the same ${message}`,
  );
});
