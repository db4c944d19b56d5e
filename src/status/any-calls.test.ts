import { describe, expect, test } from 'vitest';
import { openStatusArea } from '../../test/kit/status/open-status-area.ts';
import { repetitions } from '../../test/support/depth.ts';
import * as fc from '../../test/support/properties.ts';
import { publicDocuments } from './documents/public-documents.ts';
import { StatusNotFoundError, StatusValidationError } from './errors.ts';
import { COMPONENT_STATUSES } from './rules/component-status.ts';
import { MAINTENANCE_STATUSES, REALTIME_STATUSES } from './rules/incident-status.ts';
import type { StatusService } from './service/create-status-service.ts';

/** Existing things are picked by number, modulo how many there are. */
interface Existing {
  readonly components: readonly string[];
  readonly groups: readonly string[];
  readonly incidents: readonly string[];
}
type Call = (service: StatusService, existing: Existing) => Promise<unknown>;

const pick = (ids: readonly string[], index: number) => ids[index % Math.max(1, ids.length)] ?? 'missing';
const index = fc.nat(5);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const componentStatus = fc.constantFrom(...COMPONENT_STATUSES);
const status = optional(fc.constantFrom(...REALTIME_STATUSES, ...MAINTENANCE_STATUSES));
const body = optional(fc.constantFrom('', 'One.', 'Two.'));
const window = optional(
  fc.constant({ scheduled_for: '2026-03-02T09:01:00Z', scheduled_until: '2026-03-02T09:02:00Z' }),
);
const flags = fc.record({
  scheduled_auto_in_progress: fc.boolean(),
  scheduled_auto_completed: fc.boolean(),
  scheduled_remind_prior: fc.boolean(),
  auto_transition_to_maintenance_state: fc.boolean(),
  auto_transition_to_operational_state: fc.boolean(),
});

const call: fc.Arbitrary<Call> = fc.oneof(
  componentStatus.map(
    (value): Call =>
      (service) =>
        service.createComponent({ name: 'C', status: value }),
  ),
  fc.tuple(index, optional(componentStatus), optional(index)).map(
    ([which, value, group]): Call =>
      (service, { components, groups }) =>
        service.updateComponent(pick(components, which), {
          ...(value === undefined ? {} : { status: value }),
          ...(group === undefined ? {} : { group_id: groups.length > 0 ? pick(groups, group) : null }),
        }),
  ),
  fc.tuple(index, index).map(
    ([first, second]): Call =>
      (service, { components }) =>
        service.createGroup({ name: 'G', components: [pick(components, first), pick(components, second)] }),
  ),
  index.map(
    (which): Call =>
      (service, { groups }) =>
        service.deleteGroup(pick(groups, which)),
  ),
  index.map(
    (which): Call =>
      (service, { components }) =>
        service.deleteComponent(pick(components, which)),
  ),
  fc.tuple(status, body, window, flags, index, componentStatus).map(
    ([state, text, planned, members, which, value]): Call =>
      (service, { components }) =>
        service.createIncident({
          name: 'I',
          status: state,
          body: text,
          ...planned,
          ...members,
          ...(components.length > 0 ? { components: { [pick(components, which)]: value } } : {}),
        }),
  ),
  fc.tuple(index, status, body, optional(index), componentStatus).map(
    ([which, state, text, component, value]): Call =>
      (service, { incidents, components }) =>
        service.updateIncident(pick(incidents, which), {
          status: state,
          body: text,
          ...(component === undefined ? {} : { components: { [pick(components, component)]: value } }),
        }),
  ),
  index.map(
    (which): Call =>
      (service, { incidents }) =>
        service.deleteIncident(pick(incidents, which)),
  ),
  fc.tuple(index, componentStatus).map(
    ([which, value]): Call =>
      (service, { components }) =>
        service.setMonitorStatuses(new Map([[pick(components, which), value]])),
  ),
  fc.constant<Call>((service) => service.runMaintenanceSchedule()),
);

/** Repeating one of these must find nothing to do. */
const REPEATABLE = /updateComponent|setMonitorStatuses|runMaintenanceSchedule|updateIncident/;

describe('any sequence of calls', () => {
  test('moves the time of the page exactly when a public document changes, and repeats do nothing', async () => {
    let repeats = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 25 }), async (calls) => {
        const { area, clock, close } = await openStatusArea();
        try {
          let before = await look(area);
          for (const run of calls) {
            clock.advance(7_001);
            await attempt(run, area.service, before.existing);
            const after = await look(area);
            expect(after.text !== before.text).toBe(after.updatedAt !== before.updatedAt);
            if (after.text !== before.text) expect(after.updatedAt).toBe(clock.now());
            if (REPEATABLE.test(run.toString())) {
              repeats += 1;
              await attempt(run, area.service, before.existing);
              expect((await look(area)).text).toBe(after.text);
            }
            before = after;
          }
        } finally {
          await close();
        }
      }),
      { numRuns: 60 },
    );
    expect(repeats).toBeGreaterThan(repetitions(20));
  });
});

async function look({ repository }: Awaited<ReturnType<typeof openStatusArea>>['area']) {
  const state = await repository.readPublished();
  const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
  return {
    // Without the time itself, or its moving would count as a change.
    text: JSON.stringify(publicDocuments({ ...state, page: { ...state.page, updatedAt: 0 } })),
    updatedAt: state.page.updatedAt,
    existing: {
      components: ids(state.components.filter(({ group }) => !group)),
      groups: ids(state.components.filter(({ group }) => group)),
      incidents: ids(state.incidents),
    },
  };
}

/** Refusals are fine here; anything else is a failure. */
async function attempt(run: Call, service: StatusService, existing: Existing): Promise<void> {
  try {
    await run(service, existing);
  } catch (error) {
    if (!(error instanceof StatusValidationError || error instanceof StatusNotFoundError)) throw error;
  }
}
