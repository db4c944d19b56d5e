import type { ComponentEvent, PageState } from '../model/page-state.ts';
import type { Downtime } from '../model/stretches.ts';
import { publicStatus } from '../rules/component-status.ts';

/** A shorter gap is a restart. */
const UNNOTICED_MS = 60_000;
const CAUSE = 'service not running';

/** The time from the last sign of life to a start, or null when it was short or no server ever ran. */
export function findDowntime(lastBeat: number | null, now: number): Downtime | null {
  return lastBeat !== null && now - lastBeat > UNNOTICED_MS ? { from: lastBeat, to: now } : null;
}

/**
 * The downtime as two events of every monitored component: out, and back to what it shows now.
 *
 * What was under maintenance stays so: nobody was promised that it runs. A component that a command changed
 * meanwhile was out only afterwards, so that events never cross.
 *
 * @param lastEvents instant of the newest event by component, UTC milliseconds.
 * @see contracts/status.md section 7, honest downtime
 */
export function downtimeEvents(
  state: PageState,
  { from, to }: Downtime,
  lastEvents: ReadonlyMap<string, number>,
): readonly ComponentEvent[] {
  const monitored = state.components.filter(({ group, probe }) => !group && probe !== null);
  return monitored.flatMap((component): ComponentEvent[] => {
    const shown = publicStatus(component);
    if (shown === 'under_maintenance' || shown === 'major_outage') return [];
    const event = { componentId: component.id, layer: 'monitor', cause: CAUSE } as const;
    const start = Math.max(from, lastEvents.get(component.id) ?? component.createdAt);
    return [
      { ...event, from: shown, to: 'major_outage', at: start },
      { ...event, from: 'major_outage', to: shown, at: to },
    ];
  });
}
