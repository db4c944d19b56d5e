import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildFeeApp, stateOf } from '../../../../test/kit/mirror/fees/fee-app.ts';
import { smallScheduleBytes } from '../../../../test/kit/mirror/fees/schedules.ts';
import { account, ed25519Key, transactionBytes } from '../../../../test/kit/mirror/fees/transactions.ts';
import * as fc from '../../../../test/support/properties.ts';
import { createBodyIntake } from '../../../http/bodies/body-intake.ts';
import { MirrorApiError } from '../../errors.ts';
import { messages } from '../../protobuf/messages.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { feeRoutes } from './routes.ts';

/** The receiver, which the empty ledger does not know. */
const CREATED = '{"name":"CREATED_ACCOUNTS","count":1,"fee_per_unit":500000000,"subtotal":500000000}';
const PROTOBUF = { 'content-type': 'application/protobuf' };
const transfer = transactionBytes(
  {
    cryptoTransfer: {
      transfers: {
        accountAmounts: [
          { accountID: account(1001n), amount: -1n },
          { accountID: account(2n), amount: 1n },
        ],
      },
    },
  },
  3,
);

describe('POST /api/v1/network/fees', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildFeeApp({ bodyLimitBytes: 20_000 });
  });
  afterAll(() => app.close());

  const post = (payload: Buffer | Readable, query = '', headers: Record<string, string> = PROTOBUF) =>
    app.inject({ method: 'POST', url: `/api/v1/network/fees${query}`, headers, payload });

  test('answers the breakdown of a transfer with three signatures', async () => {
    const response = await post(transfer);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-fee-schedule']).toBe('bundled');
    expect(response.json()).toEqual({
      high_volume_multiplier: 1,
      network: { multiplier: 9, subtotal: 2_700_000 },
      node: {
        base: 100_000,
        extras: [
          { name: 'SIGNATURES', included: 1, count: 3, charged: 2, fee_per_unit: 100_000, subtotal: 200_000 },
        ],
      },
      service: { base: 0, extras: [] },
      total: 3_000_000,
    });
  });

  test('answers without further parameters byte for byte what it always has', async () => {
    const expected =
      '{"high_volume_multiplier":1,"network":{"multiplier":9,"subtotal":2700000},"node":{"base":100000,"extras":[' +
      '{"name":"SIGNATURES","included":1,"count":3,"charged":2,"fee_per_unit":100000,"subtotal":200000}]},' +
      '"service":{"base":0,"extras":[]},"total":3000000}';
    for (const query of ['', '?mode=state', '?mode=&include=&other=1']) {
      expect((await post(transfer, query)).body, query).toBe(
        query === '?mode=state' ? expected.replace(/}$/, `,"additions":[${CREATED}]}`) : expected,
      );
    }
  });

  test('refuses an encoded body', async () => {
    const response = await post(transfer, '', { ...PROTOBUF, 'content-encoding': 'gzip' });
    expect(response.statusCode).toBe(415);
    expect(response.json()._status.messages[0].detail).toBe("Content-Encoding 'gzip' is not supported");
  });

  test.each([
    'application/protobuf',
    'application/x-protobuf',
    'Application/Protobuf; charset=utf-8',
    'APPLICATION/X-PROTOBUF;v=1',
  ])('takes the content type %s', async (type) => {
    expect((await post(transfer, '', { 'content-type': type })).statusCode).toBe(200);
  });

  test.each([
    ['application/json', "Content-Type 'application/json' is not supported"],
    ['text/plain', "Content-Type 'text/plain' is not supported"],
    ['application/octet-stream', "Content-Type 'application/octet-stream' is not supported"],
    ['application/protobufx', "Content-Type 'application/protobufx' is not supported"],
  ])('refuses the content type %s', async (type, detail) => {
    const response = await post(Buffer.from('{}'), '', { 'content-type': type });
    expect(response.statusCode).toBe(415);
    expect(response.json()).toEqual({
      _status: { messages: [{ message: 'Unsupported Media Type', detail }] },
    });
  });

  test('refuses a body without a content type, and no body at all', async () => {
    for (const payload of [transfer, Buffer.alloc(0)]) {
      const response = await post(payload, '', {});
      expect(response.statusCode).toBe(415);
      expect(response.json()._status.messages[0].detail).toBe('Content-Type is not supported');
    }
  });

  test.each([
    ['*/*', 200],
    ['application/json', 200],
    ['text/html, application/*;q=0.5', 200],
    ['', 200],
    ['text/html', 406],
    ['*/*, application/json;q=0', 406],
  ])('answers Accept "%s" with %d', async (accept, status) => {
    const response = await post(transfer, '', { ...PROTOBUF, accept });
    expect(response.statusCode).toBe(status);
    if (status === 406)
      expect(response.json()).toEqual({ _status: { messages: [{ message: 'Not Acceptable' }] } });
  });

  test.each(['PUT', 'DELETE', 'PATCH'] as const)('refuses %s', async (method) => {
    const response = await app.inject({ method, url: '/api/v1/network/fees', headers: PROTOBUF });
    expect(response.statusCode).toBe(405);
    expect(response.json()._status.messages).toEqual([
      { message: 'Method Not Allowed', detail: `Request method '${method}' is not supported` },
    ]);
  });

  test.each([
    '',
    '?mode=',
    '?mode=intrinsic',
    '?mode=Intrinsic',
    '?mode=STATE',
    '?mode=state',
    '?foo=1&foo=2',
    '?high_volume_throttle=10000',
  ])('takes the query "%s"', async (query) => {
    expect((await post(transfer, query)).statusCode).toBe(200);
  });

  test.each([
    ['?mode=full', "Failed to convert 'mode'"],
    ['?mode=state&mode=intrinsic', "Failed to convert 'mode'"],
    ['?high_volume_throttle=abc', "Failed to convert 'high_volume_throttle'"],
    ['?high_volume_throttle=', "Failed to convert 'high_volume_throttle'"],
    ['?high_volume_throttle=1e3', "Failed to convert 'high_volume_throttle'"],
    ['?high_volume_throttle=1.0', "Failed to convert 'high_volume_throttle'"],
    ['?high_volume_throttle=10001', 'high_volume_throttle must be less than or equal to 10000'],
    [
      '?high_volume_throttle=99999999999999999999',
      'high_volume_throttle must be less than or equal to 10000',
    ],
    ['?high_volume_throttle=-1', 'high_volume_throttle must be greater than or equal to 0'],
  ])('refuses the query "%s"', async (query, detail) => {
    const response = await post(transfer, query);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ _status: { messages: [{ message: 'Bad Request', detail }] } });
  });

  test.each([
    ['an empty body', '', 'Failed to read request'],
    ['bytes that are no message', 'ffff', 'Unable to parse transaction'],
    ['an inner message that is cut off', '2a020aff', 'Unable to parse transaction'],
    ['a memo that is not UTF-8', '22043202c328', 'Unable to parse transaction'],
    ['a known field of another wire type', '2801', 'Unable to parse transaction'],
    [
      'a transaction of unknown fields',
      'f80701',
      'Transaction must contain body bytes or signed transaction bytes',
    ],
    ['a signed transaction without body', '2a020a00', 'Unknown transaction type'],
  ])('refuses %s', async (_name, hex, detail) => {
    const response = await post(Buffer.from(hex, 'hex'));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ _status: { messages: [{ message: 'Bad Request', detail }] } });
  });

  /** @see contracts/fees-estimate.md section 5.1 */
  test.each([117, 120, 122, 124, 127, 500])('refuses a kind that is not known yet: %i', async (kind) => {
    const bodyBytes = new WireWriter().delimited(kind, Uint8Array.of(8, 1)).finish();
    const signedTransactionBytes = messages.SignedTransaction.encode({ bodyBytes, sigMap: {} });
    const response = await post(Buffer.from(messages.Transaction.encode({ signedTransactionBytes })));
    const told = { message: 'Bad Request', detail: 'Unknown transaction type' };
    expect([response.statusCode, response.json()]).toEqual([400, { _status: { messages: [told] } }]);
  });

  test('refuses a body that announces more than the limit', async () => {
    const response = await post(Buffer.alloc(20_001));
    expect(response.statusCode).toBe(413);
    expect(response.headers.connection).toBe('close');
    const detail = 'Request body 20001 exceeds maximum 20000 bytes';
    expect(response.json()).toEqual({ _status: { messages: [{ message: 'Content Too Large', detail }] } });
  });

  test('a body at the limit is read', async () => {
    expect((await post(Buffer.alloc(20_000))).statusCode).toBe(400);
  });

  test('reads a chunked body, and cuts off one beyond the limit', async () => {
    const address = await listen(app);
    const whole = await chunked(address, [transfer.subarray(0, 20), transfer.subarray(20)]);
    expect(whole).toMatchObject({ status: 200 });
    const endless = await chunked(address, Array(50).fill(Buffer.alloc(16_384)));
    expect(endless.status).toBe(413);
    expect(endless.body).toMatch(/Request body \d+ exceeds maximum 20000 bytes/);
  });

  test('works with a trailing slash and in other letter cases', async () => {
    for (const url of ['/api/v1/network/fees/', '/API/v1/network/FEES']) {
      const response = await app.inject({ method: 'POST', url, headers: PROTOBUF, payload: transfer });
      expect(response.statusCode).toBe(200);
    }
  });

  test('falls back with a note when state is missing', async () => {
    const submit = transactionBytes({ consensusSubmitMessage: { topicID: { topicNum: 7007n } } });
    const response = await post(submit, '?mode=state');
    expect(response.json().notes).toEqual([
      'State of topic 0.0.7007 is not available: estimated in INTRINSIC mode',
    ]);
    expect((await post(submit)).json()).not.toHaveProperty('notes');
  });
});

describe('POST /api/v1/network/fees, schedules', () => {
  const key = ed25519Key(1);
  const create = transactionBytes({ cryptoCreateAccount: { key: { keyList: { keys: [key, key] } } } });
  const estimate = async (app: FastifyInstance) => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/network/fees',
      headers: PROTOBUF,
      payload: create,
    });
    await app.close();
    return response;
  };

  test("the ledger's own schedule is named by its consensus time", async () => {
    const version = {
      contents: smallScheduleBytes(),
      firstTimestamp: 1n,
      lastTimestamp: 1_700_000_000_000_000_001n,
    };
    const response = await estimate(
      await buildFeeApp({ files: { newestVersion: async () => version, firstVersion: async () => version } }),
    );
    expect(response.headers['x-fee-schedule']).toBe('1700000000.000000001');
    expect(response.json().total).toBe(10 * 100 + 500 + 70);
  });

  test("the operator's file comes before the bundled one", async () => {
    const readFile = () => smallScheduleBytes();
    const response = await estimate(await buildFeeApp({ scheduleFilePath: 'prices.pb', readFile }));
    expect(response.headers['x-fee-schedule']).toBe('file');
    expect(response.json().total).toBe(1570);
  });

  test("a bad operator's file stops the start and is named", async () => {
    const readFile = () => Buffer.from('{}');
    await expect(buildFeeApp({ scheduleFilePath: 'prices.json', readFile })).rejects.toThrow(
      'invalid fee schedule: prices.json: the node fee is missing',
    );
    await expect(buildFeeApp({ scheduleFilePath: '/nowhere/prices.json' })).rejects.toThrow('cannot be read');
  });

  test('no schedule is 503, which clients try again', async () => {
    const { default: Fastify } = await import('fastify');
    const app = Fastify();
    const errors: unknown[] = [];
    app.setErrorHandler((error, _request, reply) => {
      errors.push(error);
      return reply.code(503).send('');
    });
    await app.register(
      feeRoutes({
        bodies: createBodyIntake(),
        bodyLimitBytes: 20_000,
        schedules: { current: () => null },
        state: stateOf(),
        rateNow: async () => null,
      }),
    );
    expect((await estimate(app)).statusCode).toBe(503);
    expect(errors).toEqual([new MirrorApiError(503, [{ message: 'Service Unavailable' }])]);
  });

  test('amounts beyond 2^53 keep all digits', async () => {
    const readFile = () => smallScheduleBytes(Number.MAX_SAFE_INTEGER);
    const response = await estimate(await buildFeeApp({ scheduleFilePath: 'prices.pb', readFile }));
    expect(response.body).toContain('"total":90071992547410480}');
  });
});

describe('POST /api/v1/network/fees, hostile bodies', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildFeeApp();
  });
  afterAll(() => app.close());

  const post = (payload: Uint8Array, mode: string) =>
    app.inject({
      method: 'POST',
      url: `/api/v1/network/fees?mode=${mode}`,
      headers: PROTOBUF,
      payload: Buffer.from(payload),
    });
  const mode = fc.constantFrom('intrinsic', 'state');

  test('random bytes are answered 4xx or 200', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), mode, async (bytes, inMode) => {
        expect([200, 400]).toContain((await post(bytes, inMode)).statusCode);
      }),
      { numRuns: 1000 },
    );
  });

  test('transactions with changed bytes are answered 4xx or 200', async () => {
    const edits = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    const tokenTransfers = [{ token: { tokenNum: 5n }, transfers: [{ accountID: account(1n), amount: 1n }] }];
    const originals = [
      transfer,
      transactionBytes({ cryptoTransfer: { tokenTransfers } }),
      transactionBytes({ tokenCreation: { adminKey: ed25519Key(1), name: 'name', memo: 'memo' } }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...originals), edits, mode, async (original, changes, inMode) => {
        const bytes = Uint8Array.from(original);
        for (const [position, value] of changes) bytes[position % bytes.length] = value;
        expect([200, 400]).toContain((await post(bytes, inMode)).statusCode);
      }),
      { numRuns: 2000 },
    );
  });
});

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** Sends chunks without a length until the answer comes. */
function chunked(
  port: number,
  chunks: readonly Buffer[],
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', method: 'POST', path: '/api/v1/network/fees', headers: PROTOBUF },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text) => {
          body += text;
        });
        response.on('end', () => resolve({ status: response.statusCode, body }));
      },
    );
    request.on('error', reject);
    Readable.from(chunks).pipe(request);
  });
}
