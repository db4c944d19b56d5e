import type { STATES } from '../../pages/colour-tokens.ts';
import { type Html, html, trusted } from '../../pages/html.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { IncidentStatus } from '../rules/incident-status.ts';
import type { Impact } from '../rules/indicator.ts';

/** Shape and colour of a state; a word always stands beside them. @see contracts/status.md section 10 */
export type Mark = (typeof STATES)[number];

/** Marks by component state; null: the component did not exist. */
export function markOf(status: ComponentStatus | null): Mark {
  return status === null ? 'no-data' : COMPONENT_MARKS[status];
}

const COMPONENT_MARKS: Readonly<Record<ComponentStatus, Mark>> = {
  operational: 'operational',
  under_maintenance: 'maintenance',
  degraded_performance: 'degraded',
  partial_outage: 'partial',
  major_outage: 'major',
};

/** What legends explain, the best first. */
export const LEGEND = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  null,
] as const;

/** Marks by impact of an incident and by overall indicator. */
export const IMPACT_MARKS: Readonly<Record<Impact, Mark>> = {
  none: 'operational',
  maintenance: 'maintenance',
  minor: 'degraded',
  major: 'partial',
  critical: 'major',
};

/** Marks of one incident: without a known impact it is neither good nor bad. */
export const INCIDENT_MARKS: Readonly<Record<Impact, Mark>> = { ...IMPACT_MARKS, none: 'no-data' };

/** Words of an incident's impact. */
export const IMPACT_WORDS: Readonly<Record<Impact, string>> = {
  none: 'No impact',
  maintenance: 'Maintenance',
  minor: 'Minor impact',
  major: 'Major impact',
  critical: 'Critical impact',
};

/** Words of component states; null: the component did not exist. */
export function wordOf(status: ComponentStatus | null): string {
  return status === null ? 'No data' : COMPONENT_WORDS[status];
}

const COMPONENT_WORDS: Readonly<Record<ComponentStatus, string>> = {
  operational: 'Operational',
  under_maintenance: 'Under maintenance',
  degraded_performance: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
};

/** Words of the states of incidents and maintenances. */
export const INCIDENT_WORDS: Readonly<Record<IncidentStatus, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  postmortem: 'Postmortem',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  verifying: 'Verifying',
  completed: 'Completed',
};

/** Shapes in a square of 16: check circle, triangle down, half circle, cross octagon, wrench, dash. */
const SHAPES: Readonly<Record<Mark, string>> = {
  operational:
    '<circle cx="8" cy="8" r="6.9" fill="none" stroke="currentColor" stroke-width="1.8"/>' +
    '<path d="m4.7 8.3 2.4 2.4 4.2-5" fill="none" stroke="currentColor" stroke-width="1.9"/>',
  degraded: '<path d="M.8 2.5h14.4L8 14.8z" fill="currentColor"/>',
  partial:
    '<circle cx="8" cy="8" r="6.9" fill="none" stroke="currentColor" stroke-width="1.8"/>' +
    '<path d="M8 1a7 7 0 0 0 0 14z" fill="currentColor"/>',
  major:
    '<path d="M5 .9h6L15.1 5v6L11 15.1H5L.9 11V5z" fill="none" stroke="currentColor" stroke-width="1.8"/>' +
    '<path d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" stroke="currentColor" stroke-width="1.9"/>',
  maintenance:
    '<path d="M15 4.6a4.2 4.2 0 0 1-5.5 4L4.6 13.9a1.9 1.9 0 0 1-2.6-2.6L7.4 6.5a4.2 4.2 0 0 1 5-5.4' +
    'L9.9 3.6l.4 2.1 2.1.4z" fill="currentColor"/>',
  'no-data': '<path d="M2.5 7h11v2h-11z" fill="currentColor"/>',
};

/** The shapes, once per document; {@link icon} refers to them. */
export const ICON_SHAPES: Html = trusted(
  `<svg class="shapes" width="0" height="0" aria-hidden="true">${Object.entries(SHAPES)
    .map(([mark, shape]) => `<symbol id="i-${mark}" viewBox="0 0 16 16">${shape}</symbol>`)
    .join('')}</svg>`,
);

/** The shape of a mark in its colour; nothing for those who cannot see it, since the word tells the same. */
export function icon(mark: Mark): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="#i-${mark}"/></svg>`;
}

/** Shape and word in the colour of the mark. */
export function labelled(mark: Mark, word: string): Html {
  return html`<span class="state is-${mark}">${icon(mark)} ${word}</span>`;
}
