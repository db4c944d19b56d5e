import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { addCommonHeaders } from './http/answers/common-headers.ts';
import { answerPreflights } from './http/answers/cross-origin.ts';
import { answerAtOnce } from './http/answers/direct-answers.ts';
import {
  type AnswerMalformed,
  type AnswerUnknown,
  answerErrors,
  answerUnroutable,
} from './http/answers/error-answers.ts';
import { leaveOutPackedLengths } from './http/answers/packed-head.ts';
import { requestId } from './http/answers/request-id.ts';
import { serveApiDocs } from './http/api-docs.ts';
import type { Area } from './http/area.ts';
import { areasByPath } from './http/area-paths.ts';
import { type HeapShares, shareHeap } from './http/bodies/heap-room.ts';
import { clientAddresses, type TrustedProxies } from './http/client-address.ts';
import { compileWhenNeeded } from './http/compile-when-needed.ts';
import { admitRequests } from './http/edge/admission.ts';
import { Arrivals } from './http/edge/arrivals.ts';
import { answerClientError } from './http/edge/client-error.ts';
import { ClientLimiter } from './http/edge/client-limiter.ts';
import { ConnectionBudget } from './http/edge/connection-budget.ts';
import { answerRefused } from './http/edge/edge-refusal.ts';
import { createEdgeServer } from './http/edge/edge-server.ts';
import { LoopClock } from './http/edge/loop-lateness.ts';
import { quietAtStart } from './http/edge/quiet-at-start.ts';
import { canonicalTarget, loggableTarget } from './http/edge/request-target.ts';
import { Turns } from './http/edge/turns.ts';
import { settleUnreadBodies } from './http/edge/unread-bodies.ts';
import { UnsentAnswers, watchSources } from './http/edge/unsent-answers.ts';
import { WaitingRoom } from './http/edge/waiting-room.ts';
import { answerHealth, type Drain, serveHealth } from './http/health.ts';
import { collectKnownRoutes } from './http/known-routes.ts';
import { type RequestObservers, requestObservers, serveMetrics, timeRequests } from './http/metrics.ts';
import { GZIP_LEVEL, PACK_AT_ONCE_BYTES, PACK_FROM_BYTES, PACKED_TYPES } from './http/packing.ts';
import { type SiteInfo, serveLandingPage, siteOf } from './pages/landing/landing-page.ts';
import { answerMalformedPages, answerUnknownPages } from './pages/landing/unknown-page.ts';
import { assetHref, serveAssets } from './pages/site/assets.ts';
import { DOCS_CSS, renderDocsFrame } from './pages/site/docs-frame.ts';
import { MARK } from './pages/site/mark.ts';
import { COPY_SCRIPT, SITE_SHEET } from './pages/site/site-assets.ts';

/** The parts that the application is made of; `createServices` makes the real ones. */
export interface AppParts {
  readonly verify: Area;
  readonly status: Area;
  readonly mirror: Area;
  /** What readiness tells of the database. Default: nothing. */
  readonly storage?: Pick<Area, 'readiness'>;
  readonly metrics: Registry;
  /** Default: of a heap in which operators configured nothing. */
  readonly heap?: HeapShares;
  readonly drain: Drain;
  readonly site: SiteInfo;
  readonly log: Logger;
}

export interface AppOptions {
  readonly trustProxy?: TrustedProxies;
  readonly keepAliveMs?: number;
  /** Of one client; absent or 0: no limit. */
  readonly requestsPerSecond?: number;
  /** Of all listeners together; absent: no bound on connections. */
  readonly budget?: ConnectionBudget;
  /** Of all listeners together; absent: each has a bound of its own. */
  readonly unsent?: UnsentAnswers;
  /** Counts requests. Default: in the figures of the parts. */
  readonly observers?: RequestObservers;
}

/** Longest path segment that reaches a route; longer ones would be 404 before their check. */
const MAX_PARAMETER_LENGTH = 1024;
const REQUEST_TIMEOUT_MS = 300_000;

/**
 * Builds the whole service: the edge that all areas share, then the three areas. It never listens.
 *
 * @see docs/adr/0001-one-process-three-areas.md
 */
export async function buildApp(parts: AppParts, options: AppOptions = {}): Promise<FastifyInstance> {
  const site = siteOf(parts.site);
  const pages = { unknown: answerUnknownPages(site), malformed: answerMalformedPages(site) };
  const app = await buildEdge(parts, options, pages);
  serveMetrics(app, parts.metrics);
  const frame = { page: renderDocsFrame(site), css: DOCS_CSS };
  await serveApiDocs(app, site.root, frame);
  serveHealth(app, [parts.verify, parts.status, parts.mirror, ...storageOf(parts)], parts.drain);
  serveAssets(app, [SITE_SHEET, COPY_SCRIPT, MARK]);
  // Browsers ask for it by themselves, whatever a page names.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect(assetHref(MARK, site.root), 302),
  );
  serveLandingPage(app, parts.site);
  await app.register(parts.verify.routes);
  await app.register(parts.status.routes);
  await app.register(parts.mirror.routes);
  return app;
}

/** Builds the listener of its own that `STATUS_PORT` gives to area B: only its routes and health. */
export async function buildStatusApp(parts: AppParts, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = await buildEdge({ ...parts, verify: parts.status, mirror: parts.status }, options);
  serveHealth(app, [parts.status, ...storageOf(parts)], parts.drain);
  await app.register(parts.status.routes, { isOwnListener: true });
  return app;
}

function storageOf({ storage }: AppParts): readonly Pick<Area, 'readiness'>[] {
  return storage === undefined ? [] : [storage];
}

/**
 * Builds what lies around the routes of a listener.
 *
 * Two ways lead to an answer: through the router and its hooks, or past both when nothing but the answer is to be found.
 * What each of them owes every request, and where it does so (`test/e2e/both-paths.test.ts` compares them):
 *
 * | Duty | Through the router | Past it (`answerAtOnce`, at once or later) |
 * |---|---|---|
 * | normal form of the target | `rewriteUrl` | answers usual spellings alone |
 * | Host, limits of clients and connections, turns | `admitRequests`, for both | |
 * | headers: id, nosniff, CORS, `connection: close` | `addCommonHeaders` | `commonHeaders`, the same list |
 * | refusals | `answerRefused` | admission leaves them to the router |
 * | packed bodies | `compress` | answers requests for plain ones, and documents kept packed |
 * | 304 | the area's route | the area's `answerDirectly` |
 * | errors | `answerErrors` | leaves them to the router |
 * | metrics | `timeRequests` | `observers`, the same series |
 * | log of requests | `logRequests` | at the level debug nothing passes the router |
 * | preflights, HEAD, bodies | the router's routes | answers GET without body alone |
 * | rest of an unread body | `settleUnreadBodies`, for both | |
 */
async function buildEdge(
  parts: AppParts,
  options: AppOptions,
  pages: { readonly unknown?: AnswerUnknown; readonly malformed?: AnswerMalformed } = {},
): Promise<FastifyInstance> {
  const areas = areasByPath([parts.status, parts.mirror, parts.verify]);
  const mapperOf = (target: string) => areas.of(target).errors;
  const duties = { drain: parts.drain, areas };
  const { observers = requestObservers(parts.metrics) } = options;
  // At the level debug every request is logged, which the router's hooks do.
  const isLogged = parts.log.isLevelEnabled('debug');
  const direct = isLogged
    ? []
    : [
        answerHealth(
          [...new Set([parts.verify, parts.status, parts.mirror]), ...storageOf(parts)],
          parts.drain,
        ),
        ...new Set([parts.mirror.answerDirectly, parts.status.answerDirectly]),
      ].filter((one) => one !== undefined);
  const times = { keepAliveTimeout: options.keepAliveMs ?? 5000, requestTimeout: REQUEST_TIMEOUT_MS };
  const { budget = new ConnectionBudget(null), requestsPerSecond = 0, trustProxy = false } = options;
  const { heap = shareHeap() } = parts;
  const { unsent = new UnsentAnswers(heap.unsentAnswers) } = options;
  const lateness = new LoopClock();
  const turns = new Turns();
  const rooms = {
    waiting: new WaitingRoom(heap.waitingRequests),
    behind: new WaitingRoom(heap.waitingRequests),
  };
  const arrivals = new Arrivals({ turns, room: () => rooms.waiting.places });
  const app = Fastify({
    serverFactory: (route) => {
      const admitted = admitRequests({
        answerAtOnce: answerAtOnce(direct, { ...duties, observers }),
        route,
        turns,
        arrivals,
        lateness,
        limiter: requestsPerSecond === 0 ? null : new ClientLimiter(requestsPerSecond),
        clientAddress: clientAddresses(trustProxy),
        budget,
        areas,
        rooms,
      });
      return createEdgeServer(settleUnreadBodies(admitted), times, { unsent, arrivals })
        .on('listening', () => lateness.begin())
        .on('close', () => lateness.end());
    },
    loggerInstance: quietAtStart(parts.log),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(trustProxy),
    ...times,
    forceCloseConnections: 'idle',
    // A busy machine takes longer than Fastify's ten seconds, and no plugin waits for anything.
    pluginTimeout: 0,
    // Until its connection closes, a request is served; Fastify's own 503 would lack the area's body.
    return503OnClosing: false,
    rewriteUrl: ({ url }) => canonicalTarget(url ?? '/'),
    genReqId: (request) => requestId(request),
    // A logger per request costs more than the few lines that name its id themselves; only the framework is to be quiet.
    childLoggerFactory: () => parts.log as FastifyBaseLogger,
    requestIdHeader: false,
    frameworkErrors: answerUnroutable(mapperOf, duties, pages.malformed),
    clientErrorHandler: (error, socket) => answerClientError(error, socket as never),
    routerOptions: {
      ignoreTrailingSlash: true,
      caseSensitive: false,
      maxParamLength: MAX_PARAMETER_LENGTH,
    },
    schemaController: { compilersFactory: compileWhenNeeded() },
    // Bodies and queries are judged as sent; a route that converts says so itself.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        validateSchema: false,
      },
    },
  });
  const routes = collectKnownRoutes(app);
  addCommonHeaders(app, duties);
  answerRefused(app);
  watchSources(app, unsent);
  leaveOutPackedLengths(app);
  // In this order for clients that take several: gzip costs the least time.
  await app.register(compress, {
    threshold: PACK_FROM_BYTES,
    syncThreshold: PACK_AT_ONCE_BYTES,
    encodings: ['gzip', 'br', 'deflate'],
    zlibOptions: { level: GZIP_LEVEL },
    customTypes: PACKED_TYPES,
    // Bodies are unpacked where they are read, within the budget for all of them.
    globalDecompression: false,
  });
  answerErrors(app, mapperOf, routes, pages.unknown);
  // Decided once: a hook that only finds out that nobody reads it would run for every request.
  if (isLogged) logRequests(app);
  timeRequests(app, observers);
  await answerPreflights(app, areas);
  return app;
}

type TrustProxy = boolean | string[] | ((address: string, hop: number) => boolean);

function trustProxyOption(value: TrustedProxies): TrustProxy {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return (_address, hop) => hop < value;
  return [...value];
}

/** What verification clients tell about themselves; it is only logged. */
function namedClient({ headers }: FastifyRequest): Record<string, unknown> {
  const names = ['x-client-source', 'x-client-version', 'x-client-type'];
  return Object.fromEntries(
    names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]),
  );
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const fields = {
      client: request.ip,
      method: request.method,
      url: loggableTarget(request.url),
      statusCode: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...namedClient(request),
    };
    request.log.debug({ reqId: request.id, ...fields }, 'request');
    done();
  });
}
