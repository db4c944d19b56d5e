import { expect, test } from 'vitest';
import { expectWholeWalks } from '../../../test/kit/mirror/list-walks.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

test.each([
  ['spec', null],
  ['hiero', null],
  ['spec', 400_000n],
  ['hiero', 400_000n],
] as const)(
  'following next visits exactly what a naive scan selects, in order, once (%s, time bound to %s ns)',
  async (dialect, maxRangeNanos) => {
    await expectWholeWalks({ dialect, maxRangeNanos }, async (transactions) => {
      const store = await openMemoryStore({ dialect });
      expect(await store.mirror.ledger.commitUnit(fixtureUnit('random', { transactions }))).toBe('stored');
      return { transactions: store.mirror.transactions, close: () => store.close() };
    });
  },
);
