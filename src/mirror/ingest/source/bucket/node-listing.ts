import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { parseStreamFileName, streamInstant } from '../../units/stream-file-name.ts';
import type { FoundFile } from '../stream-files.ts';
import { MAX_OBJECT_BYTES, type ObjectStore } from './object-store.ts';
import type { NodePlace } from './record-folders.ts';

/** Twice the units of a page: a record file and its signature each. @see contracts/streams.md section 8 */
const MAX_KEYS = 50;
const NANOS_PER_SECOND = 1_000_000_000n;

/** An object whose name belongs to a stream; read as its unit says. */
export type ListedFile = Omit<FoundFile, 'read' | 'size'> & { readonly size: number; readonly key: string };

export interface NodeListingParts {
  readonly store: ObjectStore;
  /** Of the source, for people. */
  readonly bucket: string;
  readonly place: NodePlace;
  /** Files of this instant and older ones are left out. */
  readonly after: ConsensusTimestamp | null;
  /** Files of newer instants that are left out too. */
  readonly isPast: (instant: ConsensusTimestamp) => boolean;
}

/** The files of one node beyond a time, listed call by call. */
export interface NodeListing {
  readonly place: NodePlace;
  /** Whether everything is listed. */
  readonly isDone: boolean;
  /** Every file up to this instant is listed; null: every file. */
  readonly upTo: bigint | null;
  /** Files that were listed and not yet taken. */
  readonly waiting: number;
  /** One more call; nothing when all is listed. */
  fill(signal: AbortSignal | undefined): Promise<void>;
  /** Takes the files up to an instant; null: all. */
  take(upTo: bigint | null): readonly ListedFile[];
}

/**
 * Begins where the name of the last instant ends, so that nothing older is listed.
 *
 * @see contracts/streams.md section 3, row Start-after key
 */
export function createNodeListing({ after, bucket, isPast, place, store }: NodeListingParts): NodeListing {
  const prefixes = [...place.prefixes];
  let from = startAfter(after);
  let upTo: bigint | null = after ?? 0n;
  let files: ListedFile[] = [];

  const finishPrefix = (): void => {
    prefixes.shift();
    // Another day: nothing of it is older than the time.
    from = '';
    if (prefixes.length === 0) upTo = null;
  };
  return {
    place,
    get isDone() {
      return prefixes.length === 0;
    },
    get upTo() {
      return prefixes.length === 0 ? null : upTo;
    },
    get waiting() {
      return files.length;
    },
    async fill(signal) {
      const [prefix] = prefixes;
      if (prefix === undefined) return finishPrefix();
      const listing = await store.list(
        { prefix, after: from === '' ? null : `${prefix}${from}`, maxKeys: MAX_KEYS },
        signal,
      );
      for (const { key, size } of listing.objects) {
        const name = key.slice(prefix.length);
        const parsed = parseStreamFileName(name);
        if (parsed === null || !('instant' in parsed) || size > MAX_OBJECT_BYTES) continue;
        if ((after !== null && parsed.instant <= after) || isPast(parsed.instant)) continue;
        const { node } = place;
        files.push({ name, path: `${bucket}/${key}`, key, node, folder: prefix, parsed, size });
      }
      if (listing.next === null) return finishPrefix();
      from = listing.next.slice(prefix.length);
      upTo = completeUpTo(listing.objects.at(-1)?.key.slice(prefix.length) ?? '') ?? upTo;
    },
    take(until) {
      const isTaken = ({ parsed }: ListedFile) =>
        until === null || !('instant' in parsed) || parsed.instant <= until;
      const taken = files.filter(isTaken);
      files = files.filter((file) => !isTaken(file));
      return taken;
    },
  };
}

/** The key after which newer files are listed, below their folder; empty: from the first. */
export function startAfter(after: ConsensusTimestamp | null): string {
  return after === null || after <= 0n ? '' : `${streamInstant(after)}_`;
}

/**
 * What a cut listing is complete up to.
 *
 * Names of old formats have fewer digits and then sort after longer ones of the same second, so only the second before is
 * sure.
 */
function completeUpTo(lastName: string): bigint | null {
  const parsed = parseStreamFileName(lastName);
  if (parsed === null || !('instant' in parsed)) return null;
  return (parsed.instant / NANOS_PER_SECOND) * NANOS_PER_SECOND - 1n;
}
