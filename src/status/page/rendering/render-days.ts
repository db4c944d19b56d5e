import { type Html, html } from '../../../pages/html.ts';
import { COMPONENT_STATUSES } from '../../rules/component-status.ts';
import { durationText, monthAndDay } from '../page-time.ts';
import { wordOf } from '../status-marks.ts';
import { type DayStretch, NEWEST_DAYS } from '../views/day-stretches.ts';

/**
 * What lies over a bar: each stretch of days says how it was when the pointer is on it or it has the focus.
 *
 * The keyboard and a finger stop only where there is something to say that the bar's caption does not.
 */
export function renderDays(stretches: readonly DayStretch[], dates: readonly string[]): Html {
  const cut = dates[dates.length - NEWEST_DAYS] ?? '';
  const list = (name: string, of: readonly DayStretch[]) =>
    html`<ol class="${name}">${of.map(renderStretch)}</ol>`;
  return html`<div class="strip">${list(
    'older',
    stretches.filter(({ first }) => first < cut),
  )}${list(
    'newer',
    stretches.filter(({ first }) => first >= cut),
  )}</div>`;
}

/** The end of a list's item may be left out: there are hundreds of them. */
function renderStretch(stretch: DayStretch): Html {
  const { count, isToday, status } = stretch;
  const isQuiet = !isToday && (status === null || status === 'operational');
  const span = count === 1 ? null : html` class="s${count}"`;
  return html`<li${span}${isQuiet ? null : html` tabindex="0"`}><b>${describeStretch(stretch)}</b>`;
}

/** The worst of a day; its calendar names the others. */
const MOST_STATES = 2;

/** `Mar 2: Major outage 1 h, Degraded performance 20 min` */
export function describeStretch({ durations, first, isToday, last, status }: DayStretch): string {
  const days = first === last ? monthAndDay(first) : `${monthAndDay(first)} to ${monthAndDay(last)}`;
  const when = isToday ? `${days}, today so far` : days;
  if (status === null) return `${when}: ${wordOf(null)}`;
  const worstFirst = COMPONENT_STATUSES.filter((each) => each !== 'operational' && durations[each] > 0)
    .reverse()
    .slice(0, MOST_STATES);
  if (worstFirst.length === 0) return `${when}: ${isToday ? wordOf(status) : 'No outage'}`;
  return `${when}: ${worstFirst.map((each) => `${wordOf(each)} ${durationText(durations[each])}`).join(', ')}`;
}
