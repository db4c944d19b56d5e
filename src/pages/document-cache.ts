import type { Clock } from '../values/clock.ts';
import type { EncodedDocument } from './encoded-document.ts';

/** When a build failed, the last version is shown that long before it is tried again. */
const RETRY_MS = 1_000;
/** Of all together, uncompressed. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What keeping one takes beside its bytes, about. */
const ENTRY_BYTES = 1024;

interface Kept {
  readonly document: EncodedDocument;
  readonly revision: number;
  /** UTC milliseconds. */
  readonly builtAt: number;
  /** How long it is good without a change; null: for ever. */
  readonly keepMs: number | null;
}

/** What a cache of documents looks at. */
interface DocumentCacheParts {
  readonly clock: Clock;
  /** Number of the newest change of what is shown, also when another process made it. */
  revision(): Promise<number>;
  /** Whether a build failed because there is nothing any more to be shown. */
  isGone(error: unknown): boolean;
  /** Told when a build failed and its last version is shown instead. */
  onFailed(error: unknown): void;
}

/**
 * Documents, pages and feeds that are built when first asked for and kept until what they show changes.
 *
 * @see docs/adr/0024-pages.md
 */
export class DocumentCache {
  readonly #parts: DocumentCacheParts;
  readonly #kept = new Map<string, Kept>();
  readonly #building = new Map<string, Promise<EncodedDocument>>();
  #bytes = 0;
  #hits = 0;
  #built = 0;

  constructor(parts: DocumentCacheParts) {
    this.#parts = parts;
  }

  /** How it does: answers that were kept, documents that were built, and the bytes that it holds now. */
  get figures(): { readonly kept: number; readonly built: number; readonly bytes: number } {
    return { kept: this.#hits, built: this.#built, bytes: this.#bytes };
  }

  /**
   * What was built under a name; many requests at once wait for one build.
   *
   * @param keepMs how long it is good without a change; null: for ever.
   * @param build makes it from the database; `now` is UTC milliseconds.
   * @throws what `build` throws when there is no earlier version to show, and always what says that there is nothing any more.
   */
  async get(
    name: string,
    keepMs: number | null,
    build: (now: number) => Promise<EncodedDocument>,
  ): Promise<EncodedDocument> {
    const revision = await this.#parts.revision();
    const now = this.#parts.clock.now();
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.revision === revision && isGood(kept, now)) {
      this.#hits += 1;
      return kept.document;
    }
    const key = `${revision} ${name}`;
    const running = this.#building.get(key);
    if (running !== undefined) return running;
    this.#built += 1;
    const building = this.#build(name, { revision, builtAt: now, keepMs }, build);
    this.#building.set(key, building);
    try {
      return await building;
    } finally {
      this.#building.delete(key);
    }
  }

  async #build(
    name: string,
    made: Omit<Kept, 'document'>,
    build: (now: number) => Promise<EncodedDocument>,
  ): Promise<EncodedDocument> {
    const before = this.#kept.get(name);
    try {
      const built = await build(made.builtAt);
      // The same bytes keep their compressed form and their date.
      const isSame = before !== undefined && before.document.plain.etag === built.plain.etag;
      const document = isSame ? before.document : built;
      this.#keep(name, { ...made, document });
      return document;
    } catch (error) {
      const isGone = this.#parts.isGone(error);
      if (isGone) this.#forget(name);
      if (isGone || before === undefined) throw error;
      this.#parts.onFailed(error);
      this.#keep(name, { ...made, document: before.document, keepMs: RETRY_MS });
      return before.document;
    }
  }

  #keep(name: string, kept: Kept): void {
    // A build for an older revision may end after one for a newer.
    if ((this.#kept.get(name)?.revision ?? kept.revision) > kept.revision) return;
    this.#forget(name);
    this.#kept.set(name, kept);
    this.#bytes += sizeOf(kept);
    // The oldest first: a map gives its entries in order of insertion.
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
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

/** A clock that was set back must not keep anything for longer. */
function isGood({ builtAt, keepMs }: Kept, now: number): boolean {
  return keepMs === null || (now >= builtAt && now - builtAt < keepMs);
}

function sizeOf({ document }: Kept): number {
  return ENTRY_BYTES + (document.plain.ready?.length ?? 0);
}
