import { type Html, html, trusted } from '../../../pages/html.ts';
import type { IncidentUpdate } from '../../model/page-state.ts';
import type { PageFrame } from '../page-site.ts';
import { longDate } from '../page-time.ts';
import { INCIDENT_WORDS, icon } from '../status-marks.ts';
import type { HomeView, OpenEntries } from '../views/home-view.ts';
import type { IncidentView, PastDay } from '../views/incident-view.ts';
import type { ResponseChart, ResponseDay } from '../views/response-charts.ts';
import { renderComponents } from './render-components.ts';
import {
  impactOf,
  incidentLink,
  renderDowntime,
  renderIncidentCard,
  renderMaintenanceCard,
  renderUpdate,
  windowOf,
} from './render-incident.ts';
import { renderLayout } from './render-layout.ts';

/**
 * The status page.
 *
 * @see contracts/status.md section 10, Layout
 */
export function renderHome(view: HomeView, frame: PageFrame): string {
  const { current, running, planned, components, charts, dates } = view;
  const maintenances = (entries: OpenEntries) => renderEntries(entries, renderMaintenanceCard, frame);
  return renderLayout(frame, {
    title: view.banner.text,
    mark: view.banner.mark,
    main: html`${renderBanner(view, frame)}
${view.page.description === null ? null : html`<p class="about">${view.page.description}</p>`}
${section('current', 'Current incidents', renderEntries(current, renderIncidentCard, frame))}
${section('running', 'Maintenance in progress', maintenances(running))}
${section('components', 'Components', [renderComponents(components, dates, frame)])}
${section('times', 'Response times', charts.length === 0 ? [] : [renderResponseTimes(charts)])}
${section('planned', 'Scheduled maintenance', maintenances(planned))}
${section('past', 'Past incidents', [...view.past.map((day) => renderDay(day, frame)), historyLink(frame)])}`,
  });
}

function renderBanner({ banner, page, operational, leaves }: HomeView, { time }: PageFrame): Html {
  return html`<div class="banner is-${banner.mark}" role="status">
<h1>${icon(banner.mark)} ${banner.text}</h1>
<p class="muted">Updated ${time.element(page.updatedAt)}, ${operational} of ${leaves} components operational</p>
</div>`;
}

function renderEntries(
  { cards, more }: OpenEntries,
  render: (entry: IncidentView, frame: PageFrame) => Html,
  frame: PageFrame,
): readonly Html[] {
  const shown = cards.map((entry) => render(entry, frame));
  if (more.length === 0) return shown;
  const links = more.map((entry) => html`<li>${incidentLink(entry, frame)}</li>`);
  return [...shown, html`<details><summary>${more.length} more</summary><ul>${links}</ul></details>`];
}

/** Nothing when there is nothing to show in it. */
function section(id: string, heading: string, content: readonly Html[]): Html | null {
  if (content.length === 0) return null;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
</section>`;
}

function renderDay({ date, incidents, downtimes }: PastDay, frame: PageFrame): Html {
  const isQuiet = incidents.length === 0 && downtimes.length === 0;
  return html`<div class="day"><h3>${longDate(date)}</h3>
${isQuiet ? html`<p class="muted">No incidents reported.</p>` : null}${incidents.map((incident) => renderPast(incident, frame))}${downtimes.map((downtime) => renderDowntime(downtime, frame))}</div>
`;
}

/** What is still open has its card above. */
function renderPast(incident: IncidentView, frame: PageFrame): Html {
  const { window, isOpen } = incident;
  return html`<div class="past"><p><strong>${incidentLink(incident, frame)}</strong> ${impactOf(incident)}</p>
${window === null ? null : html`<p class="small">${windowOf(incident, frame)}</p>`}
${isOpen ? html`<p>${INCIDENT_WORDS[incident.status]}: see above.</p>` : incident.updates.map((update) => renderPastUpdate(update, incident, frame))}</div>
`;
}

/** A postmortem is long: it stands on the incident's own page. */
function renderPastUpdate(update: IncidentUpdate, { id }: IncidentView, frame: PageFrame): Html {
  if (update.status !== 'postmortem') return renderUpdate(update, frame);
  return html`<p>${incidentLink({ id, name: 'Postmortem' }, frame)} <span class="muted small">${frame.time.element(update.displayAt)}</span></p>`;
}

function historyLink({ site }: PageFrame): Html {
  return html`<p class="day"><a class="target" href="${site.base}/history">Incident history</a></p>`;
}

/** Of the drawing, whose unit across is a day. */
const HEIGHT = 60;
/** Keeps a line at the very top from being cut in half. */
const MARGIN = 2;

/**
 * Response times as small line charts: median and 95th percentile by day, with their scale; days without data are gaps.
 */
export function renderResponseTimes(charts: readonly ResponseChart[]): Html {
  return html`<p class="small muted legend"><span class="key"></span> median, <span class="key most"></span> 95th percentile, by day, as measured by this server</p>
<div class="charts">
${charts.map(renderChart)}</div>`;
}

function renderChart(chart: ResponseChart): Html {
  const { days, name } = chart;
  const top = scaleTop(Math.max(...days.map((day) => day?.most ?? 0)));
  const line = (of: (day: ResponseDay) => number) => trusted(pathOf(days, (day) => of(day) / top));
  const newest = days.at(-1) ?? null;
  return html`<figure class="chart"><figcaption class="line"><bdi class="name">${name}</bdi> <span class="muted small">${newest === null ? 'No data today' : `today ${durationWords(newest.median)}`}</span></figcaption>
<div class="plot"><span class="small muted">${durationWords(top)}</span><span class="small muted">0</span><svg viewBox="-.5 0 ${days.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${describeChart(chart)}"><path class="most" d="${line(({ most }) => most)}"/><path d="${line(({ median }) => median)}"/></svg></div>
<p class="caption"><span>${days.length} days ago</span> <span>Today</span></p></figure>
`;
}

/** The chart in words. */
export function describeChart({ days, name }: ResponseChart): string {
  const known = days.filter((day) => day !== null);
  const range = (of: (day: ResponseDay) => number) => {
    const [least, most] = [Math.min(...known.map(of)), Math.max(...known.map(of))].map(durationWords);
    return least === most ? least : `${least} to ${most}`;
  };
  const gaps = days.length - known.length;
  return [
    `Response times of ${name} in the last ${days.length} days:`,
    `median of a day ${range(({ median }) => median)},`,
    `95th percentile ${range(({ most }) => most)}.`,
    ...(gaps === 0 ? [] : [`No data for ${gaps} ${gaps === 1 ? 'day' : 'days'}.`]),
  ].join(' ');
}

/** `12 ms`, `1.4 s`: two digits, which is what is known. */
export function durationWords(milliseconds: number): string {
  if (milliseconds >= 9_950) return `${Math.round(milliseconds / 1000)} s`;
  if (milliseconds >= 995) return `${(milliseconds / 1000).toFixed(1).replace(/\.0$/, '')} s`;
  if (milliseconds >= 100) return `${Math.round(milliseconds / 10) * 10} ms`;
  return `${Math.max(1, Math.round(milliseconds))} ms`;
}

/** The next of 1, 2, 5, 10, 20… that is not below. */
function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most;
}

/** A line through the days; a day alone is a dot, which the round end of a line of no length makes. */
function pathOf(days: readonly (ResponseDay | null)[], height: (day: ResponseDay) => number): string {
  let isOpen = false;
  let path = '';
  for (const [index, day] of days.entries()) {
    if (day !== null) {
      const y = (HEIGHT - MARGIN - height(day) * (HEIGHT - 2 * MARGIN)).toFixed(1).replace(/\.0$/, '');
      path += isOpen ? `L${index} ${y}` : `M${index} ${y}h0`;
    }
    isOpen = day !== null;
  }
  return path;
}
