import type { Clock } from '../../values/clock.ts';
import { findComponent } from '../edits/component-state.ts';
import { findIncident } from '../edits/incident-state.ts';
import type { PageState } from '../model.ts';
import type { StatusRepository } from '../status-repository.ts';
import { describePage } from './describe-page.ts';
import { type PreparedDocument, type PreparedDocuments, prepareDocument } from './prepared-documents.ts';
import { uptimeDocument, uptimeStart } from './uptime-document.ts';

/** Documents of single things: more than these are not asked for at a time. */
const MOST_KEPT = 500;
/** Uptime goes on by itself; to the percent nobody sees a minute. */
const UPTIME_KEEP_MS = 60_000;

interface Kept {
  readonly document: PreparedDocument;
  readonly at: number;
}

/** Documents that are built when first asked for and kept until the page changes. */
export class KeptDocuments {
  readonly #repository: StatusRepository;
  readonly #documents: PreparedDocuments;
  readonly #clock: Clock;
  #revision = -1;
  #kept = new Map<string, Kept>();

  constructor(repository: StatusRepository, documents: PreparedDocuments, clock: Clock) {
    this.#repository = repository;
    this.#documents = documents;
    this.#clock = clock;
  }

  /** Uptime of 90 days, at most a minute old. */
  uptime(): Promise<PreparedDocument> {
    return this.#get('uptime', UPTIME_KEEP_MS, async (now) => {
      const state = await this.#repository.read(null);
      const events = await this.#repository.readEvents(uptimeStart(state, now));
      return { document: uptimeDocument(state, events, now), modifiedAt: now };
    });
  }

  /** @throws StatusNotFoundError */
  component(id: string): Promise<PreparedDocument> {
    return this.#get(`component ${id}`, null, async () => {
      const state = await this.#repository.read(null);
      const { id: found } = findComponent(state, id);
      const { page, components } = describePage(state);
      return modified(state, { page, component: components.find((each) => each.id === found) });
    });
  }

  /** An incident or a maintenance. @throws StatusNotFoundError */
  incident(id: string): Promise<PreparedDocument> {
    return this.#get(`incident ${id}`, null, async () => {
      const state = await this.#repository.read(id);
      const found = findIncident(state, id);
      const describe = describePage(state);
      const incident = found.kind === 'realtime' ? describe.incident(found) : describe.maintenance(found);
      return modified(state, { page: describe.page, incident });
    });
  }

  async #get(
    key: string,
    keepMs: number | null,
    build: (now: number) => Promise<{ readonly document: unknown; readonly modifiedAt: number }>,
  ): Promise<PreparedDocument> {
    // Also notices what other processes changed.
    await this.#documents.get('/api/v2/status.json');
    const { revision } = this.#documents;
    if (revision !== this.#revision || this.#kept.size >= MOST_KEPT) this.#kept = new Map();
    this.#revision = revision;
    const now = this.#clock.now();
    const kept = this.#kept.get(key);
    if (kept !== undefined && (keepMs === null || Math.abs(now - kept.at) < keepMs)) return kept.document;
    const { document, modifiedAt } = await build(now);
    const prepared = prepareDocument(document, new Date(modifiedAt).toUTCString());
    // A change in between belongs to the next one who asks.
    if (this.#documents.revision === revision) this.#kept.set(key, { document: prepared, at: now });
    return prepared;
  }
}

function modified({ page }: PageState, document: unknown) {
  return { document, modifiedAt: page.updatedAt };
}
