import Fastify, { type FastifyInstance } from 'fastify';
import { compileWhenNeeded } from '../../../src/http/compile-when-needed.ts';
import { createMirrorArea, type MirrorArea } from '../../../src/mirror/index.ts';
import type { MirrorOptions } from '../../../src/mirror/mirror-options.ts';
import type { MirrorStore } from '../../../src/mirror/mirror-store.ts';
import { ManualClock } from '../../../src/values/clock.ts';
import { DEFAULT_CONFIG } from '../../support/default-config.ts';
import { openMemoryStore } from '../../support/test-store.ts';

/** Area C on a store of its own, with the router settings and error dispatch of the real server. */
export interface MirrorApp {
  readonly app: FastifyInstance;
  readonly area: MirrorArea;
  readonly store: MirrorStore;
  readonly clock: ManualClock;
  close(): Promise<void>;
}

/** 2023-12-15, later than every time of the self-made ledgers. */
const NOW = Date.UTC(2023, 11, 15);

/** What the rows that it stores depend on, and where: by default in memory. */
type MirrorAppSettings = Parameters<typeof openMemoryStore>[0] & { readonly store?: MirrorStore };

/** Builds the area without the other two; the caller closes it. */
export async function buildMirrorApp(
  options: Partial<MirrorOptions> & MirrorAppSettings = {},
): Promise<MirrorApp> {
  const opened = await openMemoryStore(options);
  const store = options.store ?? opened.mirror;
  const clock = new ManualClock(NOW);
  const area = createMirrorArea({
    store,
    clock,
    log: { warn() {} },
    options: { ...DEFAULT_CONFIG.mirror, ...options },
  });
  const app = Fastify({
    schemaController: { compilersFactory: compileWhenNeeded() },
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 1024 },
  });
  app.setErrorHandler((error, request, reply) => {
    const { body, headers, statusCode } = area.errors.fromError(error, request);
    return reply
      .code(statusCode)
      .headers(headers ?? {})
      .send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const { body, statusCode } = area.errors.notFound(request);
    return reply.code(statusCode).send(body);
  });
  await app.register(area.routes);
  await app.ready();
  return {
    app,
    area,
    store,
    clock,
    async close() {
      await app.close();
      await area.close();
      await opened.close();
    },
  };
}
