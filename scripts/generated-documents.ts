import { fileURLToPath } from 'node:url';
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
import { RouteCollector } from './openapi/openapi-documents.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * The files that are printed from code: `openapi/*.json` and the tables of endpoints from the routes, variables,
 * commands, errors and metrics from where each is defined.
 *
 * @returns absolute path → text
 */
export async function generatedDocuments(): Promise<ReadonlyMap<string, string>> {
  const collector = new RouteCollector();
  const server = await startTestServer({ area: collector.around });
  try {
    const documents = collector.documents();
    // A figure of the process that listens, which registers it beside the others.
    measureUnread(server.services.metrics, { ended: 0 });
    const metrics = await server.app.inject('/metrics');
    const all: [string, string][] = [
      ...Object.entries(documents).map(([name, document]): [string, string] => [
        `openapi/${name}.json`,
        `${JSON.stringify(document, null, 2)}\n`,
      ]),
      ['docs/configuration.md', configurationPage()],
      ['docs/commands.md', commandsPage()],
      ['docs/endpoints.md', endpointsPage(documents)],
      ['docs/coverage.md', coveragePage(servedRoutes(server.app, documents.all.paths))],
      ['docs/errors.md', errorsPage()],
      ['docs/metrics.md', metricsPage(metrics.body)],
      ['docs/pictures/overview.svg', overviewDrawing()],
    ];
    return new Map(all.map(([path, text]) => [`${ROOT}${path}`, text]));
  } finally {
    await server.close();
  }
}
