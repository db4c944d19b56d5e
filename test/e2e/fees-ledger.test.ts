import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { bundledScheduleJson } from '../kit/mirror/fees/random-schedule.ts';
import { scheduleBytes, smallScheduleBytes } from '../kit/mirror/fees/schedules.ts';
import { account, transactionBytes } from '../kit/mirror/fees/transactions.ts';
import { aToken, someFees } from '../kit/mirror/ledger/a-token.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const SECOND = 1_000_000_000n;
const at = (seconds: bigint) => consensusTimestamp((1_700_000_000n + seconds) * SECOND);
const FEE_SCHEDULE_FILE = entityId(113n);

const tokenTransfer = transactionBytes({
  cryptoTransfer: {
    tokenTransfers: [
      {
        token: { tokenNum: 5005n },
        transfers: [
          { accountID: account(1001n), amount: -1n },
          { accountID: account(2000n), amount: 1n },
        ],
      },
    ],
  },
});

/** The tests build on each other: the ledger grows from one to the next. */
describe('POST /api/v1/network/fees of the whole server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({});
  });
  afterAll(() => server.close());

  const estimate = (payload: Buffer, query = '') =>
    fetch(`${server.url}/api/v1/network/fees${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/protobuf' },
      body: new Uint8Array(payload),
    });

  test('prices a token transfer by what the ledger knows of the token at that moment', async () => {
    const before = await (await estimate(tokenTransfer, '?mode=state')).json();
    expect(before).toMatchObject({ total: 2_000_000, notes: [expect.stringContaining('token 0.0.5005')] });
    await server.services.mirror.ledger.commitUnit(
      fixtureUnit('token', {
        balances: [{ account: entityId(1001n), balance: 1n, timestamp: at(0n) }],
        tokens: [aToken(5005n, at(0n))],
        customFees: [someFees(5005n, at(0n), 1)],
      }),
    );
    const after = await (await estimate(tokenTransfer, '?mode=state')).json();
    expect(after).toMatchObject({ total: 20_000_000 });
    expect(after).not.toHaveProperty('notes');
  });

  test("takes the ledger's own schedule once its last piece is imported", async () => {
    const deletion = transactionBytes({ cryptoDelete: {} });
    const schedule = smallScheduleBytes();
    const piece = async (seconds: bigint, transactionType: 16 | 19, contents: Uint8Array) => {
      const consensusTimestamp = at(seconds);
      await server.services.mirror.ledger.commitUnit(
        fixtureUnit(`schedule ${seconds}`, {
          filePieces: [{ file: FEE_SCHEDULE_FILE, consensusTimestamp, transactionType, contents }],
        }),
      );
    };
    await piece(10n, 19, schedule.subarray(0, 30));
    expect((await estimate(deletion)).headers.get('x-fee-schedule')).toBe('bundled');
    await piece(11n, 16, schedule.subarray(30));
    const answer = await estimate(deletion);
    expect(answer.headers.get('x-fee-schedule')).toBe('1700000011.000000000');
    expect(await answer.json()).toMatchObject({ total: 10 * 100 + 7 });
  });

  test('refuses other methods and content types with CORS headers', async () => {
    const put = await fetch(`${server.url}/api/v1/network/fees`, { method: 'PUT' });
    expect([put.status, put.headers.get('access-control-allow-origin')]).toEqual([405, '*']);
    expect(await put.json()).toEqual({
      _status: {
        messages: [{ message: 'Method Not Allowed', detail: "Request method 'PUT' is not supported" }],
      },
    });
    const json = await fetch(`${server.url}/api/v1/network/fees`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([json.status, json.headers.get('access-control-allow-origin')]).toEqual([415, '*']);
  });
});

describe('fee estimates of a server that imports a stream', () => {
  let folder = '';
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-fees-'));
    server = await startTestServer({});
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("take prices, rates and tokens from the ledger's own files and transactions", {
    timeout: 60_000,
  }, async () => {
    const bundled = bundledScheduleJson();
    // A network with prices of its own: the node part costs twice as much. Written by an update and two appends.
    const contents = scheduleBytes({ ...bundled, node: { ...bundled.node, baseFee: 200_000 } });
    expect(contents.length).toBeGreaterThan(2048);
    await writeStream(writeIntoFolder(folder), {
      files: 2,
      keyBits: 1024,
      systemFiles: [{ num: 113n, contents }],
    });
    const estimate = async (payload: Buffer, query: string) => {
      const answer = await fetch(`${server.url}/api/v1/network/fees${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/protobuf' },
        body: new Uint8Array(payload),
      });
      return { schedule: answer.headers.get('x-fee-schedule'), body: await answer.json() };
    };
    const deletion = transactionBytes({ cryptoDelete: {} });
    expect(await estimate(deletion, '')).toMatchObject({ schedule: 'bundled', body: { total: 50_000_000 } });

    const [report] = await server.services.imports.run([folder]);
    expect(report).toMatchObject({ units: 2, refused: [] });
    const after = await estimate(deletion, '?include=money');
    expect(after.schedule).toMatch(/^17000000\d\d\.\d{9}$/);
    expect(after.body).toMatchObject({
      total: 51_000_000,
      money: { usd: '0.0051000000', exchange_rate: { timestamp: expect.stringMatching(/^17000000/) } },
    });

    // The stream created token 2002; nobody has the number 99999.
    const transfer = transactionBytes({
      cryptoTransfer: {
        tokenTransfers: [
          {
            token: { tokenNum: 2002n },
            transfers: [
              { accountID: account(2n), amount: -1n },
              { accountID: account(99_999n), amount: 1n },
            ],
          },
        ],
      },
    });
    expect((await estimate(transfer, '?mode=state')).body).toMatchObject({
      total: 11_000_000,
      additions: [
        { name: 'CREATED_ACCOUNTS', count: 1, fee_per_unit: 501_000_000 },
        { name: 'TOKEN_ASSOCIATE', count: 1, fee_per_unit: 500_000_000 },
      ],
    });
  });
});
