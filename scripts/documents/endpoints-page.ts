import type { OpenApiDocuments } from '../openapi/openapi-documents.ts';
import { generatedPage, table } from './tables.ts';

const TITLES: Readonly<Record<string, string>> = {
  verify: 'Contract verification',
  status: 'Status page',
  mirror: 'Ledger mirror',
};

/** Routes of the server itself, which no OpenAPI document has. */
const OWN = [
  ['GET `/`', 'Page: state of the server'],
  ['GET `/docs`', 'API documentation; as OpenAPI 3.1 at `/docs/openapi/all.json`'],
  ['GET `/health/liveness`', 'Whether the process is alive'],
  ['GET `/health/readiness`', 'Whether it accepts requests, and the state of each part'],
  ['GET `/metrics`', 'Metrics in the Prometheus text format: [metrics.md](metrics.md)'],
  ['GET `/verify-ui`', 'Page: submit a contract and follow its verification'],
  ['GET `/repo-ui`', 'Page: verified contracts; `/repo-ui/{chainId}` those of a chain'],
  ['GET `/repo-ui/{chainId}/{address}`', 'Page: a verified contract'],
  ['GET `/ledger`', 'Page: transactions, accounts, blocks and fees'],
  [
    'GET `/status`',
    'Page: the status page; [badges and an embeddable line](status-page.md#embed-it) below it',
  ],
];

/** `docs/endpoints.md`: every operation of the OpenAPI documents, which come from the routes. */
export function endpointsPage({ all: _all, ...areas }: OpenApiDocuments): string {
  const sections = Object.entries(areas).map(([name, { paths }]) => {
    const rows = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary }]) => [
        `${method.toUpperCase()} \`${path}\``,
        summary ?? '',
      ]),
    );
    return `## ${TITLES[name]}\n\n${table(['Endpoint', 'Returns'], rows)}`;
  });
  return generatedPage('Endpoints', [
    'Parameters, bodies and responses are described at `/docs` of a running server and in `openapi/`; [coverage.md](coverage.md) compares the endpoints with the references.',
    `## Server\n\n${table(['Endpoint', 'Returns'], OWN)}`,
    ...sections,
  ]);
}
