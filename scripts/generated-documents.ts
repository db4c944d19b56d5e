import { fileURLToPath } from 'node:url';
import { DOCUMENT_NAMES, openApiDocument } from '../src/http/api-docs.ts';
import { measureUnread } from '../src/http/metrics.ts';
import { startTestServer } from '../test/support/test-server.ts';
import { commandsPage } from './documents/commands-page.ts';
import { configurationPage } from './documents/configuration-page.ts';
import { coveragePage } from './documents/coverage.ts';
import { endpointsPage } from './documents/endpoints-page.ts';
import { errorsPage } from './documents/errors-page.ts';
import { metricsPage } from './documents/metrics-page.ts';
import { overviewDrawing } from './documents/overview-drawing.ts';
import { servedRoutes } from './documents/served-routes.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * The files that are printed from code: `openapi/*.json` and the tables of endpoints from the routes, variables,
 * commands, errors and metrics from where each is defined.
 *
 * @returns absolute path → text
 */
export async function generatedDocuments(): Promise<ReadonlyMap<string, string>> {
  const server = await startTestServer({});
  try {
    const hasRoute = servedRoutes(server.app);
    const documents = DOCUMENT_NAMES.map((name): [string, string] => [
      `openapi/${name}.json`,
      `${JSON.stringify(openApiDocument(server.app, name), null, 2)}\n`,
    ]);
    // A figure of the process that listens, which registers it beside the others.
    measureUnread(server.services.metrics, { ended: 0 });
    const metrics = await server.app.inject('/metrics');
    const all: [string, string][] = [
      ...documents,
      ['docs/configuration.md', configurationPage()],
      ['docs/commands.md', commandsPage()],
      ['docs/endpoints.md', endpointsPage(server.app)],
      ['docs/coverage.md', coveragePage(hasRoute)],
      ['docs/errors.md', errorsPage()],
      ['docs/metrics.md', metricsPage(metrics.body)],
      ['docs/pictures/overview.svg', overviewDrawing()],
    ];
    return new Map(all.map(([path, text]) => [`${ROOT}${path}`, text]));
  } finally {
    await server.close();
  }
}
