import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type HTTPMethods } from 'fastify';
import { openDatabase } from '../../storage/database-url.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { systemClock } from '../../values/clock.ts';
import {
  createSqliteVerifyRepositories,
  createVerifyArea,
  type VerifyArea,
  type VerifyAreaOptions,
  type VerifyLogger,
  type VerifyRepositories,
} from '../index.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A logger that says nothing. */
export const silentLogger: VerifyLogger = { info() {}, warn() {}, error() {} };

/** The area on an HTTP server of its own, with the duties of the real root that its routes rely on. */
export interface ServedArea {
  readonly app: FastifyInstance;
  readonly area: VerifyArea;
  readonly repositories: VerifyRepositories;
  readonly database: SqliteDatabase;
  close(): Promise<void>;
}

/** Opens the area for tests. Options that are left out get values fit for tests. */
export async function serveArea(
  options: Partial<VerifyAreaOptions> & { readonly databaseUrl?: string } = {},
): Promise<ServedArea> {
  const database = openDatabase(options.databaseUrl ?? 'sqlite::memory:');
  const repositories = options.repositories ?? createSqliteVerifyRepositories(database);
  const area = createVerifyArea({
    clock: systemClock,
    newId: randomUUID,
    fetch: (url, init) => fetch(url, init),
    logger: silentLogger,
    ...options,
    repositories,
  });
  const app = Fastify({
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 1024 },
  });
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, headers = {}, body } = area.errors.fromError(error, request);
    return reply.code(statusCode).headers(headers).send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const url = request.url.split('?', 1)[0] ?? '';
    const allowed = METHODS.filter(
      (method) => app.findRoute({ method, url }) !== null || serves(app, method, url),
    );
    const answer =
      allowed.length > 0 ? area.errors.methodNotAllowed(request, allowed) : area.errors.notFound(request);
    return reply
      .code(answer.statusCode)
      .headers(answer.headers ?? {})
      .send(answer.body);
  });
  await app.register(area.routes);
  await app.ready();
  await area.start();
  return {
    app,
    area,
    repositories,
    database,
    async close() {
      await app.close();
      await area.close();
      database.close();
    },
  };
}

function serves(app: FastifyInstance, method: HTTPMethods, url: string): boolean {
  return app.hasRoute({ method, url });
}
