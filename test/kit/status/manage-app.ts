import Fastify, { type FastifyInstance } from 'fastify';
import { answerErrors } from '../../../src/http/answers/error-answers.ts';
import { compileWhenNeeded } from '../../../src/http/compile-when-needed.ts';
import { collectKnownRoutes } from '../../../src/http/known-routes.ts';
import type { StatusArea } from '../../../src/status/index.ts';

/** The routes of an area with its error bodies, as the whole server serves them. */
export async function manageApp(area: StatusArea): Promise<FastifyInstance> {
  const app = Fastify({
    schemaController: { compilersFactory: compileWhenNeeded() },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
  });
  answerErrors(app, () => area.errors, collectKnownRoutes(app));
  await app.register(area.routes);
  return app;
}
