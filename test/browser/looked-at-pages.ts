import { ManualClock } from '../../src/values/clock.ts';
import { startStatusListener } from '../support/status-listener.ts';
import { LOOKED_AT, writeBusyContent, writeComponents } from './busy-content.ts';
import { writeHostileContent } from './hostile-content.ts';
import { writeMeasuredContent } from './measured-content.ts';
import { type PageAuthor, startPageAuthor } from './page-author.ts';

/** Names of the pages that the tests look at. */
export const VIEWS = [
  'landing',
  'home',
  'home-own-listener',
  'home-measured',
  'embed',
  'embed-dark',
  'home-operational',
  'home-empty',
  'home-hostile',
  'history',
  'history-hostile',
  'incident',
  'incident-hostile',
  'maintenance',
  'uptime',
  'uptime-hostile',
  'not-found',
] as const;
export type View = (typeof VIEWS)[number];

/** Servers with different content, and where each page is. */
export interface LookedAtPages {
  readonly addresses: Readonly<Record<View, string>>;
  close(): Promise<void>;
}

/** Starts the servers and writes their pages. */
export async function openLookedAtPages(): Promise<LookedAtPages> {
  const authors: PageAuthor[] = [];
  const write = async <T>(
    content: (author: PageAuthor) => Promise<T>,
    env: Readonly<Record<string, string>> = {},
  ) => {
    const author = await startPageAuthor(new ManualClock(LOOKED_AT), env);
    authors.push(author);
    const written = await content(author);
    author.clock.set(LOOKED_AT);
    return { author, url: author.server.url, written };
  };
  const busy = await write(writeBusyContent);
  const operational = await write(writeComponents);
  const empty = await write(async () => undefined);
  const hostile = await write(writeHostileContent);
  const measured = await write(writeMeasuredContent, {
    STATUS_BUILTIN_COMPONENTS: 'on',
    STATUS_PROBES_OFF: 'chain:1',
    STATUS_ACCENT: '#7b2cbf',
  });
  const own = await startStatusListener(busy.author.server);
  return {
    addresses: {
      landing: `${busy.url}/`,
      home: `${busy.url}/status`,
      'home-own-listener': `${own.url}/`,
      'home-measured': `${measured.url}/status`,
      embed: `${busy.url}/status/embed?theme=light`,
      'embed-dark': `${measured.url}/status/embed?theme=dark`,
      'home-operational': `${operational.url}/status`,
      'home-empty': `${empty.url}/status`,
      'home-hostile': `${hostile.url}/status`,
      history: `${busy.url}/status/history`,
      'history-hostile': `${hostile.url}/status/history`,
      incident: `${busy.url}/status/incidents/${busy.written.openIncidentId}`,
      'incident-hostile': `${hostile.url}/status/incidents/${hostile.written.incidentId}`,
      maintenance: `${busy.url}/status/incidents/${busy.written.maintenanceId}`,
      uptime: `${busy.url}/status/uptime`,
      'uptime-hostile': `${hostile.url}/status/uptime`,
      'not-found': `${busy.url}/status/incidents/123456789bcd`,
    },
    async close() {
      await own.close();
      await Promise.all(authors.map(({ server }) => server.close()));
    },
  };
}
