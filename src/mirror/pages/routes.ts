import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { BodyError } from '../../http/bodies/body-errors.ts';
import { printHtml } from '../../pages/html.ts';
import { serveAssets } from '../../pages/site/assets.ts';
import { type Site, sendSitePage } from '../../pages/site/site-page.ts';
import type { Clock } from '../../values/clock.ts';
import { isStorageError } from '../../values/storage-errors.ts';
import { MirrorApiError, notFoundError } from '../errors.ts';
import { readQuery } from '../parameters/query-text.ts';
import { targetOf } from '../route-schema.ts';
import type { LedgerQuestions } from './ask/ledger-questions.ts';
import { type AccountPageParts, accountPage } from './entities/account-page.ts';
import { blockPage, blocksPage } from './entities/block-pages.ts';
import { search } from './entities/search.ts';
import { searchPage } from './entities/search-page.ts';
import { tokenPage } from './entities/token-page.ts';
import { topicPage } from './entities/topic-page.ts';
import { type FeePagesParts, serveFeePages } from './fees/fee-routes.ts';
import { networkPage } from './network/network-page.ts';
import { faultPage } from './parts/fault-page.ts';
import { LEDGER_SHEET, type PageContext } from './parts/ledger-frame.ts';
import { idsIn, ledgerLinks } from './parts/ledger-links.ts';
import type { ShownKinds } from './parts/shown-kinds.ts';
import { createFigures, type FigureSources } from './transactions/figures.ts';
import { LEDGER_SCRIPT, listPage, newestRows } from './transactions/list-page.ts';
import { transactionPage } from './transactions/transaction-page.ts';

/** Ids of a page that are looked up; those of further ones, such as in the arguments of a call, stay plain text. */
const MAX_LINKED = 1000;

function distinct<T>(values: Iterable<T>, limit: number): ReadonlySet<T> {
  const found = new Set<T>();
  for (const value of values) {
    if (found.size === limit) break;
    found.add(value);
  }
  return found;
}

interface LedgerPagesParts extends FigureSources, Pick<AccountPageParts, 'sourceStates'> {
  readonly questions: LedgerQuestions;
  readonly shownKinds: ShownKinds;
  readonly fees: FeePagesParts;
  readonly clock: Clock;
  readonly site: Site;
  /** Address under which clients reach the server; null when it is the one that each of them asks. */
  readonly publicUrl: string | null;
}

const PAGE = { schema: { hide: true }, compress: false } as const;

/** `/ledger/…` for people. @see docs/adr/0024-pages.md */
export function ledgerPages(parts: LedgerPagesParts): FastifyPluginAsync {
  const { clock, newestTime, questions, shownKinds, sourceStates } = parts;
  const lists = { questions, clock, figures: createFigures(parts) };
  const contextOf = (request: FastifyRequest): PageContext => ({
    site: parts.site,
    serverUrl: parts.publicUrl ?? `${request.protocol}://${request.host}`,
    linksTo: async (...answers) =>
      ledgerLinks(parts.site, await shownKinds(distinct(idsIn(answers), MAX_LINKED))),
  });

  return async (app) => {
    serveAssets(app, [LEDGER_SHEET, LEDGER_SCRIPT]);
    answerFaults(app, contextOf);
    const serve = (
      path: string,
      render: (text: string, target: string, context: PageContext) => Promise<string>,
    ) =>
      app.get<{ Params: { text?: string } }>(path, PAGE, async (request, reply) =>
        sendSitePage(
          request,
          reply,
          await render(request.params.text ?? '', targetOf(request), contextOf(request)),
        ),
      );

    app.get('/ledger', PAGE, async (request, reply) => {
      const { page, statusCode } = await listPage(targetOf(request), contextOf(request), lists);
      return sendSitePage(request, reply, page, { statusCode });
    });
    app.get('/ledger/newest', PAGE, async (request, reply) =>
      sendSitePage(request, reply, printHtml(await newestRows(targetOf(request), contextOf(request), lists))),
    );
    serve('/ledger/transactions/:text', (text, target, context) =>
      transactionPage(withFlag(text, target), context, questions, sourceStates),
    );
    serve('/ledger/accounts/:text', (text, target, context) =>
      accountPage(text, target, context, { newestTime, questions, sourceStates }),
    );
    serve('/ledger/tokens/:text', (text, _, context) => tokenPage(text, context, questions));
    serve('/ledger/topics/:text', (text, target, context) => topicPage(text, target, context, questions));
    serve('/ledger/blocks', (_, target, context) => blocksPage(target, context, questions));
    serve('/ledger/blocks/:text', (text, target, context) => blockPage(text, target, context, questions));
    serve('/ledger/network', (_, target, context) => networkPage(target, context, { newestTime, questions }));
    serveFeePages(app, parts.fees, contextOf);
    app.get('/ledger/search', PAGE, async (request, reply) => {
      const text = readQuery(targetOf(request)).findLast(({ name }) => name === 'q')?.value ?? '';
      const outcome = await search(text, parts);
      if (outcome.kind === 'page') return reply.redirect(`${parts.site.root}/ledger/${outcome.path}`, 303);
      return sendSitePage(request, reply, searchPage(text.trim(), outcome, contextOf(request)), {
        statusCode: outcome.kind === 'nothing' && text.trim() !== '' ? 404 : 200,
      });
    });
    app.get('/ledger/*', PAGE, async () => {
      throw notFoundError();
    });
  };
}

/** An address may end as the SDKs print ids: `0.0.2@1.000000002?scheduled`. */
function withFlag(text: string, target: string): string {
  return /\?scheduled(?:=?$|\/\d+$)/.test(target)
    ? `${text}${target.slice(target.indexOf('?')).replace(/=$/, '')}`
    : text;
}

/** Refusals are pages too; faults are the server's to answer and to log. */
function answerFaults(app: FastifyInstance, contextOf: (request: FastifyRequest) => PageContext): void {
  app.setErrorHandler(async (error, request, reply): Promise<FastifyReply> => {
    const told = asRefusal(error);
    if (told === null) throw error;
    if (isStorageError(error)) reply.header('retry-after', String(error.retryAfterSeconds));
    if (error instanceof BodyError) reply.headers(error.headers);
    return sendSitePage(request, reply, faultPage(told, contextOf(request)), { statusCode: told.statusCode });
  });
}

/** Null for what is no refusal. */
function asRefusal(error: unknown): MirrorApiError | null {
  if (error instanceof MirrorApiError) return error;
  if (isStorageError(error)) {
    return new MirrorApiError(503, [{ message: 'Service unavailable', detail: error.reason }]);
  }
  return error instanceof BodyError
    ? new MirrorApiError(error.statusCode, [{ message: error.message }])
    : null;
}
