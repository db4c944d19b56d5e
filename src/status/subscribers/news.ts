import { IMPACT_MARKS, INCIDENT_WORDS, type Mark, markOf, wordOf } from '../page/status-marks.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import type { IncidentStatus } from '../rules/incident-status.ts';
import type { Impact } from '../rules/indicator.ts';
import { plainText } from '../text/plain-text.ts';

/** One piece of news for people: what chats and mails show of a notice. */
export interface News {
  /** One line. */
  readonly title: string;
  /** Without markup; may be long, or empty. */
  readonly text: string;
  readonly mark: Mark;
  readonly link: string;
  readonly pageName: string;
  readonly pageUrl: string;
}

/** Members of a notice's payload that are told of; it is our own, so it is not judged again. */
interface Payload {
  readonly incident?: {
    readonly name: string;
    readonly status: IncidentStatus;
    readonly impact: Impact;
    readonly shortlink: string;
    readonly incident_updates: readonly { readonly body: string }[];
  };
  readonly component?: { readonly name: string };
  readonly component_update?: { readonly old_status: ComponentStatus; readonly new_status: ComponentStatus };
}

/** @param payload JSON, as notices keep it. @param page as it is called now. */
export function newsOf(payload: string, page: { readonly name: string; readonly url: string }): News {
  const { incident, component, component_update: moved } = JSON.parse(payload) as Payload;
  const about = { pageName: page.name, pageUrl: page.url };
  if (incident !== undefined) {
    return {
      ...about,
      title: oneLine(`${INCIDENT_WORDS[incident.status]}: ${incident.name}`),
      text: plainText(incident.incident_updates[0]?.body ?? ''),
      mark: ['resolved', 'completed', 'postmortem'].includes(incident.status)
        ? 'operational'
        : IMPACT_MARKS[incident.impact],
      link: incident.shortlink,
    };
  }
  const status = moved?.new_status ?? 'operational';
  return {
    ...about,
    title: oneLine(`${component?.name ?? ''}: ${wordOf(status)}`),
    text: `Before: ${wordOf(moved?.old_status ?? 'operational')}`,
    mark: markOf(status),
    link: page.url,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
