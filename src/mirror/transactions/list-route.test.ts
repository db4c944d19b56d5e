import { expect, test } from 'vitest';
import { createListRoute } from './list-route.ts';
import { EMPTY_PAGE } from './page-text.ts';

/** A list over a database that answers later, and counts what it is asked. */
function listOfDatabase() {
  const asked = { stamps: 0, pages: 0 };
  const { answerDirectly } = createListRoute(
    {
      transactions: {
        async page() {
          asked.pages += 1;
          return EMPTY_PAGE;
        },
        findById: () => expect.unreachable(),
        findByHash: () => expect.unreachable(),
        oldestTimestamp: () => expect.unreachable(),
      },
      resolveAddress: () => expect.unreachable(),
      clock: { now: () => 0 },
      settings: {
        dialect: 'spec',
        defaultLimit: 25,
        maxLimit: 100,
        linkBase: '',
        maxRepeated: 100,
        home: { shard: 0n, realm: 0n },
      },
      maxRangeNanos: null,
    },
    Object.assign(() => null, { forget: () => undefined }),
    Object.assign(() => '1', { forget: () => undefined }),
    async () => {
      asked.stamps += 1;
      return '1';
    },
  );
  const ask = async (target: string, clients: number) => {
    const answers = await Promise.all(Array.from({ length: clients }, () => answerDirectly(target, {})));
    for (const answer of answers) expect(answer?.statusCode).toBe(200);
    return asked;
  };
  return ask;
}

test.each([
  ['/api/v1/transactions', { stamps: 2, pages: 1 }],
  ['/api/v1/transactions?account.id=0.0.5', { stamps: 0, pages: 2 }],
])('clients that ask for %s at the same time ask the database together', async (target, asked) => {
  expect(await listOfDatabase()(target, 50)).toEqual(asked);
});

test('clients that ask for pages of different accounts do not wait for each other', async () => {
  const ask = listOfDatabase();
  const accounts = ['5', '6', '7'];
  const counts = await Promise.all(accounts.map((id) => ask(`/api/v1/transactions?account.id=0.0.${id}`, 1)));
  expect(counts.at(-1)).toEqual({ stamps: 0, pages: 3 });
});
