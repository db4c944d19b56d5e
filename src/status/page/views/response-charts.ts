import { groupBy } from '../../../values/group-by.ts';
import { fullName } from '../../model/page-order.ts';
import type { Component, PageState } from '../../model/page-state.ts';
import type { ResponseCount } from '../../store/response-times.sql.ts';
import { durationOfShare } from '../../uptime/response-buckets.ts';

/** How long a part took by day. */
export type ResponseChart = ReturnType<typeof responseCharts>[number];

/** Milliseconds in which half and 95 of 100 answers came. */
export type ResponseDay = NonNullable<ReturnType<typeof dayOf>>;

/** The charts of components that are measured, in the given order; who has no day yet has none. */
export function responseCharts(
  components: readonly Component[],
  state: PageState,
  counts: readonly ResponseCount[],
  dates: readonly string[],
) {
  const byProbe = groupBy(counts, ({ probe }) => probe);
  return components.flatMap((component) => {
    const own = component.probe === null ? [] : (byProbe.get(component.probe) ?? []);
    const byDate = groupBy(own, ({ date }) => date);
    // Oldest first; null for days on which nothing was measured.
    const days = dates.map((date) => dayOf(byDate.get(date) ?? []));
    if (days.every((day) => day === null)) return [];
    return [{ id: component.id, name: fullName(component, state.components), days }];
  });
}

function dayOf(counts: readonly ResponseCount[]) {
  if (counts.length === 0) return null;
  const buckets = new Map(counts.map(({ bucket, count }) => [bucket, count]));
  return { median: durationOfShare(buckets, 0.5), most: durationOfShare(buckets, 0.95) };
}
