import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyConditions, meets } from '../../../test/kit/mirror/conditions.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import type { TopicMessage } from '../ledger/facets/topic-messages.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { messages } from '../protobuf/messages.ts';
import { RESULT } from '../vocabulary/response-codes.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';

const START = 1_700_000_000_000_000_000n;
const COUNT = 12n;
const INITIAL = messages.TransactionID.encode({
  transactionValidStart: { seconds: 1_699_999_999n, nanos: 5 },
  accountID: { accountNum: 1001n },
});

/** Number n of 0.0.77 at n times 2 ns, of 0.0.78 a nanosecond later. */
const STORED: readonly TopicMessage[] = Array.from({ length: Number(COUNT) }, (_, index) => {
  const number = BigInt(index) + 1n;
  const message = {
    sequenceNumber: number,
    payer: entityId(1001n),
    chunk: null,
    runningHash: Buffer.alloc(48, index),
    runningHashVersion: 3n,
    message: Buffer.from(`message ${number}`),
  };
  const at = (later: bigint) => consensusTimestamp(START + number * 2n + later);
  return [
    { ...message, topic: entityId(77n), consensusTimestamp: at(0n) },
    { ...message, topic: entityId(78n), consensusTimestamp: at(1n) },
  ];
}).flat();
const LAST = START + 100n;
const SPECIAL: readonly TopicMessage[] = [
  { chunk: { number: 2, total: 3, initialTransactionId: INITIAL, validStart: null }, version: 2n },
  {
    chunk: { number: 1, total: 3, initialTransactionId: null, validStart: consensusTimestamp(START) },
    version: 3n,
  },
].map(({ chunk, version }, index) => ({
  consensusTimestamp: consensusTimestamp(LAST + BigInt(index)),
  topic: entityId(79n),
  sequenceNumber: BigInt(index) + 1n,
  payer: entityId(1002n),
  chunk,
  runningHash: Buffer.of(1),
  runningHashVersion: version,
  message: Buffer.of(0x61, 0xff, 0x62),
}));

const FAILED = LAST + 1n;
const unit = fixtureUnit('messages', {
  transactions: [...STORED, ...SPECIAL].map(({ consensusTimestamp: at, topic }) =>
    aTransaction(at, {
      type: TYPE.CONSENSUSSUBMITMESSAGE,
      result: at === FAILED ? 10 : RESULT.SUCCESS,
      entityId: topic,
    }),
  ),
  topicMessages: [...STORED, ...SPECIAL],
});

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  await spec.area.ledger.commitUnit(unit);
  await hiero.area.ledger.commitUnit(unit);
});
afterAll(async () => {
  await spec.close();
  await hiero.close();
});

interface Page {
  readonly messages: readonly {
    readonly consensus_timestamp: string;
    readonly sequence_number: number;
    readonly message: string;
  }[];
  readonly links: { readonly next: string | null };
}

const get = async (path: string, mirror = spec) => {
  const answer = await mirror.app.inject(path.startsWith('/') ? path : `/api/v1/topics/${path}`);
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
};
const pageOf = async (path: string, mirror = spec) => {
  const { body, status } = await get(path, mirror);
  expect(status, body).toBe(200);
  return JSON.parse(body) as Page;
};
const textsOf = (body: string) =>
  (JSON.parse(body) as { _status: { messages: { message: string }[] } })._status.messages.map(
    ({ message }) => message,
  );

/** All times that following `next` shows. */
async function walk(path: string, mirror: MirrorApp): Promise<readonly string[]> {
  const seen: string[] = [];
  let next: string | null = path;
  for (let pages = 0; next !== null; pages++) {
    expect(pages).toBeLessThan(30);
    const page: Page = await pageOf(next, mirror);
    seen.push(...page.messages.map((each) => each.consensus_timestamp));
    next = page.links.next;
  }
  return seen;
}

describe('GET /api/v1/topics/{topicId}/messages', () => {
  test('following the links shows what a naive scan selects, in order, once', async () => {
    const condition = (max: bigint) => anyConditions(fc.bigInt({ min: 1n, max }), 3);
    await fc.assert(
      fc.asyncProperty(
        condition(COUNT + 2n),
        condition(2n * COUNT + 3n),
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (numbers, times, order, limit, isHiero) => {
          const query = [
            ...numbers.map(({ operator, value }) => `sequencenumber=${operator}:${value}`),
            ...times.map(({ operator, value }) => `timestamp=${operator}:${printTimestamp(START + value)}`),
            `order=${order}`,
            `limit=${limit}`,
          ];
          const selected = STORED.filter(
            ({ consensusTimestamp: at, sequenceNumber, topic }) =>
              topic === 77n &&
              numbers.every((each) => meets(sequenceNumber, each)) &&
              times.every(({ operator, value }) => meets(at, { operator, value: START + value })),
          ).map((each) => printTimestamp(each.consensusTimestamp));
          const path = `/api/v1/topics/77/messages?${query.join('&')}`;
          expect(await walk(path, isHiero ? hiero : spec)).toEqual(
            order === 'asc' ? selected : selected.reverse(),
          );
        },
      ),
    );
  });

  test('the default order is that of time, and an unknown topic has none', async () => {
    const { links, messages: shown } = await pageOf('77/messages');
    expect(shown.map((each) => each.sequence_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(links.next).toBeNull();
    expect(await pageOf('5/messages')).toEqual({ messages: [], links: { next: null } });
  });

  test('only hiero goes on after a full page that was the last one', async () => {
    expect((await pageOf('77/messages?limit=12')).links.next).toBeNull();
    expect((await pageOf('77/messages?limit=12', hiero)).links.next).toBe(
      `/api/v1/topics/77/messages?limit=12&timestamp=gt:${printTimestamp(START + 24n)}`,
    );
    expect((await get('77/messages?limit=101')).status).toBe(400);
    expect((await get('77/messages?limit=101', hiero)).status).toBe(200);
  });

  test.each([
    ['base64', 'Yf9i'],
    ['utf-8', 'a\ufffdb'],
    ['UTF8', 'a\ufffdb'],
    ['eq:Base64', 'Yf9i'],
  ])('encoding %s', async (encoding, expected) => {
    expect((await pageOf(`79/messages?encoding=${encoding}`)).messages[0]?.message).toBe(expected);
  });

  test('pieces tell the first one, or what is known of it', async () => {
    expect((await pageOf('79/messages')).messages).toMatchObject([
      {
        chunk_info: {
          initial_transaction_id: {
            account_id: '0.0.1001',
            nonce: 0,
            scheduled: false,
            transaction_valid_start: '1699999999.000000005',
          },
          number: 2,
          total: 3,
        },
        running_hash_version: 2,
      },
      {
        chunk_info: {
          initial_transaction_id: {
            account_id: '0.0.1002',
            nonce: null,
            scheduled: null,
            transaction_valid_start: '1700000000.000000000',
          },
          number: 1,
          total: 3,
        },
        running_hash_version: 3,
      },
    ]);
  });

  test.each([
    ['77/messages?sequencenumber=0', ['Invalid parameter: sequencenumber']],
    ['77/messages?x=1&encoding=ascii', ['Invalid parameter: encoding', 'Unknown query parameter: x']],
    ['77/messages?timestamp=a', ['Invalid parameter: timestamp']],
    ['77/messages?sequencenumber=9223372036854775808', ['Invalid parameter: sequencenumber']],
    // The path before the query.
    ['0x00/messages?x=1', ['Invalid parameter: topic.id']],
    ['274877906944/messages', ['Invalid parameter: topic.id']],
    // The query before the path.
    ['x/messages/0?encoding=utf8', ['Unknown query parameter: encoding']],
    ['x/messages/0', ['Invalid parameter: topic.id', 'Invalid parameter: sequencenumber']],
    ['messages/x', ['Invalid parameter: consensus_timestamp']],
  ])('%s is 400', async (path, expected) => {
    const { body, status } = await get(path);
    expect(status, body).toBe(400);
    expect(textsOf(body)).toEqual(expected);
  });
});

describe('one message', () => {
  test('is found by number and by time, and does not change', async () => {
    const byNumber = await get('0.0.78/messages/3');
    const byTime = await get(`messages/${printTimestamp(START + 7n)}`);
    expect(byNumber.status).toBe(200);
    expect(byTime.body).toBe(byNumber.body);
    expect(byTime.headers['cache-control']).toBe('public, max-age=600');
    expect(JSON.parse(byNumber.body)).toMatchObject({ topic_id: '0.0.78', sequence_number: 3 });
  });

  test.each([
    // Nothing where a topic, a number or a time belongs.
    'messages/',
    '/messages',
    '/messages/1',
    '77/messages/13',
    '5/messages/1',
    'messages/1700000000.000000001',
    // Later than any time that can be stored.
    'messages/9999999999.999999999',
    // Its transaction failed.
    `messages/${printTimestamp(FAILED)}`,
  ])('%s is 404', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404 });
  });
});

test('a line of each answer gives that answer back', async () => {
  const { messages: shown } = await pageOf('79/messages');
  const lines = shown.map((each) => JSON.stringify({ kind: 'topic_message', ...each })).join('\n');
  const copy = await buildMirrorApp();
  const rows = readFixture(Buffer.from(lines), 'lines.ndjson', { shard: 0n, realm: 0n });
  await copy.area.ledger.commitUnit(fixtureUnit('lines', rows));
  expect((await pageOf('79/messages', copy)).messages).toEqual(shown);
  // Also by its time, though no transaction is stored.
  const [first] = shown;
  const byTime = await get(`messages/${first?.consensus_timestamp}`, copy);
  expect(JSON.parse(byTime.body)).toEqual(first);
  await copy.close();
});
