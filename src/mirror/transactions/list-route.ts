import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerDirectly } from '../../http/direct-answer.ts';
import { addHeaders, type HeaderLines } from '../../http/header-lines.ts';
import { PACK_AT_ONCE_BYTES, PACK_FROM_BYTES, pack, packingOf } from '../../http/packing.ts';
import { type Awaitable, andThen } from '../../values/and-then.ts';
import { together } from '../../values/together.ts';
import { type Edition, WATERMARK_HEADER, type Watermark } from '../ledger/watermark.ts';
import { linkBelow, readyHeaders, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import {
  createTransactionList,
  type ListAnswer,
  type ListDependencies,
  pageBytes,
  printPage,
} from './list-transactions.ts';
import { createNewestPages, type LedgerStamp } from './newest-pages.ts';
import { TransactionListAnswer, TransactionListQuery } from './schemas.ts';

const PATH = '/api/v1/transactions';
const LIST_SECONDS = 2;

/** `GET /api/v1/transactions` as a route, and directly where nothing but the page has to be found. */
export interface ListRoute {
  readonly routes: FastifyPluginAsync;
  readonly answerDirectly: AnswerDirectly;
}

/** @see contracts/mirror-transactions.md sections 3 to 5, docs/adr/0012-ready-responses.md */
export function createListRoute(
  dependencies: ListDependencies,
  watermark: Watermark,
  edition: Edition,
  stamp: LedgerStamp,
  root = '',
): ListRoute {
  const list = createTransactionList(dependencies);
  const newest = createNewestPages<ListAnswer>(stamp);
  // A page whose range follows the clock changes with it.
  const listTransactions: typeof list =
    dependencies.maxRangeNanos === null ? (target) => newest.page(target, () => list(target)) : list;
  // The newest page is the same answer for everybody, and packed for the first of them.
  const packed = new WeakMap<ListAnswer, Buffer>();
  const packedPage = (answer: ListAnswer): Buffer => {
    const body = packed.get(answer) ?? pack(printPage(answer));
    packed.set(answer, body);
    return body;
  };

  const found = together(
    (target: string): Awaitable<FoundPage> =>
      andThen(listTransactions(target), (answer) =>
        andThen(edition(), (name) =>
          andThen(watermark(), (end) => ({
            answer,
            // Equal rows of another ledger, or from before a rebuild, may print otherwise.
            version: `${answer.version}-${name}`,
            headers: end === null ? [] : [WATERMARK_HEADER, end],
          })),
        ),
      ),
  );
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { answer, headers, version }: FoundPage,
  ): FastifyReply => {
    const { next } = answer;
    addHeaders(reply, headers);
    const body = () => printPage(answer);
    return sendReady(request, reply, { body, next, version, maxAgeSeconds: LIST_SECONDS });
  };

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
          if (page instanceof Promise) return page.then((arrived) => send(request, reply, arrived));
          // Nothing to wait for: what was returned here would be waited for.
          send(request, reply, page);
          return undefined;
        },
      );
    },
    answerDirectly(target, headers) {
      // Comparing tags and other ways of packing are the route's.
      const packing = packingOf(headers);
      if (packing === null || headers['if-none-match'] !== undefined || !isListTarget(target)) return null;
      return andThen(found(target), ({ answer, headers: ofLedger, version }) => {
        const bytes = pageBytes(answer);
        if (packing === 'gzip' && bytes > PACK_AT_ONCE_BYTES) return null;
        const isPacked = packing === 'gzip' && bytes >= PACK_FROM_BYTES;
        const next = linkBelow(root, answer.next);
        const ready = readyHeaders({ next, version, maxAgeSeconds: LIST_SECONDS });
        return {
          statusCode: 200,
          route: PATH,
          headers: isPacked ? [...ofLedger, ...ready, 'content-encoding', 'gzip'] : [...ofLedger, ...ready],
          body: () => (isPacked ? packedPage(answer) : printPage(answer)),
        };
      });
    },
  };
}

/** A page with what its headers tell of the ledger. */
interface FoundPage {
  readonly answer: ListAnswer;
  readonly version: string;
  readonly headers: HeaderLines;
}

/** The usual spelling; others find their way through the router. */
function isListTarget(target: string): boolean {
  return target.startsWith(PATH) && (target.length === PATH.length || target[PATH.length] === '?');
}
