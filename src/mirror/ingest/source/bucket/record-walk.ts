import { type ConsensusTimestamp, consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import type { LiveLooks } from './live-looks.ts';
import { createNodeListing, type ListedFile, type NodeListing } from './node-listing.ts';
import type { ObjectStore } from './object-store.ts';
import type { NodePlace, RecordFolders } from './record-folders.ts';
import type { RecordNode } from './record-layout.ts';

export interface RecordWalkParts {
  readonly store: ObjectStore;
  /** Of the source, for people. */
  readonly bucket: string;
  readonly folders: RecordFolders;
  readonly looks: Pick<LiveLooks, 'told'>;
  /** Files that the ledger has although they are listed. */
  readonly isPast: (instant: ConsensusTimestamp) => boolean;
  /** The nodes of the book at a time; null while no book is known. */
  readonly nodesAt: (time: ConsensusTimestamp) => Promise<readonly RecordNode[] | null>;
}

/** Fewer files than these let a node be listed further. */
const FEW_FILES = 26;

/**
 * The files of all nodes beyond a time, in steps that hold whole instants, ascending.
 *
 * Each node is listed once for a step at most, and those that are ahead of the others less often.
 */
export async function* walkRecordFiles(
  { bucket, folders, isPast, looks, nodesAt, store }: RecordWalkParts,
  after: ConsensusTimestamp | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ListedFile[]> {
  const listings = new Map<string, NodeListing>();
  let reached = after;
  let hasStalled = false;
  const join = async (): Promise<void> => {
    for (const place of folders.places(await nodesAt(reached ?? consensusTimestamp(0n)))) {
      if (listings.has(place.id)) continue;
      listings.set(place.id, createNodeListing({ store, bucket, place, isPast, after: reached }));
    }
  };
  for (;;) {
    await join();
    const all = [...listings.values()];
    const short = all.filter(({ isDone, waiting }) => !isDone && (waiting < FEW_FILES || hasStalled));
    await Promise.all(short.map((listing) => listing.fill(signal)));
    const upTo = lowest(all);
    const files = all.flatMap((listing) => tell({ folders, looks }, listing.place, listing.take(upTo)));
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
  { bucket, folders, isPast, looks, store }: Omit<RecordWalkParts, 'nodesAt'> & { readonly looks: LiveLooks },
  place: NodePlace,
  after: ConsensusTimestamp | null,
  signal: AbortSignal | undefined,
): Promise<readonly ListedFile[] | null> {
  const listing = createNodeListing({ store, bucket, place, isPast, after });
  try {
    for (const _prefix of place.prefixes) await listing.fill(signal);
  } catch (error) {
    looks.failed();
    throw error;
  }
  if (!listing.isDone) return null;
  return tell({ folders, looks }, place, listing.take(null));
}
