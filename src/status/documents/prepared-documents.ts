import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../values/clock.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { DOCUMENT_PATHS, type DocumentPath, publicDocuments } from './public-documents.ts';

/** One form of a document, with the entity tag of exactly these bytes. */
export interface Representation {
  readonly encoding: 'identity' | 'gzip';
  /** Strong entity tag with its quotes. */
  readonly etag: string;
  /** Null when the bytes have to be made first. */
  readonly ready: Buffer | null;
  bytes(): Promise<Buffer>;
}

/** A document ready to be sent. */
export interface PreparedDocument {
  readonly plain: Representation;
  /** Null when the document is too short to become shorter. */
  readonly gzip: Representation | null;
  /** HTTP date of the page's last visible change. */
  readonly lastModified: string;
}

/** Below this a compressed body is not smaller. */
const COMPRESS_FROM_BYTES = 1024;

const compress = promisify(gzip);

/**
 * How often a request may ask whether another process changed the page: the change shows within a second, of which the
 * rest is for reading and building under load.
 */
const FOREIGN_CHANGE_CHECK_MS = 500;

/**
 * The public documents as bytes, built once per change.
 *
 * Changes of this process call {@link PreparedDocuments.rebuild}. Those of others (a command, another
 * replica) are noticed by reading the page's revision, one row, at most twice a second and only when a
 * request comes; every other request is served from memory.
 */
export class PreparedDocuments {
  readonly #repository: StatusRepository;
  readonly #clock: Clock;
  readonly #onCheckFailed: (error: unknown) => void;
  #revision = -1;
  #documents: ReadonlyMap<DocumentPath, PreparedDocument> = new Map();
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
  async get(path: DocumentPath): Promise<PreparedDocument> {
    const now = this.#clock.now();
    // The distance counts in both directions: a clock that was set back must not stop the checks.
    if (Math.abs(now - this.#checkedAt) >= FOREIGN_CHANGE_CHECK_MS) {
      this.#checkedAt = now;
      this.#check = this.#noticeForeignChange().finally(() => {
        this.#check = null;
      });
    }
    if (this.#check !== null) await this.#check;
    const document = this.#documents.get(path);
    if (document === undefined) throw new Error(`The status document ${path} was not prepared`);
    return document;
  }

  /** The document of a path where {@link PreparedDocuments.get} would not have to wait; null otherwise. */
  ready(path: DocumentPath): PreparedDocument | null {
    const isFresh = Math.abs(this.#clock.now() - this.#checkedAt) < FOREIGN_CHANGE_CHECK_MS;
    return isFresh && this.#check === null ? (this.#documents.get(path) ?? null) : null;
  }

  /** Builds all documents from the database. A build that was overtaken by a newer one is dropped. */
  async rebuild(): Promise<void> {
    const state = await this.#repository.readPublished();
    if (state.page.revision < this.#revision) return;
    const documents = publicDocuments(state);
    const lastModified = new Date(state.page.updatedAt).toUTCString();
    this.#documents = new Map(
      DOCUMENT_PATHS.map((path) => [path, prepareDocument(documents[path], lastModified)] as const),
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

/** A document as bytes; `lastModified` is an HTTP date. */
export function prepareDocument(document: unknown, lastModified: string): PreparedDocument {
  return prepareText(JSON.stringify(document), lastModified);
}

/** A text of any kind, ready to be sent as UTF-8; `lastModified` is an HTTP date. */
export function prepareText(text: string, lastModified: string): PreparedDocument {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 32);
  const plain: Representation = {
    encoding: 'identity',
    etag: `"${hash}"`,
    ready: body,
    bytes: async () => body,
  };
  return { plain, gzip: body.length < COMPRESS_FROM_BYTES ? null : gzipped(body, hash), lastModified };
}

/** Compresses when first asked and keeps the result: most changes are read by few kinds of clients. */
function gzipped(body: Buffer, hash: string): Representation {
  let compressed: Promise<Buffer> | null = null;
  let ready: Buffer | null = null;
  return {
    encoding: 'gzip',
    etag: `"${hash}-gzip"`,
    get ready() {
      return ready;
    },
    bytes: () => {
      compressed ??= compress(body).then((bytes) => {
        ready = bytes;
        return bytes;
      });
      return compressed;
    },
  };
}
