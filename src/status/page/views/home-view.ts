import { summaryEntries } from '../../documents/public-documents.ts';
import { inPageOrder } from '../../model/page-order.ts';
import type { Downtime, Incident, PageState, StatusChangeAt } from '../../model/page-state.ts';
import { publicStatus } from '../../rules/component-status.ts';
import type { ZonedTime } from '../../rules/zoned-time.ts';
import type { ResponseCount } from '../../store/response-times.sql.ts';
import { lastDays } from '../../uptime/status-history.ts';
import { bannerOf } from './banner.ts';
import { componentRows, isListed } from './component-rows.ts';
import { beganAt, type IncidentView, incidentView, type PastDay } from './incident-view.ts';
import { responseCharts } from './response-charts.ts';

/** Days of the bars. */
export const BAR_DAYS = 90;
/** Days of the list of past incidents, today included. */
export const PAST_DAYS = 14;
/** More are left to the history, so that a bad fortnight does not make the page endless. */
export const MAX_PAST = 100;
/** Cards of open entries; more of them help nobody. */
const MAX_CARDS = 50;

/** Everything that the status page shows, in its order. */
export type HomeView = ReturnType<typeof homeView>;

/** Open entries of one kind. */
export interface OpenEntries {
  readonly cards: readonly IncidentView[];
  /** What is left when there are more than {@link MAX_CARDS}. */
  readonly more: readonly Pick<Incident, 'id' | 'name'>[];
}

/** What was read for {@link homeView}. */
interface HomeSources {
  /** All components and the open incidents. */
  readonly state: PageState;
  /** What began in the last days, at most one more than {@link MAX_PAST}, the newest. */
  readonly past: readonly Incident[];
  readonly events: readonly StatusChangeAt[];
  readonly downtimes: readonly Downtime[];
  readonly times: readonly ResponseCount[];
}

/**
 * The status page at an instant.
 *
 * @see contracts/status.md section 10, Layout
 */
export function homeView(sources: HomeSources, time: ZonedTime, now: number) {
  const { state, events } = sources;
  const days = lastDays(time, now, BAR_DAYS);
  const leaves = state.components.filter(({ group }) => !group);
  const { unresolved, planned } = summaryEntries(state);
  const entries = (open: readonly Incident[]): OpenEntries => ({
    cards: open.slice(0, MAX_CARDS).map((entry) => incidentView(entry, state, now)),
    more: open.slice(MAX_CARDS),
  });
  return {
    page: state.page,
    banner: bannerOf(state),
    /** Leaf components: how many work, of how many. */
    operational: leaves.filter((leaf) => publicStatus(leaf) === 'operational').length,
    leaves: leaves.length,
    current: entries(unresolved),
    running: entries(planned.filter(({ status }) => status !== 'scheduled')),
    planned: entries(planned.filter(({ status }) => status === 'scheduled')),
    components: componentRows(state, { events, days, now }),
    /** Of the components that are shown and measured, in their order. */
    charts: responseCharts(
      inPageOrder(leaves).filter((leaf) => leaf.showcase && isListed(leaf)),
      state,
      sources.times,
      days.map(({ date }) => date),
    ),
    /** Local days of the bars, oldest first. */
    dates: days.map(({ date }) => date),
    /** Newest first; fewer days than usual when too much happened. */
    past: pastDays(sources, time, now),
  };
}

function pastDays({ state, past, downtimes }: HomeSources, time: ZonedTime, now: number): readonly PastDay[] {
  const newestFirst = [...past].sort((a, b) => beganAt(b) - beganAt(a)).slice(0, MAX_PAST);
  const dated = newestFirst.map((entry) => ({
    date: time.date(beganAt(entry)),
    incident: incidentView(entry, state, now),
  }));
  // What was cut off may have begun on the last day that is left as well, so nothing older is claimed to be quiet.
  const oldest = past.length > MAX_PAST ? (dated.at(-1)?.date ?? '') : '';
  const days = lastDays(time, now, PAST_DAYS).filter(({ date }) => date >= oldest);
  return [...days].reverse().map(({ date }) => ({
    date,
    incidents: dated.filter((each) => each.date === date).map(({ incident }) => incident),
    downtimes: downtimes.filter(({ from }) => time.date(from) === date).reverse(),
  }));
}
