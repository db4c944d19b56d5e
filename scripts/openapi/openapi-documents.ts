import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { DOCUMENT_NAMES, DOCUMENT_TITLES, type DocumentName } from '../../src/http/api-docs.ts';
import type { Area, AreaName } from '../../src/http/area.ts';
import { VERSION } from '../../src/version.ts';
import { type DocsOfAreas, describeDocument } from './describe-document.ts';
import type { Json } from './json-value.ts';
import { MIRROR_DOCS } from './mirror/mirror-docs.ts';
import { STATUS_DOCS } from './status/status-docs.ts';
import { VERIFY_DOCS } from './verify/verify-docs.ts';

/** An OpenAPI 3.1 document, as generated from the routes. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
  readonly [member: string]: unknown;
}

export type OpenApiDocuments = Readonly<Record<DocumentName, OpenApiDocument>>;

const AREAS: readonly AreaName[] = ['verify', 'status', 'mirror'];
const DOCS: DocsOfAreas = { verify: VERIFY_DOCS, status: STATUS_DOCS, mirror: MIRROR_DOCS };

const ABOUT = `Contract verification, a status page and the mirror of a ledger, served by one small server.

**Numbers.** Amounts, balances, serial numbers and other members of \`format: int64\` are exact 64-bit integers and may
be greater than 2^53. \`JSON.parse\` of JavaScript rounds those: where every digit counts, use a parser that preserves
them, such as \`lossless-json\` or \`json-bigint\`. Some numbers are strings (\`chainId\`, \`matchId\`, supplies), because
they are unbounded or because clients expect strings.

**Lists.** Pages of the mirror continue at \`links.next\`, which is null on the last one.

**Errors.** Every error is JSON in the form of its area, wherever it occurs.`;

const COLLECTED = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: DOCUMENT_TITLES.all,
      version: VERSION,
      description: ABOUT,
      contact: { name: 'The operator of this server' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        statusToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`OAuth TOKEN` or `Bearer TOKEN`, for the management API of the status page',
        },
      },
    },
  },
} satisfies FastifyDynamicSwaggerOptions;

/** Collects what the routes of areas describe, as the server itself does not. */
export class RouteCollector {
  readonly #areas: FastifyInstance[] = [];

  /** Put around each area before it is served. */
  readonly around = (area: Area): Area => ({
    ...area,
    routes: async (app, options) => {
      await app.register(swagger, COLLECTED);
      await app.register(area.routes, options);
      this.#areas.push(app);
    },
  });

  /** The documents of the areas and of all together; to be called when the server is ready. */
  documents(): OpenApiDocuments {
    const parts = this.#areas.map((app) => app.swagger() as unknown as Json);
    const raw = { ...parts[0], paths: Object.assign({}, ...parts.map(({ paths }) => paths)) as Json };
    return Object.fromEntries(
      DOCUMENT_NAMES.map((name) => {
        const described = describeDocument(raw, DOCS, new Set(name === 'all' ? AREAS : [name]));
        return [name, { ...described, info: { ...COLLECTED.openapi.info, title: DOCUMENT_TITLES[name] } }];
      }),
    ) as unknown as OpenApiDocuments;
  }
}
