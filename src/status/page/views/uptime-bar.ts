import { type Html, html, trusted } from '../../../pages/html.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../rules/component-status.ts';
import { monthAndDay } from '../page-time.ts';
import { LEGEND, markOf, wordOf } from '../status-marks.ts';
import type { DayStretch } from './day-stretches.ts';

/** Uptime of a component by day, oldest first. */
export interface UptimeBar {
  /** The worst status of each day; null before the component existed. */
  readonly days: readonly (ComponentStatus | null)[];
  /** Percentage for people, without the sign. */
  readonly uptime: string;
  /** When measuring began, UTC milliseconds; null when that was before the first of the days. */
  readonly since: number | null;
  /** The same days with how long they were how, oldest first. */
  readonly details: readonly DayStretch[];
}

/**
 * Of the drawing, whose unit across is a day. Every block is as high; the style sheet says how wide it is, and by which
 * pattern of gaps the statuses differ beside their colours.
 */
const BAR_HEIGHT = 28;

/**
 * The blocks of a bar: one path per status, so that ninety days take a few hundred bytes.
 *
 * @param dates of the days, `YYYY-MM-DD`.
 * @see contracts/status.md section 10, bar
 */
export function renderBar(bar: Pick<UptimeBar, 'days' | 'uptime'>, dates: readonly string[]): Html {
  const drawn = pathsOf(bar.days).map(
    ([status, path]) => html`<path class="is-${markOf(status)}" d="${trusted(path)}"/>`,
  );
  return html`<svg class="bar" viewBox="-.5 0 ${bar.days.length} ${BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${describeBar(bar, dates)}">${drawn}</svg>`;
}

/** One block of each status with its word, in the order of {@link LEGEND}. */
export function renderPatterns(): Html {
  return html`<ul class="plain links patterns">${LEGEND.map(
    (status) =>
      html`<li><svg class="bar" viewBox="-.5 0 1 ${BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="is-${markOf(status)}" d="M0 0V${BAR_HEIGHT}"/></svg>${wordOf(status)}</li>
`,
  )}</ul>`;
}

/** Nobody listens to more dates; the calendar has them. */
const MAX_NAMED = 12;

/** The bar in words, naming every day that was not operational. */
export function describeBar(
  { days, uptime }: Pick<UptimeBar, 'days' | 'uptime'>,
  dates: readonly string[],
): string {
  const worstFirst = COMPONENT_STATUSES.filter((status) => status !== 'operational').reverse();
  const named = worstFirst.flatMap((status) => {
    const found = stretches(days, status).map(([first, last]) => {
      const [from, to] = [monthAndDay(dates[first] ?? ''), monthAndDay(dates[last] ?? '')];
      return first === last ? from : `${from} to ${to}`;
    });
    if (found.length > MAX_NAMED) {
      const count = days.filter((day) => day === status).length;
      return [`${wordOf(status)} on ${count} days.`];
    }
    return found.length === 0 ? [] : [`${wordOf(status)}: ${found.join(', ')}.`];
  });
  const unknown = days.filter((status) => status === null).length;
  if (unknown > 0) named.push(`No data for the first ${unknown} ${unknown === 1 ? 'day' : 'days'}.`);
  const rest = named.length === 0 ? ['No outage.'] : named;
  return [`Last ${days.length} days: ${uptime} % uptime.`, ...rest].join(' ');
}

/** A line from top to bottom for each day, by status. */
function pathsOf(days: UptimeBar['days']): readonly (readonly [ComponentStatus | null, string])[] {
  const paths = new Map<ComponentStatus | null, string>();
  for (const [index, status] of days.entries()) {
    paths.set(status, `${paths.get(status) ?? ''}M${index} 0V${BAR_HEIGHT}`);
  }
  return [...paths];
}

/** First and last index of each run of days with a status. */
function stretches(days: UptimeBar['days'], status: ComponentStatus): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, day] of days.entries()) {
    if (day !== status) continue;
    const last = found.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else found.push([index, index]);
  }
  return found;
}
