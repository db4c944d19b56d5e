import { type Html, html } from '../../../pages/html.ts';
import type { IncidentUpdate } from '../../model/page-state.ts';
import type { PageFrame } from '../page-site.ts';
import { longDate } from '../page-time.ts';
import { INCIDENT_WORDS, icon } from '../status-marks.ts';
import type { HomeView, OpenEntries } from '../views/home-view.ts';
import type { IncidentView, PastDay } from '../views/incident-view.ts';
import { renderComponents } from './render-components.ts';
import { renderDowntime } from './render-downtime.ts';
import {
  impactOf,
  incidentLink,
  renderIncidentCard,
  renderMaintenanceCard,
  renderUpdate,
  windowOf,
} from './render-incident.ts';
import { renderLayout } from './render-layout.ts';
import { renderResponseTimes } from './render-response-times.ts';

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
