import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { toBase32 } from '../../values/base32.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { EntityAlias } from '../ledger/rows.ts';
import { messages } from '../protobuf/messages.ts';

const START = 1_700_000_000_000_000_000n;
const at = (second: bigint) => consensusTimestamp(START + second * 1_000_000_000n);
const keyOf = (byte: number) => messages.Key.encode({ ed25519: new Uint8Array(32).fill(byte) });
const [LIVE, GONE, USED] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(20)) as [string, string, string];
const alias = (byte: number) => toBase32(keyOf(byte));

const entity = (num: bigint, evmAddress: string, byte: number | null, second = 0n): EntityAlias => ({
  entity: entityId(num),
  type: byte === null ? 'CONTRACT' : 'ACCOUNT',
  alias: byte === null ? null : keyOf(byte),
  evmAddress: Buffer.from(evmAddress, 'hex'),
  createdTimestamp: at(second),
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
  await server.services.mirror.ledger.commitUnit(
    fixtureUnit('names', {
      transactions: [
        aTransaction(START, { transfers: [aTransfer(1001n, -5n), aTransfer(1002n, 5n)] }),
        aTransaction(START + 9n, { payer: entityId(1002n), transfers: [aTransfer(1002n, -1n)] }),
      ],
      entities: [
        entity(1001n, LIVE, 1),
        entity(1002n, GONE, 2),
        // Its address was used again after it had gone, and the second owner is older.
        entity(1003n, USED, 3, 5n),
        entity(1004n, USED, 4, 1n),
        entity(2001n, 'dd'.repeat(20), null),
      ],
      entityChanges: [1002n, 1003n, 2001n].map((num) => ({
        entity: entityId(num),
        changedTimestamp: at(6n),
        isDeleted: true,
      })),
      balances: [1001n, 1002n].map((num) => ({
        account: entityId(num),
        balance: 10n,
        timestamp: at(7n),
      })),
    }),
  );
});
afterAll(() => server.close());

async function get(path: string): Promise<[number, Record<string, unknown>]> {
  const answer = await fetch(`${server.url}/api/v1/${path}`);
  return [answer.status, (await answer.json()) as Record<string, unknown>];
}

describe('an address that nobody has', () => {
  const NOBODY = 'ee'.repeat(20);
  const count = async (query: string) => {
    const [status, { transactions }] = await get(`transactions?${query}`);
    return [status, (transactions as unknown[]).length];
  };

  test.each([
    [`account.id=${NOBODY}`, 0],
    [`account.id=0x${NOBODY}&account.id=1001`, 1],
    [`account.id=1001&account.id=${NOBODY}`, 1],
    [`account.id=${LIVE}&account.id=${NOBODY}&account.id=1002`, 2],
    [`account.id=${NOBODY}&account.id=gt:1000`, 0],
    [`account.id=${NOBODY}&account.id=ne:1001`, 0],
    [`account.id=ne:${NOBODY}&account.id=1002`, 2],
    [`account.id=gte:${NOBODY}&account.id=1002`, 0],
    ['account.id=9999999999.9999999999.9999999999&account.id=1001', 1],
  ])('%s lists %d transactions', async (query, transactions) => {
    expect(await count(query)).toEqual([200, transactions]);
  });
});

describe('a deleted account', () => {
  test.each([`0x${GONE}`, GONE, `0.0.${GONE}`, alias(2), `0.0.${alias(2)}`])(
    'is not found as %s',
    async (name) => {
      expect((await get(`accounts/${name}`))[0]).toBe(404);
      const [status, { balances }] = await get(`balances?account.id=${name.replace(/^(0x|0\.0\.)/, '')}`);
      expect([status, balances]).toEqual([200, []]);
    },
  );

  test('is still found by its id, and selects nothing in lists by its address', async () => {
    expect(await get('accounts/0.0.1002')).toMatchObject([200, { account: '0.0.1002', deleted: true }]);
    expect((await get(`transactions?account.id=${GONE}`))[1]['transactions']).toEqual([]);
    expect((await get('transactions?account.id=1002'))[1]['transactions']).toHaveLength(2);
  });

  test('leaves its address to whoever has it now', async () => {
    expect(await get(`accounts/${USED}`)).toMatchObject([200, { account: '0.0.1004' }]);
  });

  test('is no contract: what a deleted contract was can be asked by its address', async () => {
    const address = `0x${'dd'.repeat(20)}`;
    expect(await get(`contracts/${address}`)).toMatchObject([
      200,
      { contract_id: '0.0.2001', deleted: true },
    ]);
    expect((await get(`accounts/${address}`))[0]).toBe(404);
  });
});

test.each([
  [`0.0.${alias(1)}`, 200],
  [`0.${alias(1)}`, 200],
  [`0.0.${LIVE}`, 200],
  [`1.0.${alias(1)}`, 400],
  [`0.1.${alias(1)}`, 400],
  [`1.${alias(1)}`, 400],
  [`1.0.${LIVE}`, 400],
  [`0.1.${LIVE}`, 400],
  [`7.${LIVE}`, 400],
])('accounts/%s is answered %d: only this network is known', async (name, status) => {
  expect((await get(`accounts/${name}`))[0]).toBe(status);
  // Balances take neither shard nor realm before a name.
  expect((await get(`balances?account.id=${name}`))[0]).toBe(name.includes('.') ? 400 : 200);
});

test.each(['transactions', 'blocks'])('%s/0X… is no hash', async (list) => {
  expect((await get(`${list}/0X${'ab'.repeat(48)}`))[0]).toBe(400);
  expect((await get(`${list}/0x${'ab'.repeat(48)}`))[0]).toBe(404);
});

test.each(['transactions?limit=100', 'transactions', 'accounts/1001', 'balances', 'blocks'])(
  'GET %s says that it varies with the encoding, packed or not',
  async (path) => {
    for (const encoding of ['identity', 'gzip', '']) {
      const answer = await fetch(`${server.url}/api/v1/${path}`, {
        headers: { 'accept-encoding': encoding },
      });
      expect([answer.status, answer.headers.get('vary')?.toLowerCase()]).toEqual([200, 'accept-encoding']);
      await answer.arrayBuffer();
    }
  },
);
