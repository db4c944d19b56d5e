import { type EncodedDocument, encodeDocument } from '../../pages/encoded-document.ts';
import type { Clock } from '../../values/clock.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { type DocumentPath, publicDocuments } from './public-documents.ts';

/**
 * How often a request may ask whether another process changed the page: the change shows within a second, of which the
 * rest is for reading and building under load.
 */
const FOREIGN_CHANGE_CHECK_MS = 500;

/**
 * The public documents as bytes, built once per change.
 *
 * Changes of this process call {@link PublishedDocuments.rebuild}. Those of others (a command, another
 * replica) are noticed by reading the page's revision, one row, at most twice a second and only when a
 * request comes; every other request is served from memory.
 */
export class PublishedDocuments {
  readonly #repository: StatusRepository;
  readonly #clock: Clock;
  readonly #onCheckFailed: (error: unknown) => void;
  #revision = -1;
  #documents: ReadonlyMap<DocumentPath, EncodedDocument> = new Map();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | null = null;

  /** @param onCheckFailed is told when the database does not answer; the last documents stay up. */
  constructor(repository: StatusRepository, clock: Clock, onCheckFailed: (error: unknown) => void) {
    this.#repository = repository;
    this.#clock = clock;
    this.#onCheckFailed = onCheckFailed;
  }

  /** Number of the commit that the documents show; -1 before the first build. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * The document of a path, not older than about a second whoever changed the page.
   *
   * @throws Error before the first build.
   */
  async get(path: DocumentPath): Promise<EncodedDocument> {
    await this.#catchUp();
    const document = this.#documents.get(path);
    if (document === undefined) throw new Error(`The status document ${path} has not been built yet`);
    return document;
  }

  /** Number of the commit that {@link PublishedDocuments.get} would show. */
  async newestRevision(): Promise<number> {
    await this.#catchUp();
    return this.#revision;
  }

  async #catchUp(): Promise<void> {
    const now = this.#clock.now();
    // The distance counts in both directions: a clock that was set back must not stop the checks.
    if (Math.abs(now - this.#checkedAt) >= FOREIGN_CHANGE_CHECK_MS) {
      this.#checkedAt = now;
      this.#check = this.#noticeForeignChange().finally(() => {
        this.#check = null;
      });
    }
    if (this.#check !== null) await this.#check;
  }

  /** The document of a path where {@link PublishedDocuments.get} would not have to wait; null otherwise. */
  ready(path: DocumentPath): EncodedDocument | null {
    const isFresh = Math.abs(this.#clock.now() - this.#checkedAt) < FOREIGN_CHANGE_CHECK_MS;
    return isFresh && this.#check === null ? (this.#documents.get(path) ?? null) : null;
  }

  /** Builds all documents from the database. A build that was overtaken by a newer one is dropped. */
  async rebuild(): Promise<void> {
    const state = await this.#repository.readPublished();
    if (state.page.revision < this.#revision) return;
    const documents = Object.entries(publicDocuments(state)) as [DocumentPath, unknown][];
    const lastModified = new Date(state.page.updatedAt).toUTCString();
    this.#documents = new Map(
      documents.map(([path, document]) => [path, encodeDocument(document, lastModified)]),
    );
    this.#revision = state.page.revision;
  }

  async #noticeForeignChange(): Promise<void> {
    try {
      if ((await this.#repository.revision()) !== this.#revision) await this.rebuild();
    } catch (error) {
      this.#onCheckFailed(error);
    }
  }
}
