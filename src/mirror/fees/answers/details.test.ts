import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildFeeApp, stateOf } from '../../../../test/kit/mirror/fees/fee-app.ts';
import {
  account,
  bodyBytes,
  ed25519Key,
  transactionBytes,
} from '../../../../test/kit/mirror/fees/transactions.ts';
import { ManualClock } from '../../../values/clock.ts';
import type { FileRepository } from '../../ledger/files/file-repository.ts';
import { type MessageObject, messages, messageType } from '../../protobuf/messages.ts';

const NOW = Date.UTC(2024, 0, 1);
const RATE_TIME = 1_700_000_000_000_000_007n;
const TOKENS = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `0.0.${100 + index}`,
    { kind: 'FUNGIBLE_COMMON' as const, customFeeCount: 0 },
  ]),
);

const rates = messages.ExchangeRateSet.encode({
  currentRate: { hbarEquiv: 30_000, centEquiv: 150_000, expirationTime: { seconds: BigInt(NOW / 1000) } },
  nextRate: { hbarEquiv: 30_000, centEquiv: 180_000, expirationTime: { seconds: BigInt(NOW / 1000 + 3600) } },
});
const files: FileRepository = {
  newestVersion: async (file) =>
    file === 112n ? { contents: rates, firstTimestamp: RATE_TIME, lastTimestamp: RATE_TIME } : null,
  firstVersion: async () => null,
};

const hbar: MessageObject = {
  cryptoTransfer: {
    transfers: {
      accountAmounts: [
        { accountID: account(1001n), amount: -1n },
        { accountID: account(2n), amount: 1n },
      ],
    },
  },
};
const tokens = (first: bigint, count: number): MessageObject => ({
  cryptoTransfer: {
    tokenTransfers: Array.from({ length: count }, (_, index) => ({
      token: { tokenNum: first + BigInt(index) },
      transfers: [{ accountID: account(1001n), amount: -1n }],
    })),
  },
});
/** As a batch holds it: a `SignedTransaction`, not a `Transaction`. */
const signed = (data: MessageObject): Uint8Array =>
  messageType('proto.SignedTransaction').encode({ bodyBytes: bodyBytes(data), sigMap: { sigPair: [{}] } });
const hbarBytes = transactionBytes({ cryptoTransfer: {} });
const batch = (...inner: readonly Uint8Array[]): Buffer =>
  transactionBytes({ atomicBatch: { transactions: inner } });
const list = (...members: readonly Buffer[]): Buffer =>
  Buffer.concat(members.flatMap((member) => [Buffer.from([0x0a, ...lengthOf(member)]), member]));
const lengthOf = ({ length }: Buffer) => (length < 128 ? [length] : [(length % 128) | 128, length >> 7]);

let app: FastifyInstance;
beforeAll(async () => {
  app = await buildFeeApp({ files, clock: new ManualClock(NOW), state: stateOf({ tokens: TOKENS }) });
});
afterAll(() => app.close());

async function post(payload: Buffer, query = '') {
  const response = await app.inject({
    method: 'POST',
    url: `/api/v1/network/fees${query}`,
    headers: { 'content-type': 'application/protobuf' },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
}
const detailOf = ({ body }: Awaited<ReturnType<typeof post>>): string => body._status.messages[0].detail;

describe('signatures=N of a fee estimate', () => {
  test('repairs an estimate before signing: the price is that of the signed transaction', async () => {
    for (const count of [1, 2, 14]) {
      const before = await post(transactionBytes(hbar, 0), `?signatures=${count}`);
      const after = await post(transactionBytes(hbar, count));
      expect(before.body.notes).toEqual([`Estimated for ${count} signatures; the transaction has 0`]);
      // From here on bytes cost: the map around the pairs has a few of its own.
      if (count < 14) expect(before.body.total).toBe(after.body.total);
      else expect(Math.abs(before.body.total - after.body.total)).toBeLessThanOrEqual(10 * 100_000);
    }
  });

  test('counts less than there are without taking bytes away', async () => {
    const { body } = await post(transactionBytes(hbar, 3), '?signatures=1');
    expect(body.total).toBe(1_000_000);
    expect(body.notes).toEqual(['Estimated for 1 signatures; the transaction has 3']);
  });

  test.each([
    ['x', "Failed to convert 'signatures'"],
    ['', "Failed to convert 'signatures'"],
    ['-1', 'signatures must be greater than or equal to 0'],
    ['101', 'signatures must be less than or equal to 100'],
  ])('refuses %j', async (value, detail) => {
    const response = await post(transactionBytes(hbar), `?signatures=${value}`);
    expect([response.status, detailOf(response)]).toEqual([400, detail]);
  });

  test('refuses more bytes than the network takes', async () => {
    const response = await post(transactionBytes(hbar, 0), '?signatures=100');
    expect([response.status, detailOf(response)]).toEqual([
      400,
      expect.stringMatching(/^Transaction size \d+ exceeds maximum 6144 bytes$/),
    ]);
  });
});

describe('include=money', () => {
  test('tells dollars, hbar and tinybars by the rate of now, here the next one', async () => {
    const { body } = await post(transactionBytes({ cryptoDelete: {} }), '?include=money');
    expect(body.total).toBe(50_000_000);
    expect(body.money).toEqual({
      usd: '0.0050000000',
      hbar: '0.08333333',
      tinybars: 8_333_333,
      exchange_rate: {
        cent_equivalent: 180_000,
        hbar_equivalent: 30_000,
        expiration_time: NOW / 1000 + 3600,
        timestamp: '1700000000.000000007',
      },
    });
  });

  test('is left out with a note while no rate is known', async () => {
    const bare = await buildFeeApp();
    const response = await bare.inject({
      method: 'POST',
      url: '/api/v1/network/fees?include=money',
      headers: { 'content-type': 'application/protobuf' },
      payload: transactionBytes(hbar),
    });
    await bare.close();
    expect(response.json()).not.toHaveProperty('money');
    expect(response.json().notes).toEqual([expect.stringContaining('No exchange rate is known')]);
  });

  test.each(['all', 'money,x', ',', 'money&include=inner'])('refuses include=%s', async (value) => {
    const response = await post(transactionBytes(hbar), `?include=${value}`);
    expect([response.status, detailOf(response)]).toEqual([
      400,
      "Failed to convert 'include': a list of money, explanation, inner",
    ]);
  });
});

describe('include=explanation', () => {
  test('says for each extra what was counted and where', async () => {
    const key = { keyList: { keys: [ed25519Key(1), ed25519Key(2), ed25519Key(3)] } };
    const { body } = await post(
      transactionBytes({ cryptoCreateAccount: { key } }, 2),
      '?include=explanation',
    );
    expect(body.service.extras[0].explanation).toBe(
      "3 counted (keys in the account's key); 1 is covered by the base fee, 2 charged.",
    );
    expect(body.node.extras[0].explanation).toMatch(/^2 counted \(pairs in the signature map/);
  });

  test('warns that tokens have a base price which the bytes alone do not tell', async () => {
    const transfer = transactionBytes(tokens(100n, 1));
    expect((await post(transfer, '?include=explanation')).body.notes).toEqual([
      expect.stringContaining('mode=state'),
    ]);
    expect((await post(transfer, '?include=explanation&mode=state')).body).not.toHaveProperty('notes');
    expect((await post(transfer)).body).not.toHaveProperty('notes');
  });
});

describe('include=inner', () => {
  test('adds up the transactions of a batch', async () => {
    const payload = batch(signed(hbar), signed({ cryptoDelete: {} }));
    const { body } = await post(payload, '?include=inner');
    expect(body.total).toBe((await post(payload)).body.total);
    expect(body.inner.transactions.map(({ type, total }: Record<string, unknown>) => [type, total])).toEqual([
      ['CRYPTOTRANSFER', 1_000_000],
      ['CRYPTODELETE', 50_000_000],
    ]);
    expect(body.inner.total).toBe(51_000_000);
    expect(body.total_with_inner).toBe(61_000_000);
  });

  test('prices the body of a schedule as a transaction with one signature', async () => {
    const { body } = await post(
      transactionBytes({ scheduleCreate: { scheduledTransactionBody: hbar } }),
      '?include=inner',
    );
    expect([body.total, body.inner.total, body.total_with_inner]).toEqual([
      100_000_000, 1_000_000, 101_000_000,
    ]);
  });

  test('says nothing about types that carry none', async () => {
    const { body } = await post(transactionBytes(hbar), '?include=inner');
    expect(body).not.toHaveProperty('inner');
    expect(body).not.toHaveProperty('total_with_inner');
  });

  test('names the inner transaction that cannot be priced', async () => {
    const freeze = await post(batch(signed(hbar), signed({ freeze: {} })), '?include=inner');
    expect([freeze.status, detailOf(freeze)]).toEqual([400, 'Inner transaction 2: Unknown transaction type']);
    const garbage = await post(batch(Uint8Array.of(255)), '?include=inner');
    expect(detailOf(garbage)).toBe('Inner transaction 1: Unable to parse transaction');
    expect((await post(batch(Uint8Array.of(255)))).status).toBe(200);
  });

  test('looks up at most 32 entities for a whole batch', async () => {
    const four = [0n, 8n, 16n, 24n].map((offset) => signed(tokens(100n + offset, 8)));
    expect((await post(batch(...four), '?include=inner&mode=state')).status).toBe(200);
    const response = await post(batch(...four, signed(tokens(132n, 1))), '?include=inner&mode=state');
    expect([response.status, detailOf(response)]).toEqual([
      400,
      'Fee estimation exceeded the maximum of 32 entity lookups',
    ]);
  });
});

describe('POST /api/v1/network/fees/estimate', () => {
  const ask = (payload: object | string, query = '', contentType = 'application/json') =>
    app.inject({
      method: 'POST',
      url: `/api/v1/network/fees/estimate${query}`,
      headers: { 'content-type': contentType },
      payload,
    });
  const transfer = transactionBytes(hbar, 0);

  test.each([
    ['base64', transfer.toString('base64')],
    ['base64 for links, without padding', transfer.toString('base64url')],
    ['hexadecimal', transfer.toString('hex')],
    ['hexadecimal with 0x', `0x${transfer.toString('hex').toUpperCase()}`],
  ])('reads %s and answers with every detail', async (_name, text) => {
    const response = await ask({ transaction: text }, '?signatures=2');
    expect(response.statusCode).toBe(200);
    expect(response.headers['x-fee-schedule']).toBe('bundled');
    expect(response.json()).toMatchObject({
      transactions: [
        {
          type: 'CRYPTOTRANSFER',
          transaction_id: '0.0.1001-1700000000-000000000',
          total: 2_000_000,
          node: { extras: [{ name: 'SIGNATURES', explanation: expect.any(String) }] },
          notes: ['Estimated for 2 signatures; the transaction has 0'],
        },
      ],
      total: 2_000_000,
      money: { usd: '0.0002000000' },
    });
  });

  test('prices each member of a list, and counts what is meant for several nodes once', async () => {
    const deletion = transactionBytes({
      cryptoDelete: {},
      transactionID: { accountID: account(1001n), transactionValidStart: { seconds: 5n, nanos: 3 } },
    });
    const response = await ask({ transaction: list(transfer, transfer, deletion).toString('base64') });
    const { total, transactions } = response.json();
    expect(transactions.map((each: { transaction_id: string }) => each.transaction_id)).toEqual([
      '0.0.1001-1700000000-000000000',
      '0.0.1001-1700000000-000000000',
      '0.0.1001-5-000000003',
    ]);
    expect(total).toBe(1_000_000 + 50_000_000);
  });

  test.each([
    ['a list', list(...Array.from({ length: 1_001 }, () => hbarBytes))],
    [
      'batches of a list',
      list(
        ...Array.from({ length: 11 }, () =>
          batch(...Array.from({ length: 91 }, () => signed({ cryptoDelete: {} }))),
        ),
      ),
    ],
  ])('refuses %s with more transactions than one request may have', async (_name, bytes) => {
    const response = await ask({ transaction: bytes.toString('base64') });
    expect(response.statusCode).toBe(400);
    expect(response.json()._status.messages).toEqual([
      { message: 'Bad Request', detail: 'More than 1000 transactions in one request: send them in several' },
    ]);
  });

  test('lets others have their turn between the members of a list', async () => {
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    const bytes = list(...Array.from({ length: 1_000 }, () => hbarBytes));
    const response = await ask({ transaction: bytes.toString('base64') });
    clearInterval(count);
    expect(response.json().transactions).toHaveLength(1_000);
    expect(turns).toBeGreaterThan(10);
  });

  test('leaves the plain endpoint to single transactions', async () => {
    expect((await post(list(transfer))).status).toBe(400);
  });

  test.each([
    [
      'no object',
      '[]',
      'The body must be a JSON object with the member transaction: base64 or hexadecimal text',
    ],
    [
      'no transaction',
      '{}',
      'The body must be a JSON object with the member transaction: base64 or hexadecimal text',
    ],
    ['other text', '{"transaction":"?"}', 'transaction must be base64 or hexadecimal text'],
    ['an empty text', '{"transaction":""}', 'Failed to read request'],
    ['bytes that are no transaction', '{"transaction":"ffff"}', 'Unable to parse transaction'],
    ['an empty member of a list', '{"transaction":"0a00"}', 'Failed to read request'],
  ])('refuses %s', async (_name, payload, detail) => {
    const response = await ask(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json()._status.messages).toEqual([{ message: 'Bad Request', detail }]);
  });

  test('refuses text that is no JSON, and other content types', async () => {
    expect((await ask('{')).statusCode).toBe(400);
    expect((await ask('x', '', 'text/plain')).statusCode).toBe(415);
    expect((await ask('x', '', 'application/protobuf')).statusCode).toBe(415);
  });
});
