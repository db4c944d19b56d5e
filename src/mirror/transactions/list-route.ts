import type { FastifyPluginAsync } from 'fastify';
import type { AnswerDirectly } from '../../http/direct-answer.ts';
import { mapMaybe } from '../../values/map-maybe.ts';
import { together } from '../../values/together.ts';
import type { FoundAnswer, KeptAnswers } from '../kept-answers.ts';
import type { Edition } from '../ledger/watermark.ts';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { createTransactionList, type ListDependencies, pageBytes, printPage } from './list-transactions.ts';
import { TransactionListAnswer, TransactionListQuery } from './schemas.ts';

const PATH = '/api/v1/transactions';
const LIST_SECONDS = 2;

/** `GET /api/v1/transactions` as a route, and directly where nothing but the page has to be found. */
interface ListRoute {
  readonly routes: FastifyPluginAsync;
  readonly answerDirectly: AnswerDirectly;
}

/** @see contracts/mirror-transactions.md sections 3 to 5, docs/adr/0012-ready-responses.md */
export function createListRoute(
  dependencies: ListDependencies,
  kept: KeptAnswers,
  edition: Edition,
): ListRoute {
  const list = createTransactionList(dependencies);
  const readPage = (target: string) =>
    mapMaybe(list(target), (page) =>
      mapMaybe(
        edition(),
        (name): FoundAnswer => ({
          route: PATH,
          body: () => printPage(page),
          bytes: pageBytes(page),
          maxAgeSeconds: LIST_SECONDS,
          next: page.next,
          // Equal rows of another ledger, or from before a rebuild, may print otherwise.
          version: `${page.version}-${name}`,
        }),
      ),
    );
  const found = together(
    // A page whose range follows the clock changes with it.
    dependencies.maxRangeNanos === null ? (target) => kept.answer(target, () => readPage(target)) : readPage,
  );

  return {
    routes: async (app) => {
      app.get(
        PATH,
        {
          schema: documented('List transactions', {
            query: TransactionListQuery,
            answer: TransactionListAnswer,
          }),
        },
        (request, reply) => {
          const page = found(targetOf(request));
          if (page instanceof Promise) return page.then((arrived) => sendReady(request, reply, arrived));
          // Nothing to wait for: what was returned here would be waited for.
          sendReady(request, reply, page);
          return undefined;
        },
      );
    },
    answerDirectly: (target, headers) =>
      isListTarget(target) ? kept.direct(() => found(target), headers) : null,
  };
}

/** The usual spelling; others find their way through the router. */
function isListTarget(target: string): boolean {
  return target.startsWith(PATH) && (target.length === PATH.length || target[PATH.length] === '?');
}
