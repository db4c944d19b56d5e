import { expect, test } from 'vitest';
import { aTransaction } from '../kit/mirror/ledger-rows.ts';
import { isLeftOut } from '../support/left-out.ts';
import { forEachBackend, NOT_SHARED } from './backends.ts';
import { recordUnit, START } from './ledger-units.ts';

forEachBackend('a database as a whole', (begin, { isShared }) => {
  test('works: a row is written and read, writes are taken', async () => {
    const { maintenance } = await begin().open();
    await expect(maintenance.health.check(1)).resolves.toBeUndefined();
    expect(maintenance.writes()).toMatchObject({ writes: 'working', reason: null });
    const free = (await maintenance.freeShare()) ?? 0.5;
    expect(free).toBeGreaterThanOrEqual(0);
    expect(free).toBeLessThanOrEqual(1);
  });

  test('is closed twice without harm', async () => {
    const store = await begin().open();
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });

  test.skipIf(isLeftOut(isShared ? null : NOT_SHARED))(
    'has what was stored when it is opened again',
    async () => {
      const database = begin();
      const first = await database.open();
      await first.mirror.ledger.commitUnit(recordUnit('a', { transactions: [aTransaction(START)] }));
      await first.close();
      const { mirror } = await database.open();
      expect(await mirror.ledger.lastUnit()).toMatchObject({ name: 'a' });
    },
  );
});
