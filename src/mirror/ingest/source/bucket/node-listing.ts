import { type ConsensusTimestamp, consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { parseStreamFileName, streamInstant } from '../../units/stream-file-name.ts';
import type { FoundFile } from '../stream-files.ts';
import type { LiveNodeSelector } from './live-node-selector.ts';
import { type BucketPlace, MAX_OBJECT_BYTES } from './object-store.ts';
import type { NodePlace, RecordFolders, RecordNode } from './record-folders.ts';

/** Twice the units of a page: a record file and its signature each. @see contracts/streams.md section 8 */
const MAX_KEYS = 50;
const NANOS_PER_SECOND = 1_000_000_000n;

/** An object whose name belongs to a stream; read as its unit says. */
export type ListedFile = Omit<FoundFile, 'read' | 'size'> & { readonly size: number; readonly key: string };

/** What listings and walks over them are made with. */
interface RecordWalkParts extends Pick<BucketPlace, 'store' | 'bucket'> {
  readonly folders: RecordFolders;
  readonly looks: Pick<LiveNodeSelector, 'told'>;
  /** Files that the ledger has although they are listed. */
  readonly isPast: (instant: ConsensusTimestamp) => boolean;
  /** The nodes of the book at a time; null while no book is known. */
  readonly nodesAt: (time: ConsensusTimestamp) => Promise<readonly RecordNode[] | null>;
}

/**
 * Begins where the name of the last instant ends, so that nothing older is listed.
 *
 * @see contracts/streams.md section 3, row Start-after key
 */
function createNodeListing(
  { bucket, isPast, store }: Pick<RecordWalkParts, 'bucket' | 'isPast' | 'store'>,
  place: NodePlace,
  after: ConsensusTimestamp | null,
) {
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
    /** Whether everything is listed. */
    get isDone(): boolean {
      return prefixes.length === 0;
    },
    /** Every file up to this instant is listed; null: every file. */
    get upTo(): bigint | null {
      return prefixes.length === 0 ? null : upTo;
    },
    /** Files that were listed and not yet taken. */
    get waiting(): number {
      return files.length;
    },
    /** One more call; nothing when all is listed. */
    async fill(signal: AbortSignal | undefined): Promise<void> {
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
    /** Takes the files up to an instant; null: all. */
    take(until: bigint | null): readonly ListedFile[] {
      const isTaken = ({ parsed }: ListedFile) =>
        until === null || !('instant' in parsed) || parsed.instant <= until;
      const taken = files.filter(isTaken);
      files = files.filter((file) => !isTaken(file));
      return taken;
    },
  };
}

/** The files of one node beyond a time, listed call by call. */
type NodeListing = ReturnType<typeof createNodeListing>;

/** The key after which newer files are listed, below their folder; empty: from the first. */
function startAfter(after: ConsensusTimestamp | null): string {
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

/** Fewer files than these let a node be listed further. */
const FEW_FILES = 26;

/**
 * The files of all nodes beyond a time, in steps that hold whole instants, ascending.
 *
 * Each node is listed once for a step at most, and those that are ahead of the others less often.
 */
export async function* walkRecordFiles(
  parts: RecordWalkParts,
  after: ConsensusTimestamp | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ListedFile[]> {
  const listings = new Map<string, NodeListing>();
  let reached = after;
  let hasStalled = false;
  const join = async (): Promise<void> => {
    for (const place of parts.folders.places(await parts.nodesAt(reached ?? consensusTimestamp(0n)))) {
      if (listings.has(place.id)) continue;
      listings.set(place.id, createNodeListing(parts, place, reached));
    }
  };
  for (;;) {
    await join();
    const all = [...listings.values()];
    const short = all.filter(({ isDone, waiting }) => !isDone && (waiting < FEW_FILES || hasStalled));
    await Promise.all(short.map((listing) => listing.fill(signal)));
    const upTo = lowest(all);
    const files = all.flatMap((listing) => tell(parts, listing.place, listing.take(upTo)));
    // So many files of one second that a call does not hold them.
    hasStalled = files.length === 0;
    if (upTo !== null && upTo > (reached ?? 0n)) reached = consensusTimestamp(upTo);
    if (files.length > 0) yield files;
    if (upTo === null) return;
  }
}

/** Null when everything is listed. */
function lowest(listings: readonly NodeListing[]): bigint | null {
  const open = listings.flatMap(({ upTo }) => (upTo === null ? [] : [upTo]));
  return open.length === 0 ? null : open.reduce((least, each) => (each < least ? each : least));
}

function tell(
  { folders, looks }: Pick<RecordWalkParts, 'folders' | 'looks'>,
  place: NodePlace,
  files: readonly ListedFile[],
): readonly ListedFile[] {
  if (files.length > 0) folders.seen(place);
  looks.told(place, newestOf(files));
  return files;
}

/** The newest instant; null where there is no file. */
function newestOf(files: readonly ListedFile[]): ConsensusTimestamp | null {
  return files.reduce<ConsensusTimestamp | null>(
    (newest, { parsed }) =>
      'instant' in parsed && (newest === null || parsed.instant > newest) ? parsed.instant : newest,
    null,
  );
}

/** The files of one node, which are few when a ledger is followed live; null when they do not fit into one call. */
export async function listAlone(
  parts: Omit<RecordWalkParts, 'nodesAt'> & { readonly looks: LiveNodeSelector },
  place: NodePlace,
  after: ConsensusTimestamp | null,
  signal: AbortSignal | undefined,
): Promise<readonly ListedFile[] | null> {
  const listing = createNodeListing(parts, place, after);
  try {
    for (const _prefix of place.prefixes) await listing.fill(signal);
  } catch (error) {
    parts.looks.failed();
    throw error;
  }
  if (!listing.isDone) return null;
  return tell(parts, place, listing.take(null));
}
