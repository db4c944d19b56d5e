import { setImmediate as otherEvents } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AnswerDirectly } from '../../http/direct-answer.ts';
import { createKeptAnswers, type LedgerStamp } from '../kept-answers.ts';
import { createListRoute } from './list-route.ts';
import { EMPTY_PAGE } from './page-text.ts';
import type { TransactionPage } from './transaction-filter.ts';

/** The list over a database that answers later. */
function listOver(
  page: () => Promise<TransactionPage>,
  stamp: LedgerStamp = () => expect.unreachable(),
): AnswerDirectly {
  return createListRoute(
    {
      transactions: {
        page,
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
    createKeptAnswers({
      stamp,
      watermark: Object.assign(() => null, { forget: () => undefined }),
      changed: () => undefined,
    }),
    Object.assign(() => '1', { forget: () => undefined }),
  ).answerDirectly;
}

test.each([
  ['/api/v1/transactions', { stamps: 2, pages: 1 }],
  ['/api/v1/transactions?account.id=0.0.5', { stamps: 0, pages: 2 }],
])('clients that ask for %s at the same time ask the database together', async (target, expected) => {
  const asked = { stamps: 0, pages: 0 };
  const answerDirectly = listOver(
    async () => {
      asked.pages += 1;
      return EMPTY_PAGE;
    },
    async () => {
      asked.stamps += 1;
      return '1';
    },
  );
  const answers = await Promise.all(Array.from({ length: 50 }, () => answerDirectly(target, {})));
  for (const answer of answers) expect(answer?.statusCode).toBe(200);
  expect(asked.pages).toBe(expected.pages);
  expect(asked.stamps).toBeLessThanOrEqual(expected.stamps);
});

test('a page that the database does not give keeps nobody from another one', async () => {
  const answers: ((page: TransactionPage) => void)[] = [];
  const answerDirectly = listOver(() => new Promise((resolve) => answers.push(resolve)));
  const [stuck, other] = ['5', '6'].map((id) =>
    answerDirectly(`/api/v1/transactions?account.id=0.0.${id}`, {}),
  );
  await otherEvents();
  expect(answers).toHaveLength(2);
  answers[1]?.(EMPTY_PAGE);
  expect(await other).toMatchObject({ statusCode: 200 });
  answers[0]?.(EMPTY_PAGE);
  expect(await stuck).toMatchObject({ statusCode: 200 });
});
