import type { FastifyPluginAsync } from 'fastify';
import { notFoundError } from './errors.ts';
import { WATERMARK_HEADER, type Watermark } from './ledger/watermark.ts';
import { linkBelow } from './ready-answer.ts';

interface MirrorRoutesDependencies {
  readonly watermark: Watermark;
  /** The routes of the features, in the order of the API documents. */
  readonly features: readonly FastifyPluginAsync[];
  /** What stands before every path of the server for its clients; empty for the root. */
  readonly root: string;
}

/**
 * The GET routes below `/api/v1`. Queries are read from the request target by each route's own parser, which
 * accepts more than the documented form.
 *
 * @see contracts/mirror-transactions.md, contracts/mirror-network.md
 */
export function mirrorRoutes({ features, root, watermark }: MirrorRoutesDependencies): FastifyPluginAsync {
  const withWatermark: FastifyPluginAsync = async (app) => {
    app.addHook('onSend', (_request, reply, payload, done) => {
      const tell = (end: string | null) => {
        if (end !== null) reply.header(WATERMARK_HEADER, end);
        done(null, payload);
      };
      try {
        const end = reply.statusCode < 400 ? watermark() : null;
        if (end instanceof Promise) end.then(tell, done);
        else tell(end);
      } catch (error) {
        done(error as Error);
      }
    });
    for (const routes of features) await app.register(routes);
  };

  return async (app) => {
    app.setValidatorCompiler(() => () => true);
    app.addHook('onRequest', (request, _reply, done) => {
      const isEmpty = Object.values(request.params as Readonly<Record<string, string>>).includes('');
      done(isEmpty ? notFoundError() : undefined);
    });
    if (root !== '') {
      app.addHook('onSend', (_request, reply, payload, done) => {
        const link = reply.getHeader('link');
        if (typeof link === 'string') reply.header('link', `<${linkBelow(root, link.slice(1))}`);
        done(null, payload);
      });
    }
    await app.register(withWatermark);
  };
}
