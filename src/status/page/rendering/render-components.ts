import { type Html, html } from '../../../pages/html.ts';
import { COMPONENT_STATUSES } from '../../rules/component-status.ts';
import type { PageFrame } from '../page-site.ts';
import { durationText, monthAndDay } from '../page-time.ts';
import { labelled, markOf, wordOf } from '../status-marks.ts';
import { type ComponentRow, type GroupRow, isGroupRow } from '../views/component-rows.ts';
import { type DayStretch, NEWEST_DAYS } from '../views/day-stretches.ts';
import { renderBar, renderPatterns } from '../views/uptime-bar.ts';

/**
 * The list of components, groups folded unless something is wrong in them.
 *
 * @param dates local days of the bars, oldest first.
 */
export function renderComponents(
  rows: readonly (ComponentRow | GroupRow)[],
  dates: readonly string[],
  frame: PageFrame,
): Html {
  if (rows.length === 0) return html`<p>No components are listed.</p>`;
  return html`<ul class="plain components">
${rows.map((row) => (isGroupRow(row) ? renderGroup(row, dates, frame) : renderRow(row, dates, frame)))}</ul>
${renderPatterns()}`;
}

function renderGroup(group: GroupRow, dates: readonly string[], frame: PageFrame): Html {
  return html`<li><details class="group"${group.status === 'operational' ? null : html` open`}><summary><span class="line"><bdi class="name">${group.name}</bdi> <span class="muted small">${group.uptime} % uptime${sinceText(group.since, frame)}</span> ${labelled(markOf(group.status), wordOf(group.status))}</span></summary>
${group.description === null ? null : html`<p class="muted small component">${group.description}</p>`}
<ul class="plain children">
${group.children.map((child) => renderRow(child, dates, frame))}</ul></details></li>
`;
}

function renderRow(row: ComponentRow, dates: readonly string[], frame: PageFrame): Html {
  const { site } = frame;
  const { id, name, description, status, bar } = row;
  const drawn =
    bar === null
      ? null
      : html`<div class="days"><div class="clip">${renderBar(bar, dates)}${renderDays(bar.details, dates)}</div></div>
<p class="caption"><span><span class="wide">${dates.length}</span><span class="narrow">30</span> days ago</span> <span class="figure">${bar.uptime} % uptime${bar.since === null ? html`<span class="narrow"> in ${dates.length} days</span>` : sinceText(bar.since, frame)} · <a class="target" href="${site.base}/uptime?component=${id}">Details<span class="unseen"> of ${name}</span></a></span> <span>Today</span></p>`;
  return html`<li class="component"><p class="line"><bdi class="name">${name}</bdi> ${labelled(markOf(status), wordOf(status))}</p>
${description === null ? null : html`<p class="muted small">${description}</p>`}${drawn}</li>
`;
}

/** Since when it is measured, for those who exist for less than the bar; the first day by its hour. */
function sinceText(since: number | null, { time, now }: PageFrame): Html | null {
  if (since === null) return null;
  const isToday = time.zoned.date(since) === time.zoned.date(now);
  return html` since ${isToday ? time.element(since) : time.dayElement(since)}`;
}

/**
 * What lies over a bar: each stretch of days says how it was when the pointer is on it or it has the focus.
 *
 * The keyboard and a finger stop only where there is something to say that the bar's caption does not.
 */
function renderDays(stretches: readonly DayStretch[], dates: readonly string[]): Html {
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
const MAX_STATES = 2;

/** `Mar 2: Major outage 1 h, Degraded performance 20 min` */
export function describeStretch({ durations, first, isToday, last, status }: DayStretch): string {
  const days = first === last ? monthAndDay(first) : `${monthAndDay(first)} to ${monthAndDay(last)}`;
  const when = isToday ? `${days}, today so far` : days;
  if (status === null) return `${when}: ${wordOf(null)}`;
  const worstFirst = COMPONENT_STATUSES.filter((each) => each !== 'operational' && durations[each] > 0)
    .reverse()
    .slice(0, MAX_STATES);
  if (worstFirst.length === 0) return `${when}: ${isToday ? wordOf(status) : 'No outage'}`;
  return `${when}: ${worstFirst.map((each) => `${wordOf(each)} ${durationText(durations[each])}`).join(', ')}`;
}
