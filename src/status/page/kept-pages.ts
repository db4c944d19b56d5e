import type { Clock } from '../../values/clock.ts';
import {
  type PreparedDocument,
  type PreparedDocuments,
  prepareText,
} from '../documents/prepared-documents.ts';
import { StatusNotFoundError } from '../errors.ts';

/** Time goes on by itself: today, what is overdue, uptime. Nobody sees a minute of it. */
const KEEP_MS = 60_000;
/** When rendering failed, the last page is shown that long before it is tried again. */
const RETRY_MS = 1_000;
/** Of all kept pages together, uncompressed. */
const MOST_BYTES = 32 * 1024 * 1024;

interface Kept {
  readonly document: PreparedDocument;
  readonly revision: number;
  /** UTC milliseconds */
  readonly until: number;
}

/**
 * Pages that are rendered when first asked for and kept until the status page changes, at most a minute.
 *
 * @see docs/adr/0025-pages-for-people-are-kept.md
 */
export class KeptPages {
  readonly #documents: Pick<PreparedDocuments, 'get' | 'revision'>;
  readonly #clock: Clock;
  readonly #onFailed: (error: unknown) => void;
  readonly #kept = new Map<string, Kept>();
  readonly #rendering = new Map<string, Promise<PreparedDocument>>();
  #bytes = 0;

  /** @param onFailed is told when a page could not be rendered and its last version is shown instead. */
  constructor(
    documents: Pick<PreparedDocuments, 'get' | 'revision'>,
    clock: Clock,
    onFailed: (error: unknown) => void,
  ) {
    this.#documents = documents;
    this.#clock = clock;
    this.#onFailed = onFailed;
  }

  /**
   * The page with a name; many requests at once wait for one rendering.
   *
   * @throws what `render` throws when there is nothing there, or no earlier version to show.
   */
  async get(name: string, render: (now: number) => Promise<string>): Promise<PreparedDocument> {
    // Also notices what other processes changed.
    await this.#documents.get('/api/v2/status.json');
    const { revision } = this.#documents;
    const now = this.#clock.now();
    const kept = this.#kept.get(name);
    // A clock that was set back must not keep a page for longer.
    const isFresh = kept !== undefined && now < kept.until && kept.until - now <= KEEP_MS;
    if (isFresh && kept.revision === revision) return kept.document;
    const key = `${revision} ${name}`;
    const running = this.#rendering.get(key) ?? this.#render(name, revision, now, render);
    this.#rendering.set(key, running);
    try {
      return await running;
    } finally {
      this.#rendering.delete(key);
    }
  }

  async #render(
    name: string,
    revision: number,
    now: number,
    render: (now: number) => Promise<string>,
  ): Promise<PreparedDocument> {
    const before = this.#kept.get(name);
    try {
      const made = prepareText(await render(now), new Date(now).toUTCString());
      // The same bytes keep their compressed form and their date.
      const isSame = before !== undefined && before.document.plain.etag === made.plain.etag;
      const document = isSame ? before.document : made;
      this.#keep(name, { document, revision, until: now + KEEP_MS });
      return document;
    } catch (error) {
      this.#forget(name);
      if (error instanceof StatusNotFoundError || before === undefined) throw error;
      this.#onFailed(error);
      this.#keep(name, { ...before, revision, until: now + RETRY_MS });
      return before.document;
    }
  }

  #keep(name: string, kept: Kept): void {
    this.#forget(name);
    this.#kept.set(name, kept);
    this.#bytes += sizeOf(kept);
    // The oldest first: a map gives its entries in order of insertion.
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      if (oldest !== name) this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const kept = this.#kept.get(name);
    if (kept === undefined) return;
    this.#kept.delete(name);
    this.#bytes -= sizeOf(kept);
  }
}

function sizeOf({ document }: Kept): number {
  return document.plain.ready?.length ?? 0;
}
