import type { IncomingMessage } from 'node:http';
import { Type } from '@sinclair/typebox';
import {
  errorCodes,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { BodyIntake } from '../../http/bodies/body-intake.ts';
import type { Clock } from '../../values/clock.ts';
import {
  AuditEntrySchema,
  ManagedPageSchema,
  ManageErrorSchema,
  PageCallSchema,
} from '../documents/managed-schemas.ts';
import { StatusAccessError, StatusNotFoundError, StatusRateError } from '../errors.ts';
import type { Input } from '../rules/input-members.ts';
import type { StatusService } from '../service/create-status-service.ts';
import { COMPONENT_CALLS } from './component-calls.ts';
import { INCIDENT_CALLS } from './incident-calls.ts';
import { type ManageCall, type ManageCalls, readStretch, sizedBy, UNCHANGED } from './manage-route.ts';
import { membersOf, readFormBody, readJsonBody } from './read-body.ts';
import { SUBSCRIBER_CALLS, UNSERVED_SUBSCRIBER_CALLS } from './subscriber-calls.ts';
import type { Authenticate } from './tokens.ts';

/** What the routes need; `pageId` is known when requests come. */
interface ManageRoutesDependencies {
  readonly bodies: BodyIntake;
  readonly service: StatusService;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  pageId(): string;
}

const BODY_LIMIT = 256 * 1024;
const SUFFIX = /\.json$/i;

interface Params {
  readonly pageId?: string;
  readonly id?: string;
  readonly updateId?: string;
}

/**
 * The management API v1: every path also with `.json`, bodies as JSON, also when no type is named, or as web forms.
 *
 * Whoever has no token that counts gets 401 before a body is read.
 *
 * @see contracts/status.md section 4
 */
export function createManageRoutes(dependencies: ManageRoutesDependencies): FastifyPluginAsync {
  const { bodies, service, authenticate, clock, pageId } = dependencies;
  const limiter = new CallLimiter(clock);

  function admit(request: FastifyRequest): void {
    const token = authenticate(request);
    if (token === null) throw new StatusAccessError(401);
    const wait = limiter.refusal(token.name);
    if (wait !== null) throw new StatusRateError(wait);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead && token.scope !== 'write') throw new StatusAccessError(403);
  }

  /** The service speaking for the token of an admitted request. */
  function serviceOf(request: FastifyRequest): StatusService {
    const token = authenticate(request);
    if (token === null) throw new StatusAccessError(401);
    const since = Date.parse(String(request.headers['if-unmodified-since'] ?? ''));
    return service.by({ name: token.name, unmodifiedSince: Number.isNaN(since) ? null : since });
  }

  async function serve(call: ManageCall, request: FastifyRequest, reply: FastifyReply) {
    const params = request.params as Params;
    if (withoutSuffix(params.pageId) !== pageId()) throw new StatusNotFoundError('page', params.pageId ?? '');
    const result = await call.run({
      service: serviceOf(request),
      id: withoutSuffix(params.id),
      updateId: withoutSuffix(params.updateId),
      query: request.query as Input,
      body: (request.body ?? {}) as Input,
    });
    reply.code(statusOf(call, request.method)).header('cache-control', 'no-store');
    return call.answer === undefined ? reply.send() : result;
  }

  return async (app) => {
    readBodies(app, bodies);
    // The schemas describe; the edits decide.
    app.setValidatorCompiler(() => () => true);
    app.setSerializerCompiler(() => (data) => JSON.stringify(data));
    app.addHook('onRequest', async (request) => {
      admit(request);
      // What a call has no use for is left to the edge, unread, whatever its type.
      if (needsNoBody(request)) delete request.headers['content-type'];
    });

    const pages = Type.Array(ManagedPageSchema);
    for (const url of ['/v1/pages', '/v1/pages.json']) {
      const schema = { ...describe('Pages: there is one', 200, pages), hide: SUFFIX.test(url) };
      app.get(url, { schema }, async (_request, reply) => {
        reply.header('cache-control', 'no-store');
        return [await service.readPage()];
      });
    }
    for (const [operation, call] of Object.entries(MANAGE_CALLS)) {
      const [named, path] = operation.split(' ') as [HTTPMethods, string];
      const described = describe(call.summary, statusOf(call, named), call.answer);
      for (const [index, url] of withSuffix(path).entries()) {
        for (const method of named === 'PATCH' ? (['PATCH', 'PUT'] as const) : [named]) {
          app.route({
            method,
            url,
            schema: {
              ...described,
              ...(call.body === undefined ? {} : { body: call.body }),
              hide: index > 0 || method !== named,
            },
            handler: (request, reply) => serve(call, request, reply),
          });
        }
      }
    }
    for (const [method, path] of UNSERVED_SUBSCRIBER_CALLS) {
      for (const url of withSuffix(`/v1/pages/:pageId${path}`)) {
        app.route({
          method,
          url,
          schema: { hide: true },
          handler: async () => {
            throw new StatusNotFoundError('path', path);
          },
        });
      }
    }
  };
}

/** The paths of a call; a parameter at the end takes the suffix with it. */
function withSuffix(path: string): readonly string[] {
  return /:\w+$/.test(path) ? [path] : [path, `${path}.json`];
}

function readBodies(app: FastifyInstance, bodies: BodyIntake): void {
  app.removeAllContentTypeParsers();
  const parsers = [
    [/^application\/(?:[\w.-]+\+)?json(?:$|[;\s])/i, readJsonBody],
    [/^application\/x-www-form-urlencoded(?:$|[;\s])/i, readFormBody],
  ] as const;
  const readAs =
    (read: (text: string) => Input) =>
    (
      request: FastifyRequest,
      payload: IncomingMessage,
      done: (error: Error | null, body?: Input) => void,
    ) => {
      if (needsNoBody(request)) return done(null);
      bodies.read(payload, request.headers, BODY_LIMIT, (error, body) => {
        if (body === undefined) return done(error);
        body.release();
        try {
          done(null, read(Buffer.concat(body.parts).toString('utf8')));
        } catch (refusal) {
          done(refusal as Error);
        }
      });
    };
  for (const [type, read] of parsers) app.addContentTypeParser(type, readAs(read));
  // Clients of infrastructure as code send JSON and name no type.
  const readUntyped = readAs(readJsonBody);
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done) => {
    if (request.headers['content-type'] === undefined) return readUntyped(request, payload, done);
    payload.resume();
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}

function needsNoBody({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.schema?.body === undefined;
}

function statusOf({ answer }: ManageCall, method: string): number {
  if (answer === undefined) return 204;
  return method === 'POST' ? 201 : 200;
}

function describe(summary: string, status: number, answer: ManageCall['answer']) {
  return {
    summary,
    tags: ['status'],
    security: [{ statusToken: [] }],
    response: {
      [status]: answer ?? Type.Null({ description: 'Done' }),
      '4xx': ManageErrorSchema,
    },
  };
}

function withoutSuffix(text = ''): string {
  return text.replace(SUFFIX, '');
}

/** @see contracts/status.md section 4, Errors */
const CALLS = 600;
const WINDOW_MS = 60_000;

/** Counts calls by token: 600 in a window of 60 s that begins with the first of them. */
class CallLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, { readonly start: number; calls: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. @returns null when it may proceed, else the whole seconds to wait. */
  refusal(tokenName: string): number | null {
    const now = this.#clock.now();
    const known = this.#windows.get(tokenName);
    // A clock that was set back begins a new window as well.
    const isCurrent = known !== undefined && now >= known.start && now < known.start + WINDOW_MS;
    const window = isCurrent ? known : { start: now, calls: 0 };
    this.#windows.set(tokenName, window);
    window.calls += 1;
    return window.calls <= CALLS ? null : Math.max(1, Math.ceil((window.start + WINDOW_MS - now) / 1000));
  }
}

/** The page itself and who changed it. @see contracts/status.md section 4, Endpoints served */
const PAGE_CALLS: ManageCalls = {
  'GET /v1/pages/:pageId': {
    id: 'getPage',
    about: 'Name, address, time zone and settings of the page.',
    summary: 'The page',
    answer: ManagedPageSchema,
    run: ({ service }) => service.readPage(),
  },
  'PATCH /v1/pages/:pageId': {
    id: 'updatePage',
    about: `Changes the given settings; the others stay unchanged. ${UNCHANGED}`,
    summary: 'Change the page; omitted members stay unchanged',
    body: PageCallSchema,
    answer: ManagedPageSchema,
    run: async ({ service, body }) => service.updatePage(membersOf(body, 'page')),
  },
  'GET /v1/pages/:pageId/audit': {
    id: 'listAudit',
    about: 'Who changed what, with the state before and after it.',
    adds: sizedBy('per_page'),
    summary: 'Calls that changed something, newest first',
    answer: Type.Array(AuditEntrySchema),
    run: async ({ service, query }) => service.listAudit(readStretch(query)),
  },
};

/** All calls of the management API below a page. */
export const MANAGE_CALLS: ManageCalls = {
  ...PAGE_CALLS,
  ...COMPONENT_CALLS,
  ...INCIDENT_CALLS,
  ...SUBSCRIBER_CALLS,
};
