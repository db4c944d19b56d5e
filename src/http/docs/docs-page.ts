import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** A document that the page offers. */
export interface OfferedDocument {
  readonly url: string;
  readonly name: string;
}

/** Serves the documents for people at `/docs`. */
export async function serveDocsPage(
  app: FastifyInstance,
  documents: readonly OfferedDocument[],
): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // The server itself speaks plain HTTP; browsers would ask for everything on the page over TLS.
    transformStaticCSP: (policy) => policy.replace(/\s*upgrade-insecure-requests;?/, ''),
    uiConfig: { urls: documents } as Record<string, unknown>,
  });
}
