import type { RequestListener } from 'node:http';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Area } from '../http/area.ts';
import type { ConnectionBudget } from '../http/edge/connection-budget.ts';
import type { UnsentAnswers } from '../http/edge/unsent-answers.ts';
import { createExchangeableRoutes } from '../http/exchangeable-routes.ts';
import { measureUnread, requestObservers } from '../http/metrics.ts';
import { createServices, type Services, type ServicesOptions, type SystemDependencies } from '../services.ts';
import { openStore } from '../store/open-store.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { createCompilerPool } from '../verify/index.ts';
import { FixtureError } from './fixture-error.ts';
import { readClockChange } from './read-clock-change.ts';
import type { LoadReport } from './test-server.ts';
import { TestTime } from './test-time.ts';

/** What all generations of a server share. */
export interface GenerationParts {
  readonly config: Config;
  readonly system: Omit<SystemDependencies, 'clock' | 'repeat' | 'startTimer'>;
  /** Where time stands at the beginning, UTC milliseconds; null: it passes. */
  readonly stoppedAt: number | null;
  readonly budget: ConnectionBudget;
  readonly unsent: UnsentAnswers;
  /** What `/_test` does; null: it is not served. */
  readonly control: TestControl | null;
}

/** The whole product from one reset to the next. */
export type Generation = Awaited<ReturnType<typeof createGeneration>>;

const AREAS = ['verify', 'status', 'mirror'] as const;

type Contents = Awaited<ReturnType<typeof createContents>>;

/** Makes the product, with an empty database in memory; nothing runs and nothing listens yet. */
export async function createGeneration(parts: GenerationParts) {
  const { config, system } = parts;
  const store = await openStore(config, { log: system.log });
  const pool = createCompilerPool(config.verify);
  const lent: ServicesOptions = { pool, store: { ...store, close: async () => undefined } };
  let contents = await createContents(parts, lent);
  let restore: (() => void) | null = null;
  const closeAll = async () => {
    await contents.services.close();
    await pool.close();
    await store.close();
  };
  try {
    const { app, exchange } = await buildKeptApp(parts, () => contents);
    const [answer] = app.server.listeners('request');
    const start = async () => {
      await contents.services.start(app);
      await contents.services.imported();
    };
    return {
      get services() {
        return contents.services;
      },
      get time() {
        return contents.time;
      },
      answer: answer as RequestListener,
      /** Begins the background work, and remembers what is stored by then. Resolves when the first import is over. */
      start(): Promise<void> {
        restore = store.snapshot?.() ?? null;
        return start();
      },
      /**
       * Makes all services anew on what was stored at the start, and starts them. The application, statements and loaded
       * compilers stay: they take long to make and remember nothing. Only while no request or job runs.
       */
      async renew(): Promise<void> {
        if (restore === null) throw new Error('It was not started');
        await contents.services.close();
        restore();
        contents = await createContents(parts, { ...lent, isAgain: true });
        await exchange(contents.services);
        await start();
      },
      /** Ends it and forgets everything. */
      async close(): Promise<void> {
        await app.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function createContents(parts: GenerationParts, lent: ServicesOptions) {
  const time = new TestTime(parts.stoppedAt);
  const { repeat, startTimer } = time;
  const services = await createServices(
    parts.config,
    { ...parts.system, clock: time, repeat, startTimer },
    lent,
  );
  measureUnread(services.metrics, parts.unsent);
  return { services, time, observers: requestObservers(services.metrics) };
}

/** An application that asks the newest contents. */
async function buildKeptApp(parts: GenerationParts, contents: () => Contents) {
  const { budget, config, control, unsent } = parts;
  const { keepAliveMs, requestsPerSecond, trustProxy } = config.http;
  const part = <T extends object>(of: (services: Services) => T, own: Partial<T> = {}): T =>
    newest(() => of(contents().services), own);
  const routes = AREAS.map((name) => createExchangeableRoutes(contents().services[name].routes));
  const [verify, status, mirror] = AREAS.map((name, index) =>
    part<Area>((services) => services[name], { routes: routes[index]?.plugin as Area['routes'] }),
  ) as [Area, Area, Area];
  const app = await buildApp(
    {
      ...{ verify, status, mirror },
      storage: part(({ storage }) => storage as Pick<Area, 'readiness'>),
      metrics: part(({ metrics }) => metrics),
      drain: part(({ drain }) => drain),
      site: part(({ site }) => site),
      log: parts.system.log,
    },
    {
      ...{ trustProxy, keepAliveMs, requestsPerSecond, budget, unsent },
      observers: (route) => (method, code, ms) => contents().observers(route)(method, code, ms),
    },
  );
  if (control !== null) await app.register(testRoutes(control));
  await app.ready();
  return {
    app,
    exchange: async (services: Services) => {
      for (const [index, name] of AREAS.entries()) await routes[index]?.exchange(services[name].routes);
    },
  };
}

/** Stands for an object that is made anew: gives members of the newest one, and calls methods on it. */
function newest<T extends object>(current: () => T, own: Partial<T>): T {
  return new Proxy({} as T, {
    get(_, name) {
      const find = (): unknown => Reflect.get(name in own ? own : current(), name);
      if (typeof find() !== 'function') return find();
      return (...args: unknown[]) =>
        Reflect.apply(find() as (...given: unknown[]) => unknown, current(), args);
    },
  });
}

/** What `/_test` does to the server that serves it. */
export interface TestControl {
  readonly isTimeStopped: boolean;
  /** UTC milliseconds. */
  now(): number;
  load(fixture: { readonly name: string; readonly contents: Uint8Array }): Promise<LoadReport>;
  reset(): Promise<void>;
  advance(milliseconds: number): Promise<void>;
  moveTo(now: number, isStopped: boolean): Promise<void>;
}

/** Largest fixture by HTTP; larger ones come as files. */
const BODY_LIMIT = 64 * 1024 * 1024;

const FOREIGN_PAGE = {
  code: 'foreign_origin',
  message:
    'Pages of other hosts may not use the test API: send the request from the test runner, or from a page on localhost.',
};

/**
 * `POST /_test/fixtures`, `/_test/reset` and `/_test/clock`: what tests in any language do to a server of their own.
 *
 * @see docs/testing.md
 */
export function testRoutes(control: TestControl): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    // Whatever a client says its body is: each route knows.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, _request, reply) => answerError(error, reply));
    app.addHook('onRequest', async ({ headers: { origin } }, reply) => {
      if (isOfForeignPage(origin)) await reply.code(403).send(FOREIGN_PAGE);
    });
    const options = { schema: { hide: true }, bodyLimit: BODY_LIMIT };
    app.post('/_test/fixtures', options, async ({ body }, reply) => {
      const contents = (body as Buffer | undefined) ?? Buffer.alloc(0);
      if (contents.length === 0) {
        throw new FixtureError('empty_file', 'The body must be the lines of a fixture, but is empty', null);
      }
      return reply.code(201).send(await control.load({ name: 'body', contents }));
    });
    app.post('/_test/reset', options, async (_request, reply) => {
      await control.reset();
      return reply.code(204).send();
    });
    app.post('/_test/clock', options, async ({ body }) => {
      const change = readClockChange((body as Buffer | undefined)?.toString() ?? '');
      if (change.kind === 'advance') await control.advance(change.milliseconds);
      else await control.moveTo(change.now, change.isStopped ?? control.isTimeStopped);
      return { now: new Date(control.now()).toISOString(), stopped: control.isTimeStopped };
    });
  };
}

function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  const { code: frameworkCode, statusCode } = error as {
    readonly code?: string;
    readonly statusCode?: number;
  };
  if (statusCode === 413) {
    return reply.code(413).send({
      code: 'body_too_large',
      message: `A fixture may have up to ${BODY_LIMIT / 1024 / 1024} MiB; load it in parts, or name its file in MIRROR_IMPORT.`,
    });
  }
  if (error instanceof FixtureError) {
    const { code, line, message } = error;
    return reply.code(code === 'fixture_too_old' ? 409 : 400).send({ code, message, line });
  }
  if (error instanceof LedgerlensError) {
    return reply.code(400).send({ code: error.code, message: error.message });
  }
  if (statusCode !== undefined && statusCode < 500) {
    return reply
      .code(statusCode)
      .send({ code: frameworkCode ?? 'bad_request', message: (error as Error).message });
  }
  throw error;
}

/**
 * Whether a page sent the request that is not of this machine: any page that a developer looks at reaches loopback.
 *
 * `Host` is not asked, since a name may be made to lead to loopback; then page and server have the same one.
 */
function isOfForeignPage(origin: string | undefined): boolean {
  if (origin === undefined) return false;
  return !/^https?:\/\/(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(origin);
}
