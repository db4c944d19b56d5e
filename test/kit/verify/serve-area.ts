import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { answerErrors } from '../../../src/http/answers/error-answers.ts';
import type { HeapShares } from '../../../src/http/bodies/heap-room.ts';
import { compileWhenNeeded } from '../../../src/http/compile-when-needed.ts';
import { collectKnownRoutes } from '../../../src/http/known-routes.ts';
import { ROOT_SITE } from '../../../src/pages/site/site-page.ts';
import { type Clock, systemClock } from '../../../src/values/clock.ts';
import type { Log } from '../../../src/values/log.ts';
import { createVerifyArea, type VerifyArea, type VerifyDependencies } from '../../../src/verify/index.ts';
import type { VerifyOptions } from '../../../src/verify/verify-options.ts';
import type { VerifyStore } from '../../../src/verify/verify-store.ts';
import { DEFAULT_CONFIG } from '../../support/default-config.ts';
import { openFileStore, openMemoryStore } from '../../support/test-store.ts';

/** A logger that says nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** The area on an HTTP server of its own, with the duties of the real root that its routes rely on. */
export interface ServedArea {
  readonly app: FastifyInstance;
  readonly area: VerifyArea;
  readonly store: VerifyStore;
  readonly metrics: Registry;
  close(): Promise<void>;
}

/** What a test may choose; everything else gets values fit for tests. */
export interface ServeAreaOptions extends Partial<VerifyOptions> {
  /** What stands before paths in links. Default: nothing. */
  readonly publicPath?: string;
  /** Path of the database file. Default: in memory. */
  readonly file?: string;
  readonly fetch?: VerifyDependencies['fetch'];
  readonly log?: Log;
  /** Default: that of the system. */
  readonly clock?: Clock;
  /** Default: of a heap in which operators configured nothing. */
  readonly heap?: HeapShares;
  readonly bodies?: NonNullable<VerifyDependencies['bodies']>;
}

/** Opens the area for tests. */
export async function serveArea({
  file,
  fetch: fetchChain = fetch,
  log = silentLog,
  publicPath = '',
  clock = systemClock,
  heap,
  bodies,
  ...options
}: ServeAreaOptions = {}): Promise<ServedArea> {
  const store = await (file === undefined ? openMemoryStore() : openFileStore(file));
  const metrics = new Registry();
  const area = createVerifyArea({
    store: store.verify,
    clock,
    randomUuid: randomUUID,
    fetch: fetchChain,
    log,
    metrics,
    version: '1.2.3',
    ...(heap === undefined ? {} : { heap }),
    ...(bodies === undefined ? {} : { bodies }),
    options: { ...DEFAULT_CONFIG.verify, site: { ...ROOT_SITE, root: publicPath }, ...options },
  });
  const app = Fastify({
    schemaController: { compilersFactory: compileWhenNeeded() },
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 1024 },
  });
  answerErrors(app, () => area.errors, collectKnownRoutes(app));
  await app.register(area.routes);
  await app.ready();
  await area.start();
  return {
    app,
    area,
    store: store.verify,
    metrics,
    async close() {
      await app.close();
      await area.close();
      await store.close();
    },
  };
}
