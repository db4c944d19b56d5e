import { Statuspage } from 'statuspage.io';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SummaryDocument } from '../../src/status/documents/schemas.ts';
import { createBusyStatusPage } from '../kit/status/busy-page.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let client: Statuspage;

beforeAll(async () => {
  server = await startTestServer({ env: { STATUS_BUILTIN_COMPONENTS: 'off' } });
  await createBusyStatusPage(server.services.status);
  client = new Statuspage('any');
  client.setApiUrl(server.url);
});

afterAll(() => server.close());

const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);

describe('npm client statuspage.io', () => {
  test('reads the summary', async () => {
    // The client's own type of the summary contradicts itself.
    const summary = (await client.api.getSummary()) as unknown as SummaryDocument;
    expect(summary.page.name).toBe('Ledgerlens');
    expect(summary.status).toEqual({ indicator: 'minor', description: 'Partially Degraded Service' });
    expect(names(summary.components)).toEqual(['Verification API', 'Mirror REST API', 'Website']);
    expect(names(summary.incidents)).toEqual(['Open incident']);
    expect(names(summary.scheduled_maintenances)).toEqual(['Running maintenance', 'Upcoming maintenance']);
  });

  test('reads status and components', async () => {
    expect((await client.api.getStatus()).status.indicator).toBe('minor');
    expect((await client.api.getComponents()).components).toHaveLength(3);
  });

  test('reads incidents', async () => {
    expect(names((await client.api.incidents.getAll()).incidents)).toHaveLength(2);
    expect(names((await client.api.incidents.getUnresolved()).incidents)).toEqual(['Open incident']);
  });

  test('reads maintenances: all three of its calls ask for the upcoming ones', async () => {
    const { getAll, getActive, getUpcoming } = client.api.scheduledMaintenances;
    for (const call of [getAll, getActive, getUpcoming]) {
      const answer = await call.call(client.api.scheduledMaintenances);
      expect(names(answer.scheduled_maintenances)).toEqual(['Upcoming maintenance']);
    }
  });
});
