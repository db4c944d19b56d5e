import { type Html, html } from '../../../pages/html.ts';
import { shownImpact } from '../../rules/indicator.ts';
import type { PastEntry } from '../../store/status-repository.ts';
import type { PageFrame } from '../page-site.ts';
import { durationText, monthName } from '../page-time.ts';
import { INCIDENT_WORDS } from '../status-marks.ts';
import type { HistoryMonth, HistoryPage } from '../views/history-view.ts';
import { impactOf, incidentLink, renderDowntime } from './render-incident.ts';
import { renderLayout } from './render-layout.ts';
import { renderPaging } from './render-paging.ts';

/**
 * Three months of incidents and finished maintenances.
 *
 * @see contracts/status.md section 10
 */
export function renderHistory(page: HistoryPage, months: readonly HistoryMonth[], frame: PageFrame): string {
  return renderLayout(frame, {
    title: page.number === 1 ? 'Incident history' : `Incident history, page ${page.number}`,
    main: html`<h1>Incident history</h1>
${months.map((month) => renderMonth(month, frame))}
${renderPaging({ path: 'history', number: page.number, hasNext: page.hasOlder, words: ['Newer', 'Older'] }, frame)}`,
  });
}

function renderMonth({ month, entries, downtimes }: HistoryMonth, frame: PageFrame): Html {
  const isQuiet = entries.length === 0 && downtimes.length === 0;
  return html`<section aria-labelledby="m${month}">
<h2 id="m${month}">${monthName(month)}</h2>
${isQuiet ? html`<p class="muted">No incidents reported.</p>` : null}${entries.length === 0 ? null : html`<ul class="plain">${entries.map((entry) => renderEntry(entry, frame))}</ul>`}${downtimes.map((downtime) => html`<div class="day">${renderDowntime(downtime, frame)}</div>`)}
</section>`;
}

function renderEntry(entry: PastEntry, frame: PageFrame): Html {
  return html`<li class="day"><h3>${incidentLink(entry, frame)}</h3>
<p>${impactOf({ impact: shownImpact(entry) })} · ${INCIDENT_WORDS[entry.status]}</p>
<p class="small">${periodOf(entry, frame)}</p></li>
`;
}

/**
 * The window of a maintenance, the time from beginning to end of an incident, or since when it lasts. Of one that was
 * entered afterwards nobody knows how long it took.
 */
function periodOf(
  { startedAt, resolvedAt, scheduledFor, scheduledUntil }: PastEntry,
  { time }: PageFrame,
): Html {
  const [from, to] = scheduledFor === null ? [startedAt, resolvedAt] : [scheduledFor, scheduledUntil];
  if (to === null) return html`Since ${time.element(from)}`;
  if (to === from) return time.element(from);
  return html`${time.window(from, to)} <span class="muted whole">(${durationText(Math.max(0, to - from))})</span>`;
}
