import { expect, onTestFinished, test } from 'vitest';
import { createBusyStatusPage } from '../../../test/kit/status/busy-page.ts';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import { openStatusArea, TEST_TOKENS } from '../../../test/kit/status/open-status-area.ts';
import * as fc from '../../../test/support/properties.ts';

const NAMES = [
  'name',
  'status',
  'description',
  'group_id',
  'showcase',
  'only_show_if_degraded',
  'start_date',
  'body',
  'components',
  'component_ids',
  'scheduled_for',
  'scheduled_until',
  'scheduled_auto_in_progress',
  'impact_override',
  'metadata',
  'reminder_intervals',
  'deliver_notifications',
  'backfilled',
  'backfill_date',
  'display_at',
  'url',
  'time_zone',
  'support_url',
  'body_draft',
  'notify_subscribers',
  'endpoint',
  'email',
  '__proto__',
  'constructor',
  'toString',
];

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    null,
    '',
    'operational',
    'major_outage',
    'scheduled',
    'resolved',
    'postmortem',
    '2026-03-02T09:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30',
    '<script>',
    'javascript:alert(1)',
    'https://example.org/<script>',
    'http://[::1]:1/',
    'ops@example.org',
    '\u0000',
    '\ud800',
    1e308,
    -1,
    0.5,
  ),
);

test('whatever a call holds, the answer is no fault, and a refused one changes nothing', {
  timeout: 60_000,
}, async () => {
  const opened = await openStatusArea();
  const app = await manageApp(opened.area);
  onTestFinished(async () => {
    await app.close();
    await opened.close();
  });
  const { componentIds, openIncidentId, upcomingId } = await createBusyStatusPage(opened.area);
  const [api = ''] = componentIds;
  const { id: page } = await opened.area.service.readPage();
  const [update] = (await opened.area.service.readIncident(openIncidentId)).incident_updates;
  const routes = [
    ['POST', 'components', 'component'],
    ['PATCH', `components/${api}`, 'component'],
    ['POST', 'component-groups', 'component_group'],
    ['POST', 'incidents', 'incident'],
    ['PATCH', `incidents/${openIncidentId}`, 'incident'],
    ['PUT', `incidents/${upcomingId}`, 'incident'],
    ['PATCH', `incidents/${openIncidentId}/incident_updates/${update?.id}`, 'incident_update'],
    ['PUT', `incidents/${openIncidentId}/postmortem`, 'postmortem'],
    ['PUT', `incidents/${openIncidentId}/postmortem/publish`, 'postmortem'],
    ['POST', 'subscribers', 'subscriber'],
    ['PATCH', '', 'page'],
  ] as const;
  const members = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 });
  const maps = fc.dictionary(fc.constantFrom(api, 'missing', '__proto__', ''), value, { maxKeys: 3 });
  const call = fc.tuple(
    fc.constantFrom(...routes),
    fc.oneof(
      members,
      maps.map((components) => ({ name: 'I', components })),
      value,
    ),
  );

  await fc.assert(
    fc.asyncProperty(call, async ([[method, path, noun], given]) => {
      // The limit of calls is another test's matter.
      opened.clock.advance(1000);
      const before = await opened.area.repository.revision();
      const { statusCode, body } = await app.inject({
        method,
        url: `/v1/pages/${page}/${path}`,
        headers: { authorization: `OAuth ${TEST_TOKENS.write.text}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ [noun]: given }),
      });
      expect([200, 201, 400, 404, 422], body).toContain(statusCode);
      if (statusCode >= 400) expect(await opened.area.repository.revision()).toBe(before);
      expect((await app.inject('/api/v2/summary.json')).statusCode).toBe(200);
    }),
    { numRuns: 400 },
  );
});
