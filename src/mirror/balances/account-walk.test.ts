import { expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { answer, doWork } from '../../values/work.ts';
import { meetsAll } from '../parameters/anded-integers.ts';
import { walkAccounts } from './account-walk.ts';

const small = fc.bigInt({ min: 0n, max: 12n });
const balances = fc.record({ lower: small, upper: small, excluded: fc.uniqueArray(small, { maxLength: 3 }) });

test('a walk finds what meets its conditions, whether those of a balance are few or many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(small), { maxLength: 40 }),
      balances,
      fc.record({ lower: small, upper: small }),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (held, wanted, bounds, order, limit, areFew) => {
        const balance = { ...wanted, excluded: new Set(wanted.excluded) };
        const rows = held.map((each, id) => ({ id: BigInt(id), balance: each, key: null }));
        const sorted = order === 'asc' ? rows : rows.toReversed();
        const accounts = { kind: 'range', ...bounds, excluded: [bounds.lower + 1n] } as const;
        const counted: string[] = [];
        const found = await doWork(
          walkAccounts(
            { accounts, balance, keys: null, order, limit },
            {
              range: (lower, upper, count) =>
                answer(sorted.filter(({ id }) => id >= lower && id <= upper).slice(0, count)),
              listed: (ids) => answer(rows.filter(({ id }) => ids.includes(id))),
              withKeys: () => expect.unreachable(),
              withBalances: ({ lower, upper }) => {
                counted.push('once');
                const within = (each: bigint | null) => each !== null && each >= lower && each <= upper;
                const ids = rows.filter((row) => within(row.balance)).map(({ id }) => id);
                return answer(areFew ? ids.toReversed() : null);
              },
            },
          ),
          null,
        );
        const isWanted = ({ balance: each, id }: (typeof rows)[number]) =>
          id >= bounds.lower &&
          id <= bounds.upper &&
          !accounts.excluded.includes(id) &&
          each !== null &&
          meetsAll(balance, each);
        expect(found).toEqual(sorted.filter(isWanted).slice(0, limit));
        // Once, after a first step that was full and did not fill the page.
        const first = sorted.filter(({ id }) => id >= bounds.lower && id <= bounds.upper).slice(0, limit);
        const last = first.at(-1)?.id ?? 0n;
        const goesOn =
          first.length === limit && (order === 'asc' ? last < bounds.upper : last > bounds.lower);
        expect(counted.length).toBe(goesOn && !first.every(isWanted) ? 1 : 0);
      },
    ),
  );
});
