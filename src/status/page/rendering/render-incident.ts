import { type Html, html, trusted } from '../../../pages/html.ts';
import type { AffectedComponent, Downtime, IncidentUpdate } from '../../model/page-state.ts';
import { renderBody } from '../../text/render-body.ts';
import type { PageFrame } from '../page-site.ts';
import { durationText } from '../page-time.ts';
import {
  IMPACT_WORDS,
  INCIDENT_MARKS,
  INCIDENT_WORDS,
  icon,
  labelled,
  markOf,
  wordOf,
} from '../status-marks.ts';
import type { IncidentView } from '../views/incident-view.ts';
import { renderLayout } from './render-layout.ts';

/**
 * One incident or maintenance with all that was said about it; a published postmortem comes first.
 *
 * @see contracts/status.md section 10
 */
export function renderIncidentPage(incident: IncidentView, frame: PageFrame): string {
  const postmortem = incident.updates.filter(({ status }) => status === 'postmortem');
  const updates = incident.updates.filter(({ status }) => status !== 'postmortem');
  return renderLayout(frame, {
    title: incident.name,
    mark: INCIDENT_MARKS[incident.impact],
    main: html`<h1><bdi>${incident.name}</bdi></h1>
${renderFacts(incident, frame)}
${postmortem.length === 0 ? null : html`<h2>Postmortem</h2>${postmortem.map((update) => renderUpdate(update, frame))}`}
<h2>Updates</h2>
${updates.map((update) => html`<div class="day">${renderUpdate(update, frame)}${renderMoves(update)}</div>`)}`,
  });
}

function renderFacts(incident: IncidentView, frame: PageFrame): Html {
  const { kind, status, startedAt, resolvedAt, affected } = incident;
  const facts: readonly (readonly [string, Html | null])[] = [
    ['Status', html`${INCIDENT_WORDS[status]} ${overdueMark(incident)}`],
    ['Impact', impactOf(incident)],
    ['Window', windowOf(incident, frame)],
    ['Began', kind === 'realtime' ? frame.time.element(startedAt) : null],
    [kind === 'realtime' ? 'Resolved' : 'Completed', renderEnd(resolvedAt, startedAt, kind, frame)],
    ['Components', affected.length === 0 ? null : affectedChips(incident)],
  ];
  return html`<dl class="facts">
${facts.map(([name, value]) => (value === null ? null : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>`;
}

function renderEnd(
  resolvedAt: number | null,
  startedAt: number,
  kind: IncidentView['kind'],
  { time }: PageFrame,
): Html | null {
  if (resolvedAt === null) return null;
  const length =
    kind === 'realtime' && resolvedAt > startedAt
      ? html` <span class="muted whole">(after ${durationText(resolvedAt - startedAt)})</span>`
      : null;
  return html`${time.element(resolvedAt)}${length}`;
}

/** The components that the update moved; those that stayed as they were are left out. */
function renderMoves({ affectedComponents }: IncidentUpdate): Html | null {
  const moved = (affectedComponents ?? []).filter(({ old_status, new_status }) => old_status !== new_status);
  if (moved.length === 0) return null;
  return html`<ul class="plain small">${moved.map(renderMove)}</ul>`;
}

function renderMove({ name, old_status, new_status }: AffectedComponent): Html {
  return html`<li><bdi>${name}</bdi>: ${wordOf(old_status)} → ${labelled(markOf(new_status), wordOf(new_status))}</li>`;
}

/** An open incident: its newest update, the earlier ones folded. */
export function renderIncidentCard(incident: IncidentView, frame: PageFrame): Html {
  const [newest, ...earlier] = incident.updates;
  return html`<article class="card is-${INCIDENT_MARKS[incident.impact]}">
<p>${impactOf(incident)}</p>
<h3>${incidentLink(incident, frame)}</h3>
${newest === undefined ? null : renderUpdate(newest, frame)}
${earlierUpdates(earlier, frame)}
${affectedChips(incident)}
</article>`;
}

/** A maintenance, running or planned: when, for how long, and what is said about it. */
export function renderMaintenanceCard(maintenance: IncidentView, frame: PageFrame): Html {
  const [newest, ...earlier] = maintenance.updates;
  return html`<article class="card is-maintenance">
<h3>${incidentLink(maintenance, frame)}</h3>
<p>${labelled('maintenance', INCIDENT_WORDS[maintenance.status])} ${overdueMark(maintenance)}</p>
<p>${windowOf(maintenance, frame)}</p>
${newest === undefined ? null : renderUpdate(newest, frame)}
${earlierUpdates(earlier, frame)}
${affectedChips(maintenance)}
</article>`;
}

/** A status, what was said, and when. */
export function renderUpdate(update: IncidentUpdate, { time }: PageFrame): Html {
  return html`<div class="update"><p><strong>${INCIDENT_WORDS[update.status]}</strong> <span class="muted small">${time.element(update.displayAt)}</span></p><div class="body">${trusted(renderBody(update.body))}</div></div>`;
}

/** Shape and word of an incident's impact. */
export function impactOf({ impact }: Pick<IncidentView, 'impact'>): Html {
  return labelled(INCIDENT_MARKS[impact], IMPACT_WORDS[impact]);
}

/** The name, leading to the incident's own page. */
export function incidentLink({ id, name }: Pick<IncidentView, 'id' | 'name'>, { site }: PageFrame): Html {
  return html`<a href="${site.base}/incidents/${id}"><bdi>${name}</bdi></a>`;
}

/** The window of a maintenance with its length; null for an incident. */
export function windowOf({ window }: IncidentView, { time }: PageFrame): Html | null {
  if (window === null) return null;
  return html`${time.window(window.from, window.to)} <span class="muted whole">(${durationText(window.to - window.from)})</span>`;
}

/** Says that a maintenance is not where its plan wants it; null otherwise. */
function overdueMark({ isOverdue, status }: IncidentView): Html | null {
  if (!isOverdue) return null;
  return html`<span class="mark is-major">${status === 'scheduled' ? 'Start is overdue' : 'Overdue'}</span>`;
}

/** The attached components as they are now; null when there are none. */
function affectedChips({ affected }: IncidentView): Html | null {
  if (affected.length === 0) return null;
  return html`<ul class="chips" aria-label="Affected components">${affected.map(
    ({ name, status }) =>
      html`<li><bdi>${name}</bdi> <span class="is-${markOf(status)}">${icon(markOf(status))} ${wordOf(status)}</span></li>`,
  )}</ul>`;
}

function earlierUpdates(updates: readonly IncidentUpdate[], frame: PageFrame): Html | null {
  if (updates.length === 0) return null;
  return html`<details><summary>Earlier updates (${updates.length})</summary>${updates.map((update) => renderUpdate(update, frame))}</details>`;
}

/**
 * A stretch in which nothing ran that could have measured or answered.
 *
 * @see contracts/status.md section 7, honest downtime
 */
export function renderDowntime({ from, to }: Downtime, { time }: PageFrame): Html {
  return html`<div class="past"><p>${labelled('major', 'Service not running')}</p>
<p class="small">${time.window(from, to)} <span class="muted whole">(${durationText(to - from)})</span></p></div>
`;
}
