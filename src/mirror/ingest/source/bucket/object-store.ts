import type { Clock } from '../../../../values/clock.ts';
import { IngestError } from '../../errors.ts';

/** An object as a listing tells it. */
interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** One call of a listing. */
export interface ObjectQuery {
  /** Keys begin with it. */
  readonly prefix: string;
  /** Keys come after it in the order of their bytes. Default null: from the first. */
  readonly after?: string | null;
  readonly maxKeys: number;
}

/** What lies directly below a prefix: objects, and what has a further slash as one folder. */
interface ObjectListing {
  readonly objects: readonly StoredObject[];
  /** With the prefix and a slash at the end. */
  readonly folders: readonly string[];
  /** Where the next call begins; null at the end. */
  readonly next: string | null;
}

/**
 * The part of an S3-compatible store that sources read; tests pass one in memory.
 *
 * @see contracts/streams.md section 8, row S3 call
 */
export interface ObjectStore {
  /** @throws IngestError `source_unreachable` or `source_refused`, in words, with the remedy. */
  list(query: ObjectQuery, signal?: AbortSignal): Promise<ObjectListing>;
  /**
   * The whole object; null when there is none.
   *
   * @param size as a listing told it; what comes with another size was cut. Null where nobody knows it
   * @throws IngestError `source_unreachable`, `source_refused`, and `unreadable_file` when it is larger than
   *   `MAX_OBJECT_BYTES`.
   */
  get(key: string, size: number | null, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Ends what is under way. */
  close(): void;
}

/** A bucket and where in it to look. */
export interface BucketPlace {
  /** Of the source, for people and for the stored units. */
  readonly name: string;
  /** The bucket alone, for people: `s3://bucket`. */
  readonly bucket: string;
  readonly store: ObjectStore;
  /** Key of the top, with a slash at its end unless empty. */
  readonly top: string;
  readonly clock: Clock;
}

/** Larger objects are left alone. @see contracts/streams.md section 8 */
export const MAX_OBJECT_BYTES = 50 * 2 ** 20;

/** Networks have some dozens of nodes, and a store of ten years has 3,653 days. */
const MAX_FOLDERS = 10_000;

/** All folders directly below a prefix, ascending. @throws IngestError `source_refused` when there are too many. */
export async function foldersBelow(
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const listing: ObjectListing = await store.list({ prefix, after, maxKeys: 1000 }, signal);
    found.push(...listing.folders);
    if (found.length > MAX_FOLDERS)
      throw new IngestError(
        'source_refused',
        `"${prefix}" has more than ${MAX_FOLDERS} folders: no bucket of a ledger`,
      );
    after = listing.next;
  } while (after !== null);
  return found;
}

/** The key before everything that lies below a folder, so that a listing after it passes over the folder. */
export function afterFolder(folder: string): string {
  // "0" is the character after the slash.
  return `${folder.slice(0, -1)}0`;
}
