import type { FastifyInstance } from 'fastify';
import { DOCUMENT_NAMES, openApiDocument } from '../../src/http/api-docs.ts';
import { generatedPage, table } from './tables.ts';

interface Operation {
  readonly summary?: string;
}

const TITLES: Readonly<Record<string, string>> = {
  verify: 'Contract verification',
  status: 'Status page',
  mirror: 'Ledger mirror',
};

/** Routes of the server itself, which no OpenAPI document has. */
const OWN = [
  ['GET `/`', 'The state of the server, for people'],
  ['GET `/docs`', 'API documents for people; as OpenAPI 3.1 under `/docs/openapi/all.json`'],
  ['GET `/health/liveness`', 'The process answers'],
  ['GET `/health/readiness`', 'Whether to send it requests, and how each part stands'],
  ['GET `/metrics`', 'Figures in the Prometheus text format: [metrics.md](metrics.md)'],
  ['GET `/verify-ui`', 'Submit a contract and follow its verification, for people'],
  ['GET `/repo-ui`', 'Verified contracts, for people; `/repo-ui/{chainId}` those of a chain'],
  ['GET `/repo-ui/{chainId}/{address}`', 'A verified contract, for people'],
  ['GET `/ledger`', 'Transactions, accounts, blocks and fees, for people'],
  [
    'GET `/status`',
    'The status page, for people; [badges and a line for frames](status-page.md#show-it-elsewhere) below it',
  ],
];

/** `docs/endpoints.md`: every operation of the OpenAPI documents, which come from the routes. */
export function endpointsPage(app: FastifyInstance): string {
  const sections = DOCUMENT_NAMES.filter((name) => name !== 'all').map((name) => {
    const rows = Object.entries(openApiDocument(app, name).paths).flatMap(([path, operations]) =>
      Object.entries(operations as Readonly<Record<string, Operation>>).map(([method, { summary }]) => [
        `${method.toUpperCase()} \`${path}\``,
        summary ?? '',
      ]),
    );
    return `## ${TITLES[name]}\n\n${table(['Endpoint', 'Gives'], rows)}`;
  });
  return generatedPage('Endpoints', [
    'Parameters, bodies and answers of each are at `/docs` of a running server and in `openapi/`. How they compare with the references: [coverage.md](coverage.md).',
    `## Server\n\n${table(['Endpoint', 'Gives'], OWN)}`,
    ...sections,
  ]);
}
