import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { namesType } from '../../http/accept.ts';
import type { ListenerOptions } from '../../http/area.ts';
import { addHeaders, type HeaderLines } from '../../http/header-lines.ts';
import type { DocumentCache } from '../../pages/document-cache.ts';
import { type EncodedDocument, encodeText } from '../../pages/encoded-document.ts';
import { PUBLIC_CACHING, sendDocument } from '../../pages/send-document.ts';
import type { OnDemandDocuments } from '../documents/on-demand-documents.ts';
import { StatusNotFoundError, StatusParameterError } from '../errors.ts';
import { sendJson } from '../routes.ts';
import type { FrameTheme } from './elsewhere/render-frame.ts';
import type { PageContents } from './page-content.ts';
import { PLAIN_LOOK } from './page-look.ts';
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
const HTML_HEADERS: HeaderLines = [...HTML_TYPE, ...SAFETY, ...PUBLIC_CACHING, 'vary', 'Accept-Encoding'];
/** Where the answer is another one for those who want no HTML. */
const NEGOTIATED: HeaderLines = [...SAFETY, ...PUBLIC_CACHING, 'vary', 'Accept, Accept-Encoding'];
const HOME_HEADERS: HeaderLines = [...HTML_TYPE, ...NEGOTIATED];
const TEXT_HEADERS: HeaderLines = ['content-type', 'text/plain; charset=utf-8', ...NEGOTIATED];
/** An SVG may hold scripts and whatever it likes to load; opened by itself it may do neither. */
const LOGO_HEADERS: HeaderLines = [
  ...['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  ...['x-content-type-options', 'nosniff'],
];
const FOR_EVER: HeaderLines = ['cache-control', 'public, max-age=31536000, immutable'];

/** Time passes by itself: today, what is overdue, uptime. Nobody sees a minute of it. */
const KEEP_MS = 60_000;

const OPTIONS = { compress: false, schema: { hide: true } } as const;

type Query = Readonly<Record<string, unknown>>;

/** What the pages' routes need. */
interface PageRoutesDependencies {
  readonly cache: Pick<DocumentCache, 'get'>;
  readonly contents: PageContents;
  readonly onDemand: Pick<OnDemandDocuments, 'incident'>;
  /** Origins that may show the line of `/embed` in a frame, as a content policy writes them. */
  readonly frameAncestors: string;
  /** How pages link to each other, by listener. */
  readonly sites: { readonly shared: PageSite; readonly own: PageSite };
}

/**
 * The status page for people: below `/status`, on a listener of its own at the root.
 *
 * @see contracts/status.md section 10
 */
export function createPageRoutes(dependencies: PageRoutesDependencies): FastifyPluginAsync<ListenerOptions> {
  const { cache, contents, onDemand, sites } = dependencies;
  return async (app, { isOwnListener = false }) => {
    const site = isOwnListener ? sites.own : sites.shared;
    const base = isOwnListener ? '' : '/status';
    const render = (page: string, of: (now: number) => Promise<string>) =>
      cache.get(`${base} ${page}`, KEEP_MS, async (now) =>
        encodeText(await of(now), new Date(now).toUTCString()),
      );

    app.get(base === '' ? '/' : base, OPTIONS, async (request, reply) => {
      const { accept } = request.headers;
      if (namesType(accept, 'text/plain') && !namesType(accept, 'text/html')) {
        const text = await render('text', (now) => contents.text(site, now));
        return sendDocument(text, TEXT_HEADERS, request, reply);
      }
      const home = await render('home', (now) => contents.home(site, now));
      return sendDocument(home, HOME_HEADERS, request, reply);
    });

    app.get(`${base}/history`, OPTIONS, async (request, reply) => {
      const number = readPageNumber(request.query as Query);
      const history = await render(`history ${number}`, (now) => contents.history(site, now, number));
      return sendDocument(history, HTML_HEADERS, request, reply);
    });

    app.get<{ Params: { file: string } }>(`${base}/incidents/:file`, OPTIONS, async (request, reply) => {
      const { file } = request.params;
      const [, id, ending] = /^([\w-]{1,64}?)(\.json)?$/.exec(file) ?? [];
      if (id === undefined) throw new StatusNotFoundError('path', file);
      if (ending !== undefined) return sendJson(await onDemand.incident(id), request, reply);
      const incident = await render(`incident ${id}`, (now) => contents.incident(site, now, id));
      return sendDocument(incident, HTML_HEADERS, request, reply);
    });

    app.get(`${base}/uptime`, OPTIONS, async (request, reply) => {
      const query = request.query as Query;
      const component = readComponentId(query);
      const number = component === null ? readPageNumber(query) : 1;
      const name = component === null ? `uptime ${number}` : `uptime of ${component}`;
      const uptime = await render(name, (now) => contents.uptime(site, now, component, number));
      return sendDocument(uptime, HTML_HEADERS, request, reply);
    });

    const { css: sheet, cssVersion, logo } = site.look ?? PLAIN_LOOK;
    const css = encodeText(sheet, new Date(0).toUTCString());
    app.get(`${base}/page.css`, OPTIONS, async (request, reply) => {
      const headers = ['content-type', 'text/css; charset=utf-8', 'vary', 'Accept-Encoding'];
      const caching = (request.query as Query)['v'] === cssVersion ? FOR_EVER : PUBLIC_CACHING;
      return sendDocument(css, [...headers, ...caching], request, reply);
    });

    if (logo !== null) {
      app.get(`${base}/logo`, OPTIONS, async (request, reply) => {
        const isOfVersion = (request.query as Query)['v'] === logo.version;
        addHeaders(reply, [...LOGO_HEADERS, ...(isOfVersion ? FOR_EVER : PUBLIC_CACHING)]);
        return reply.type(logo.type).send(logo.bytes);
      });
    }

    serveElsewhere(app, base, site, dependencies, render);

    app.setErrorHandler(async (error, request, reply) => {
      const problem = problemOf(error);
      if (problem === null || !namesType(request.headers.accept, 'text/html')) {
        reply.header('vary', 'Accept');
        throw error;
      }
      const { statusCode, title, text } = problem;
      const page = await render(`problem ${text}`, (now) => contents.problem(site, now, title, text));
      return sendProblem(await page.plain.bytes(), statusCode, reply);
    });
  };
}

/** Null for the list of all. @throws StatusParameterError */
function readComponentId(query: Query): string | null {
  const id = query['component'] ?? '';
  if (typeof id !== 'string') throw new StatusParameterError('component', 'the id of one component');
  return id === '' ? null : id;
}

/** Null for what is no visitor's mistake: that is answered as everywhere in this area. */
function problemOf(error: unknown) {
  if (error instanceof StatusNotFoundError) {
    return { statusCode: 404, title: 'Not found', text: 'Page not found.' };
  }
  if (!(error instanceof StatusParameterError)) return null;
  return { statusCode: 400, title: 'Bad address', text: `${error.message}.` };
}

function sendProblem(body: Buffer, statusCode: number, reply: FastifyReply) {
  addHeaders(reply, [...HTML_TYPE, ...SAFETY, 'vary', 'Accept']);
  return reply.code(statusCode).send(body);
}

/**
 * Reads the number of a page of a list; 1 when it is absent or empty.
 *
 * @throws StatusParameterError for anything but a whole number from 1.
 */
function readPageNumber(query: Readonly<Record<string, unknown>>): number {
  const text = query['page'] ?? '';
  if (text === '') return 1;
  if (typeof text !== 'string' || !/^[1-9]\d*$/.test(text)) {
    throw new StatusParameterError('page', 'a whole number from 1');
  }
  return Number(text);
}

/** Pages of others show it as a picture: nothing in it is ever asked for or run. */
const BADGE_HEADERS: HeaderLines = [
  ...['content-type', 'image/svg+xml; charset=utf-8'],
  ...['content-security-policy', "default-src 'none'; sandbox"],
  ...['x-content-type-options', 'nosniff'],
  ...['access-control-expose-headers', 'ETag'],
  ...['cross-origin-resource-policy', 'cross-origin'],
  ...PUBLIC_CACHING,
  ...['vary', 'Accept-Encoding'],
];

/**
 * What pages of others show: badges as pictures, and a line for a frame.
 *
 * @param render gives what was rendered a moment ago, or renders it.
 * @see contracts/status.md section 10
 */
function serveElsewhere(
  app: FastifyInstance,
  base: string,
  site: PageSite,
  { contents, frameAncestors }: { readonly contents: PageContents; readonly frameAncestors: string },
  render: (page: string, of: (now: number) => Promise<string>) => Promise<EncodedDocument>,
): void {
  const badge = (id: string | null) => render(`badge ${id ?? ''}`, () => contents.badge(id));

  app.get(`${base}/badge.svg`, OPTIONS, async (request, reply) => {
    readChoice(request.query as Query, 'style', ['flat']);
    return sendDocument(await badge(null), BADGE_HEADERS, request, reply);
  });

  app.get<{ Params: { file: string } }>(`${base}/badge/:file`, OPTIONS, async (request, reply) => {
    readChoice(request.query as Query, 'style', ['flat']);
    const [, id] = /^([\w-]{1,64})\.svg$/.exec(request.params.file) ?? [];
    if (id === undefined) throw new StatusNotFoundError('path', request.params.file);
    return sendDocument(await badge(id), BADGE_HEADERS, request, reply);
  });

  const frameHeaders: HeaderLines = [
    ...['content-type', 'text/html; charset=utf-8'],
    'content-security-policy',
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`,
    ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
    ...PUBLIC_CACHING,
    ...['vary', 'Accept-Encoding'],
  ];
  app.get(`${base}/embed`, OPTIONS, async (request, reply) => {
    const theme = readChoice(request.query as Query, 'theme', ['light', 'dark']) as FrameTheme;
    const line = await render(`embed ${theme}`, (now) => contents.frame(site, now, theme));
    return sendDocument(line, frameHeaders, request, reply);
  });
}

/** Null when it is absent or empty. @throws StatusParameterError */
function readChoice(query: Query, name: string, choices: readonly string[]): string | null {
  const given = query[name] ?? '';
  if (given === '') return null;
  if (typeof given !== 'string' || !choices.includes(given))
    throw new StatusParameterError(name, choices.join(' or '));
  return given;
}
