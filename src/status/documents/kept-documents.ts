import type { Clock } from '../../values/clock.ts';
import { findComponent } from '../edits/component-state.ts';
import { findIncident } from '../edits/incident-state.ts';
import { StatusNotFoundError } from '../errors.ts';
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
  readonly document: Promise<PreparedDocument>;
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
    return this.keep('uptime', UPTIME_KEEP_MS, async (now) => {
      const state = await this.#repository.read(null);
      const events = await this.#repository.readEvents(uptimeStart(state, now));
      return prepareDocument(uptimeDocument(state, events, now), new Date(now).toUTCString());
    });
  }

  /** @throws StatusNotFoundError */
  component(id: string): Promise<PreparedDocument> {
    return this.keep(`component ${id}`, null, async () => {
      const state = await this.#repository.read(null);
      const { id: found } = findComponent(state, id);
      const { page, components } = describePage(state);
      return ofPage(state, { page, component: components.find((each) => each.id === found) });
    });
  }

  /** An incident or a maintenance. @throws StatusNotFoundError */
  incident(id: string): Promise<PreparedDocument> {
    return this.keep(`incident ${id}`, null, async () => {
      if (!(await this.#repository.hasIncident(id))) throw new StatusNotFoundError('incident', id);
      const state = await this.#repository.read(id);
      const found = findIncident(state, id);
      const describe = describePage(state);
      const incident = found.kind === 'realtime' ? describe.incident(found) : describe.maintenance(found);
      return ofPage(state, { page: describe.page, incident });
    });
  }

  /**
   * What was built under a key, built again after every change of the page; whoever asks meanwhile waits for the same.
   *
   * @param keepMs how long it is good without a change; null: for ever.
   * @param build makes it from the database. What it throws is not kept.
   */
  async keep(
    key: string,
    keepMs: number | null,
    build: (now: number) => Promise<PreparedDocument>,
  ): Promise<PreparedDocument> {
    // Also notices what other processes changed.
    await this.#documents.get('/api/v2/status.json');
    const { revision } = this.#documents;
    if (revision !== this.#revision || this.#kept.size >= MOST_KEPT) this.#kept = new Map();
    this.#revision = revision;
    const now = this.#clock.now();
    const kept = this.#kept.get(key);
    if (kept !== undefined && (keepMs === null || Math.abs(now - kept.at) < keepMs)) return kept.document;
    const own = this.#kept;
    const document = build(now);
    own.set(key, { document, at: now });
    try {
      return await document;
    } catch (error) {
      own.delete(key);
      throw error;
    }
  }
}

function ofPage({ page }: PageState, document: unknown): PreparedDocument {
  return prepareDocument(document, new Date(page.updatedAt).toUTCString());
}
