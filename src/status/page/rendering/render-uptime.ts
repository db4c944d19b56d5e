import { type Html, html } from '../../../pages/html.ts';
import type { ComponentDay } from '../../uptime/status-history.ts';
import type { PageFrame } from '../page-site.ts';
import { durationText, monthAndDay, monthName, weekday } from '../page-time.ts';
import { icon, LEGEND, labelled, markOf, wordOf } from '../status-marks.ts';
import type { ComponentUptime, UptimeMonth, UptimePage } from '../views/uptime-view.ts';
import { renderLayout } from './render-layout.ts';
import { renderPaging } from './render-paging.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/**
 * Calendars of uptime: the days of the bars as tables.
 *
 * @see contracts/status.md section 10
 */
export function renderUptime(
  page: UptimePage,
  components: readonly ComponentUptime[],
  frame: PageFrame,
): string {
  const [only] = page.number === null ? components : [];
  const { number, hasNext } = page;
  return renderLayout(frame, {
    title: only === undefined ? 'Uptime' : `Uptime of ${only.name}`,
    main: html`<h1>Uptime</h1>
<p class="muted">Major outages count in full and partial outages at 30 %; degraded performance and maintenance do not count. Today is counted up to now.</p>
<p class="links legend">${LEGEND.map((status) => labelled(markOf(status), wordOf(status)))}</p>
${components.length === 0 ? html`<p>No components are listed.</p>` : components.map((each) => renderComponent(each))}
${number === null ? html`<p><a class="target" href="${frame.site.base}/uptime">Uptime of all components</a></p>` : renderPaging({ path: 'uptime', number, hasNext, words: ['Previous components', 'More components'] }, frame)}`,
  });
}

function renderComponent({ id, name, months }: ComponentUptime): Html {
  return html`<section aria-labelledby="c${id}">
<h2 id="c${id}">${name}</h2>
<div class="months">
${months.map(renderMonth)}</div>
</section>
`;
}

function renderMonth({ month, uptime, days }: UptimeMonth): Html {
  const troubled = days.filter(({ status }) => status !== null && status !== 'operational');
  return html`<div><table><caption>${monthName(month)}: ${uptime === null ? 'no data' : `${uptime} % uptime`}</caption>
<thead><tr>${WEEKDAYS.map((name) => html`<th scope="col" abbr="${name}">${name.slice(0, 3)}</th>`)}</tr></thead>
<tbody>${weeksOf(days).map(
    (week) => html`<tr>${week.map(renderDay)}</tr>
`,
  )}</tbody></table>
${troubled.length === 0 ? null : html`<ul class="plain small">${troubled.map(renderTrouble)}</ul>`}</div>
`;
}

/** Rows of seven from Monday on; null where the month has no day, or none yet. */
function weeksOf(days: readonly ComponentDay[]): readonly (readonly (ComponentDay | null)[])[] {
  const before = days[0] === undefined ? 0 : (weekday(days[0].date) + 6) % 7;
  const cells = [...Array.from({ length: before }, () => null), ...days];
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

function renderDay(day: ComponentDay | null): Html {
  if (day === null) return html`<td></td>`;
  const mark = markOf(day.status);
  return html`<td>${Number(day.date.slice(8))} <span class="is-${mark}">${icon(mark)}</span><span class="unseen"> ${wordOf(day.status)}</span></td>`;
}

/** What the mark of a day stands for, and for how long the day was so. */
function renderTrouble({ date, status, durations }: ComponentDay): Html | null {
  if (status === null) return null;
  return html`<li>${monthAndDay(date)}: ${labelled(markOf(status), wordOf(status))}, ${durationText(durations[status])}</li>`;
}
