import Fastify, { type FastifyInstance } from 'fastify';
import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { ManualClock } from '../../values/clock.ts';
import { createMirrorArea, type MirrorArea, type MirrorOptions } from '../index.ts';
import { createSqliteMirrorStore, type SqliteMirrorOptions } from '../mirror-store.sqlite.ts';

/** Area C on an in-memory database, with the router settings and error dispatch of the real server. */
export interface MirrorApp {
  readonly app: FastifyInstance;
  readonly area: MirrorArea;
  readonly database: SqliteDatabase;
  readonly clock: ManualClock;
  close(): Promise<void>;
}

/** 2023-12-15, later than every time of the self-made ledgers. */
const NOW = Date.UTC(2023, 11, 15);

/** Builds the area without the other two; the caller closes it. */
export async function buildMirrorApp(options: MirrorOptions & SqliteMirrorOptions = {}): Promise<MirrorApp> {
  const database = openDatabase(':memory:');
  const clock = new ManualClock(NOW);
  const area = createMirrorArea({
    store: createSqliteMirrorStore(database, options),
    clock,
    log: { warn() {} },
    options,
  });
  const app = Fastify({
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
    database,
    clock,
    async close() {
      await app.close();
      await area.close();
      database.close();
    },
  };
}
