import { describePage } from '../documents/describe-page.ts';
import { managedIncident } from '../documents/managed-representation.ts';
import { pageStatus } from '../documents/public-documents.ts';
import type { Notice, StatusChanges } from '../model/changes.ts';
import type { PageState } from '../model/page-state.ts';
import { createZonedTime } from '../rules/zoned-time.ts';

/**
 * The notices of a change, in the order of its rows: updates first, then components.
 *
 * `deliver_notifications: false` of a call silences everything that the call did; what is backfilled is no news.
 *
 * @param state as it is after the change.
 * @see contracts/status.md section 11
 */
export function noticesOf(
  state: PageState,
  changes: StatusChanges,
  context: { readonly now: number; readonly newId: () => string },
): readonly Notice[] {
  const isSilent =
    changes.newUpdates.length > 0 && changes.newUpdates.every(({ update }) => !update.deliverNotifications);
  if (isSilent) return [];
  const { id, updatedAt: _ } = changes.page;
  const overall = pageStatus(state);
  const page = { id, status_indicator: overall.indicator, status_description: overall.description };
  const backfilled = new Set(state.incidents.filter((each) => each.backfilled).map((each) => each.id));
  const news = { at: context.now, generatedAt: createZonedTime(changes.page.timeZone).print(context.now) };

  const incidents = changes.newUpdates
    .filter(({ incidentId, update }) => update.deliverNotifications && !backfilled.has(incidentId))
    .map(({ incidentId }): Notice => {
      const payload = { page, incident: managedIncident(state, incidentId) };
      return { id: context.newId(), kind: 'incident', subjectId: incidentId, ...news, payload };
    });
  const moved = changes.events.filter(({ from }) => from !== null);
  if (moved.length === 0) return incidents;
  const { components, time } = describePage(state);
  const components_ = moved.map(({ componentId, from, to, at }): Notice => {
    const component_update = {
      id: context.newId(),
      component_id: componentId,
      old_status: from,
      new_status: to,
      created_at: time.print(at),
      component_type: 'Component',
    };
    const component = components.find((each) => each.id === componentId);
    const payload = { page, component, component_update };
    return { id: component_update.id, kind: 'component', subjectId: componentId, ...news, payload };
  });
  return [...incidents, ...components_];
}
