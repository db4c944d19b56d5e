import { type Html, html } from '../../../pages/html.ts';
import type { AffectedComponent, IncidentUpdate } from '../../model/page-state.ts';
import type { PageFrame } from '../page-site.ts';
import { durationText } from '../page-time.ts';
import { INCIDENT_MARKS, INCIDENT_WORDS, labelled, markOf, wordOf } from '../status-marks.ts';
import type { IncidentView } from '../views/incident-view.ts';
import { affectedChips, impactOf, overdueMark, renderUpdate, windowOf } from './render-incident.ts';
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
