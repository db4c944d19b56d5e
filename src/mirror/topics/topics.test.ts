import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { type LedgerEvent, ledgerItem } from '../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { decodeUnit } from '../ingest/decode/decode-unit.ts';
import { emptyLookup } from '../ingest/decode/known-entities.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { MessageObject } from '../protobuf/messages.ts';
import { RESULT } from '../vocabulary/response-codes.ts';

const START = 1_790_000_000_000_000_000n;
const HOME = { shard: 0n, realm: 0n };
const key = (byte: number) => ({ ed25519: new Uint8Array(32).fill(byte) });
const shownKey = (byte: number) => ({ _type: 'ED25519', key: Buffer.alloc(32, byte).toString('hex') });
const NO_KEY = { _type: 'ProtobufEncoded', key: '' };
const topicID = { topicNum: 77n };
const fee = (amount: bigint, tokenNum?: bigint) => ({
  fixedFee: { amount, ...(tokenNum === undefined ? {} : { denominatingTokenId: { tokenNum } }) },
  feeCollectorAccountId: { accountNum: 5n },
});
const create = (members: MessageObject): Partial<LedgerEvent> => ({
  data: { consensusCreateTopic: members },
  receipt: { topicID },
});
const update = (members: MessageObject): Partial<LedgerEvent> => ({
  data: { consensusUpdateTopic: { topicID, ...members } },
});
const WHOLE = create({
  memo: 'm',
  adminKey: key(1),
  submitKey: key(2),
  feeScheduleKey: key(3),
  autoRenewAccount: { accountNum: 6n },
  autoRenewPeriod: { seconds: 90n },
  feeExemptKeyList: [key(4), key(5)],
  customFees: [fee(7n), fee(9_007_199_254_740_993n, 900n)],
});
const SHOWN = {
  admin_key: shownKey(1),
  auto_renew_account: '0.0.6',
  auto_renew_period: 90,
  created_timestamp: '1790000000.000000000',
  custom_fees: {
    created_timestamp: '1790000000.000000000',
    fixed_fees: [
      { amount: 7, collector_account_id: '0.0.5', denominating_token_id: null },
      { amount: 9_007_199_254_740_993n, collector_account_id: '0.0.5', denominating_token_id: '0.0.900' },
    ],
  },
  deleted: false,
  fee_exempt_key_list: [shownKey(4), shownKey(5)],
  fee_schedule_key: shownKey(3),
  memo: 'm',
  submit_key: shownKey(2),
  timestamp: { from: '1790000000.000000000', to: null },
  topic_id: '0.0.77',
};

let mirror: MirrorApp;
beforeEach(async () => {
  mirror = await buildMirrorApp();
});
afterEach(() => mirror.close());

/** Stores transactions, one a nanosecond. */
async function store(...given: readonly Partial<LedgerEvent>[]): Promise<void> {
  const items = given.map((event, at) =>
    ledgerItem(
      {
        consensus: consensusTimestamp(START + BigInt(at)),
        validStart: consensusTimestamp(START - 1n),
        payer: 2n,
        data: {},
        status: RESULT.SUCCESS,
        fee: 0n,
        node: 3n,
        ...event,
      },
      HOME,
    ),
  );
  await mirror.area.ledger.commitUnit(fixtureUnit('a', await decodeUnit(items, 'a.rcd', emptyLookup)));
}

async function shown(from: MirrorApp = mirror): Promise<unknown> {
  const answer = await from.app.inject('/api/v1/topics/77');
  expect(answer.statusCode, answer.body).toBe(200);
  return exact(answer.body);
}

/** Numbers beyond what a double holds stay what they are. */
function exact(body: string): unknown {
  return JSON.parse(body.replace('"amount":9007199254740993', '"amount":"large"'), (_name, value: unknown) =>
    value === 'large' ? 9_007_199_254_740_993n : value,
  );
}

test('a topic shows what it was created with', async () => {
  await store(WHOLE);
  expect(await shown()).toEqual(SHOWN);
});

test('keys that it was created without are empty, and fees are none since then', async () => {
  await store(create({}));
  expect(await shown()).toMatchObject({
    ...{ admin_key: NO_KEY, submit_key: NO_KEY, fee_schedule_key: NO_KEY, fee_exempt_key_list: [] },
    ...{ memo: '', custom_fees: { created_timestamp: '1790000000.000000000', fixed_fees: [] } },
  });
});

test('an update changes what it holds alone', async () => {
  await store(WHOLE, update({ memo: { value: 'n' }, submitKey: { keyList: {} } }));
  expect(await shown()).toEqual({
    ...SHOWN,
    memo: 'n',
    submit_key: { _type: 'ProtobufEncoded', key: '3200' },
    timestamp: { from: '1790000000.000000001', to: null },
  });
});

test('empty lists clear', async () => {
  await store(WHOLE, update({ feeExemptKeyList: { keys: [] }, customFees: { fees: [] } }));
  expect(await shown()).toMatchObject({
    fee_exempt_key_list: [],
    custom_fees: { created_timestamp: '1790000000.000000001', fixed_fees: [] },
  });
});

test('deletion and failed updates leave the keys', async () => {
  const failed = { ...update({ adminKey: key(9) }), status: 10 };
  await store(WHOLE, failed, { data: { consensusDeleteTopic: { topicID } } });
  expect(await shown()).toMatchObject({ deleted: true, admin_key: SHOWN.admin_key });
});

test('of a topic that was there before the import an update tells what it holds', async () => {
  await store(update({ submitKey: key(2) }));
  expect(await shown()).toMatchObject({
    ...{ admin_key: null, submit_key: SHOWN.submit_key, created_timestamp: null },
    custom_fees: { created_timestamp: '0.0', fixed_fees: [] },
  });
  expect(await mirror.store.feeState.topic(77n as never)).toBeNull();
});

test.each(['1.x', '0x00', '-1', '274877906944'])('%s is no topic', async (id) => {
  const answer = await mirror.app.inject(`/api/v1/topics/${id}`);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    _status: { messages: [{ message: 'Invalid parameter: topic.id' }] },
  });
});

test('an unknown topic is 404 before its query is read', async () => {
  expect((await mirror.app.inject('/api/v1/topics/5?x=1')).statusCode).toBe(404);
  await store(WHOLE);
  const answer = await mirror.app.inject('/api/v1/topics/77?limit=1');
  expect(answer.json()).toMatchObject({
    _status: { messages: [{ message: 'Unknown query parameter: limit' }] },
  });
});

test.each([
  ['everything', WHOLE],
  ['nothing', create({})],
  ['what an update told', update({ submitKey: key(2) })],
])('a line of an answer with %s gives that answer back', async (_what, event) => {
  await store(event);
  const { body } = await mirror.app.inject('/api/v1/topics/77');
  const copy = await buildMirrorApp();
  const rows = readFixture(Buffer.from(body.replace('{', '{"kind":"topic",')), 'lines.ndjson', HOME);
  await copy.area.ledger.commitUnit(fixtureUnit('lines', rows));
  expect(await shown(copy)).toEqual(await shown());
  await copy.close();
});
