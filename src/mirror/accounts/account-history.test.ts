import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
const ALICE = entityId(1001n);
const at = (second: bigint) => consensusTimestamp(START + second * 1_000_000_000n);
const pays = (second: bigint, amount: bigint) =>
  aTransaction(at(second), { transfers: [aTransfer(1001n, amount), aTransfer(98n, -amount)] });

let mirror: MirrorApp;
beforeAll(async () => {
  mirror = await buildMirrorApp({ dialect: 'hiero' });
  await mirror.area.ledger.commitUnit(
    fixtureUnit('history', {
      transactions: [
        aTransaction(at(0n), { type: 11, entityId: ALICE, transfers: [aTransfer(1001n, 100n)] }),
        pays(10n, -1n),
        pays(15n, -2n),
        pays(20n, -3n),
      ],
      entities: [{ entity: ALICE, type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: at(0n) }],
      entityChanges: [
        { entity: ALICE, type: 'ACCOUNT', changedTimestamp: at(0n), memo: 'a' },
        { entity: ALICE, changedTimestamp: at(10n), memo: 'b' },
        { entity: ALICE, changedTimestamp: at(20n), memo: 'c', isDeleted: true },
      ],
    }),
  );
});
afterAll(() => mirror.close());

const ask = async (query: string) => {
  const answer = await mirror.app.inject(`/api/v1/accounts/1001?transactions=false&${query}`);
  return [answer.statusCode, (answer.json() as { memo?: string }).memo];
};
const second = (offset: number) => `170000${String(offset).padStart(4, '0')}`;

describe('an account at a time', () => {
  test.each([
    ['', 200, 'c'],
    [`timestamp=${second(0)}`, 200, 'a'],
    [`timestamp=${second(9)}.999999999`, 200, 'a'],
    [`timestamp=${second(10)}`, 200, 'b'],
    [`timestamp=lt:${second(10)}`, 200, 'a'],
    [`timestamp=lte:${second(19)}&timestamp=gt:${second(5)}`, 200, 'b'],
    [`timestamp=gte:${second(5)}`, 200, 'c'],
    // It was not so at the time, and it held before or after.
    [`timestamp=ne:${second(25)}`, 200, 'b'],
    [`timestamp=ne:${second(25)}&timestamp=ne:${second(12)}`, 200, 'a'],
    [`timestamp=ne:${second(25)}&timestamp=ne:${second(12)}&timestamp=ne:${second(5)}`, 404, undefined],
    ['timestamp=lt:1700000000', 404, undefined],
    [`timestamp=gt:${second(5)}&timestamp=lt:${second(5)}`, 404, undefined],
    [`timestamp=${second(5)}&timestamp=${second(6)}`, 404, undefined],
  ])('%s is answered %i with the memo %s', async (query, status, memo) => {
    expect(await ask(query)).toEqual([status, memo]);
  });

  test('shows only what names it: transactions at exactly that time', async () => {
    const answer = await mirror.app.inject(`/api/v1/accounts/1001?timestamp=${second(10)}`);
    const { deleted, transactions } = answer.json() as { deleted: boolean; transactions: object[] };
    expect([deleted, transactions.length]).toEqual([false, 1]);
  });

  test('has no next page that ends before its creation, where it is not found', async () => {
    const nextAt = async (limit: number) => {
      const answer = await mirror.app.inject(`/api/v1/accounts/1001?limit=${limit}`);
      return (answer.json() as { links: { next: string | null } }).links.next;
    };
    expect(await nextAt(4)).toBeNull();
    const next = await nextAt(3);
    expect((await mirror.app.inject(next ?? '')).statusCode).toBe(200);
    expect(
      await mirror.app.inject(`/api/v1/accounts/1001?limit=4&order=asc`).then((it) => it.json()),
    ).toMatchObject({
      links: { next: `/api/v1/accounts/1001?limit=4&order=asc&timestamp=gt:${second(20)}.000000000` },
    });
  });

  test('is still asked for in the order query, path, object', async () => {
    const told = async (path: string) => (await mirror.app.inject(`/api/v1/accounts/${path}`)).json();
    const invalid = (name: string) => ({
      _status: { messages: [{ message: `Invalid parameter: ${name}` }] },
    });
    expect(await told('x.y?timestamp=z')).toEqual(invalid('timestamp'));
    expect(await told('x.y?timestamp=5')).toEqual(invalid('idOrAliasOrEvmAddress'));
  });
});
