import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerDirectly, DirectAnswer } from '../../http/direct-answer.ts';
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
  const newest = createNewestPages<KeptPage>(stamp);
  const readPage = (target: string) =>
    andThen(list(target), (answer): KeptPage => ({ answer, packed: null }));
  // A page whose range follows the clock changes with it.
  const listTransactions: typeof readPage =
    dependencies.maxRangeNanos === null ? (target) => newest.page(target, () => readPage(target)) : readPage;
  // The newest page is the same answer for everybody, and made and packed for the first of them.
  const packedPage = (page: FoundPage): DirectAnswer | null => {
    const { kept } = page;
    if (kept.packed?.version !== page.version || kept.packed.end !== page.end) {
      kept.packed = { direct: directPage(page, true), end: page.end, version: page.version };
    }
    return kept.packed.direct;
  };
  const directPage = (
    { end, kept: { answer }, version }: FoundPage,
    takesGzip: boolean,
  ): DirectAnswer | null => {
    const bytes = pageBytes(answer);
    if (takesGzip && bytes > PACK_AT_ONCE_BYTES) return null;
    const isPacked = takesGzip && bytes >= PACK_FROM_BYTES;
    const ready = readyHeaders({ next: linkBelow(root, answer.next), maxAgeSeconds: LIST_SECONDS }, version);
    let packedBody: Buffer | null = null;
    const packOnce = () => (packedBody ??= pack(printPage(answer)));
    return {
      statusCode: 200,
      route: PATH,
      headers: [...watermarkLines(end), ...ready, ...(isPacked ? ['content-encoding', 'gzip'] : [])],
      body: isPacked ? packOnce : () => printPage(answer),
    };
  };

  const found = together(
    (target: string): Awaitable<FoundPage> =>
      andThen(listTransactions(target), (kept) =>
        andThen(edition(), (name) =>
          andThen(watermark(), (end) => ({
            kept,
            // Equal rows of another ledger, or from before a rebuild, may print otherwise.
            version: `${kept.answer.version}-${name}`,
            end,
          })),
        ),
      ),
  );
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { end, kept: { answer }, version }: FoundPage,
  ): FastifyReply => {
    const { next } = answer;
    addHeaders(reply, watermarkLines(end));
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
      return andThen(found(target), packing === 'gzip' ? packedPage : (page) => directPage(page, false));
    },
  };
}

/** A page with what was sent of it; no weak map, which holds its values until the next full collection. */
interface KeptPage {
  readonly answer: ListAnswer;
  packed: {
    readonly direct: DirectAnswer | null;
    readonly end: string | null;
    readonly version: string;
  } | null;
}

/** A page with what its headers tell of the ledger. */
interface FoundPage {
  readonly kept: KeptPage;
  readonly version: string;
  /** The newest one of the ledger when it was found. */
  readonly end: string | null;
}

const watermarkLines = (end: string | null): HeaderLines => (end === null ? [] : [WATERMARK_HEADER, end]);

/** The usual spelling; others find their way through the router. */
function isListTarget(target: string): boolean {
  return target.startsWith(PATH) && (target.length === PATH.length || target[PATH.length] === '?');
}
