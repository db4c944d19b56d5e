import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { ListenerOptions } from '../../http/area.ts';
import { addHeaders, type HeaderLines } from '../../http/header-lines.ts';
import { prepareText } from '../documents/prepared-documents.ts';
import { PUBLIC_CACHING, sendPrepared } from '../documents/send-prepared.ts';
import { StatusNotFoundError } from '../errors.ts';
import { acceptsType } from './accepts-type.ts';
import type { KeptPages } from './kept-pages.ts';
import type { PageContents } from './page-content.ts';
import { PAGE_CSS, PAGE_CSS_VERSION } from './page-css.ts';
import type { PageSite } from './page-site.ts';

/** No script, nothing from elsewhere, in no frame. @see contracts/status.md section 10 */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SAFETY: HeaderLines = [
  ...['content-security-policy', POLICY],
  ...['x-content-type-options', 'nosniff'],
  ...['referrer-policy', 'no-referrer'],
];
const HTML_TYPE: HeaderLines = ['content-type', 'text/html; charset=utf-8'];
/** Where the answer is another one for those who want no HTML. */
const NEGOTIATED_HEADERS: HeaderLines = [
  ...HTML_TYPE,
  ...SAFETY,
  ...PUBLIC_CACHING,
  ...['vary', 'Accept, Accept-Encoding'],
];
const FOR_EVER: HeaderLines = ['cache-control', 'public, max-age=31536000, immutable'];

export interface PageRoutesDependencies {
  prepare(): Promise<void>;
  readonly pages: Pick<KeptPages, 'get'>;
  readonly contents: PageContents;
  /** How pages link to each other, by listener. */
  readonly sites: { readonly shared: PageSite; readonly own: PageSite };
}

/**
 * The status page for people: below `/status`, on a listener of its own at the root.
 *
 * @see contracts/status.md section 10
 */
export function createPageRoutes(dependencies: PageRoutesDependencies): FastifyPluginAsync<ListenerOptions> {
  const { prepare, pages, contents, sites } = dependencies;
  return async (app, { isOwnListener = false }) => {
    await prepare();
    const site = isOwnListener ? sites.own : sites.shared;
    const base = isOwnListener ? '' : '/status';
    const options = { compress: false, schema: { hide: true } } as const;
    const render = (page: string, of: (now: number) => Promise<string>) => pages.get(`${base} ${page}`, of);

    app.get(base === '' ? '/' : base, options, async (request, reply) => {
      const home = await render('home', (now) => contents.home(site, now));
      return sendPrepared(home, NEGOTIATED_HEADERS, request, reply);
    });

    const css = prepareText(PAGE_CSS, new Date(0).toUTCString());
    app.get(`${base}/page.css`, options, async (request, reply) => {
      const { v } = request.query as { readonly v?: unknown };
      const headers = ['content-type', 'text/css; charset=utf-8', 'vary', 'Accept-Encoding'];
      const caching = v === PAGE_CSS_VERSION ? FOR_EVER : PUBLIC_CACHING;
      return sendPrepared(css, [...headers, ...caching], request, reply);
    });

    app.setErrorHandler(async (error, request, reply) => {
      const problem = problemOf(error);
      if (problem === null || !acceptsType(request.headers.accept, 'text/html')) {
        reply.header('vary', 'Accept');
        throw error;
      }
      const { statusCode, title, text } = problem;
      const page = await render(`problem ${text}`, (now) => contents.problem(site, now, title, text));
      return sendProblem(await page.plain.bytes(), statusCode, reply);
    });
  };
}

/** Null for what is no visitor's mistake: that is answered as everywhere in this area. */
function problemOf(error: unknown) {
  if (!(error instanceof StatusNotFoundError)) return null;
  return { statusCode: 404, title: 'Not found', text: 'There is nothing at this address.' };
}

function sendProblem(body: Buffer, statusCode: number, reply: FastifyReply) {
  addHeaders(reply, [...HTML_TYPE, ...SAFETY, 'vary', 'Accept']);
  return reply.code(statusCode).send(body);
}
