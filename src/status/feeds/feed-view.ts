import { html, printHtml, trusted } from '../../pages/html.ts';
import { newestIncidentsFirst, newestUpdatesFirst } from '../model/page-order.ts';
import type { Incident, IncidentUpdate, Page, PageState } from '../model/page-state.ts';
import { createPageTime, type PageTime } from '../page/page-time.ts';
import { INCIDENT_WORDS } from '../page/status-marks.ts';
import { plainText } from '../text/plain-text.ts';
import { renderBody } from '../text/render-body.ts';

/** How many incidents and maintenances a feed holds. @see contracts/status.md section 10 */
export const FEED_ENTRIES = 25;

/** Readers show a line or two of it. */
const SUMMARY_CHARACTERS = 300;

/** What a feed shows, whatever its format. Instants are UTC milliseconds, texts are not escaped. */
export type FeedView = ReturnType<typeof feedView>;
export type FeedEntry = ReturnType<typeof feedEntry>;

/**
 * Assembles the feed of a page.
 *
 * @param state with the newest incidents and maintenances of any status.
 * @see contracts/status.md section 10
 */
export function feedView({ page, incidents }: PageState) {
  const time = createPageTime(page.timeZone);
  const shown = newestIncidentsFirst(incidents).slice(0, FEED_ENTRIES);
  return {
    /** Never changes while the page keeps its host. */
    id: tagUri(page, page.createdAt, `Page/${page.id}`),
    title: `${page.name}: incidents and maintenances`,
    pageUrl: page.url,
    author: page.name,
    updatedAt: Math.max(page.createdAt, ...shown.map(({ updatedAt }) => updatedAt)),
    /** Newest first. */
    entries: shown.map((incident) => feedEntry(page, incident, time)),
    /** An instant for programs, in the zone of the page. */
    printTime: (instant: number) => time.zoned.print(instant),
  };
}

function feedEntry(page: Page, incident: Incident, time: PageTime) {
  return {
    id: tagUri(page, incident.createdAt, `Incident/${incident.id}`),
    title: incident.name,
    link: `${page.url}/i/${incident.id}`,
    publishedAt: incident.createdAt,
    updatedAt: incident.updatedAt,
    ...entryTexts(incident, time),
  };
}

function entryTexts({ scheduledFor, scheduledUntil, updates }: Incident, time: PageTime) {
  const window =
    scheduledFor === null || scheduledUntil === null
      ? null
      : html`<p>Scheduled for ${time.window(scheduledFor, scheduledUntil)}</p>`;
  const shown = newestUpdatesFirst(updates);
  return {
    /** The beginning of the newest update, without mark-up. */
    summary: shown.slice(0, 1).map(updateSummary).join(''),
    /** All updates as safe HTML, newest first. */
    content: printHtml(html`${window}${shown.map((update) => updateContent(update, time))}`),
  };
}

function updateSummary({ status, body }: IncidentUpdate): string {
  const characters = [...`${INCIDENT_WORDS[status]}: ${plainText(body)}`];
  if (characters.length <= SUMMARY_CHARACTERS) return characters.join('');
  return `${characters.slice(0, SUMMARY_CHARACTERS - 1).join('')}…`;
}

function updateContent({ status, displayAt, body }: IncidentUpdate, time: PageTime) {
  const heading = html`<p><strong>${INCIDENT_WORDS[status]}</strong> – ${time.element(displayAt)}</p>`;
  return html`${heading}${trusted(renderBody(body))}`;
}

/** A name that stays when addresses change. The year is that of UTC, which no setting changes. @see RFC 4151 */
function tagUri({ url }: Page, createdAt: number, specific: string): string {
  // Brackets of an IPv6 address may not stand in a URI's path.
  const host = new URL(url).hostname.replace(/[[\]]/g, '');
  return `tag:${host},${new Date(createdAt).getUTCFullYear()}:${specific}`;
}
