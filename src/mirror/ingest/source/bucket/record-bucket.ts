import { type ConsensusTimestamp, consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import type { RecordUnit } from '../../record-unit/record-unit.ts';
import { fewestSigners, nodeWeights } from '../../signature/node-consensus.ts';
import {
  isPast,
  listedAfter,
  type NamedBytes,
  onePage,
  type SourcePosition,
  type StreamSource,
  withFewerRecent,
} from '../../units/stream-source.ts';
import type { ConsensusRatio } from '../../units/stream-unit.ts';
import { createLiveLooks, createYoungSignatures } from './live-node-selector.ts';
import { type ListedFile, listAlone, walkRecordFiles } from './node-listing.ts';
import type { BucketPlace } from './object-store.ts';
import { createReadAhead, oneAhead, type ReadAheadLimits } from './read-ahead.ts';
import { baseOf, createRecordFolders, type RecordNode } from './record-folders.ts';
import { liveUnits, type RecordUnitsParts, recordUnits } from './record-units.ts';

export interface RecordBucketParts extends BucketPlace {
  /** The nodes of the book at a time; null while no book is known. */
  readonly nodesAt: (time: ConsensusTimestamp) => Promise<readonly RecordNode[] | null>;
  /** Whether units are proven by signatures. */
  readonly wantsSignatures: boolean;
  /** What share of the weight has to agree; tells how many signatures are fetched ahead. */
  readonly consensusRatio: ConsensusRatio;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly limits?: ReadAheadLimits;
}

/** Some round trips of a public network's files at once, and what a small server can hold. */
export const READ_AHEAD: ReadAheadLimits = { parallel: 32, bytes: 64 * 2 ** 20 };
/** Units whose names each look at a folder lists again: some may have come before them. */
const RECENT_UNITS = 8;
/** How the names of address books begin. */
const ADDRESS_BOOK = 'address';
const ADDRESS_BOOK_NAMES = ['address_book.bin', 'address-book.json'];

/**
 * Record files in a bucket: nodes are listed page by page, files come ahead in parallel, units in order.
 *
 * @see docs/adr/0020-sources.md, contracts/streams.md section 8
 */
export function createRecordBucket(parts: RecordBucketParts): StreamSource<RecordUnit> {
  const { bucket, clock, limits = READ_AHEAD, name, random, store, top, wantsSignatures } = parts;
  let nodes: readonly RecordNode[] | null = null;
  const nodesAt: typeof parts.nodesAt = async (time) => {
    nodes = await parts.nodesAt(time);
    return nodes;
  };
  const folders = createRecordFolders(parts);
  const looks = createLiveLooks(clock);
  const young = createYoungSignatures(store, clock);
  let newest: ConsensusTimestamp | null = null;

  async function* pages(
    position: SourcePosition | null,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly RecordUnit[]> {
    const after = listedAfter(position);
    const walk = {
      ...parts,
      ...{ folders, looks },
      isPast: (instant: ConsensusTimestamp) => isPast(instant, position),
    };
    const ahead = createReadAhead(limits);
    const stop = () => ahead.close();
    signal?.addEventListener('abort', stop, { once: true });
    async function* steps(): AsyncGenerator<readonly RecordUnit[]> {
      await folders.begin(after, signal);
      const places = folders.places(await nodesAt(after ?? consensusTimestamp(0n)));
      young.begin(after);
      const listed = looks.choose(position?.begin ?? after, places);
      const alone = listed === null ? null : await listAlone(walk, listed, after, signal);
      if (listed !== null && alone !== null) {
        const others = places.filter(({ id }) => id !== listed.id);
        // Nobody asks them as long as this one is enough.
        if (alone.length > 0 && looks.hasProgress) for (const place of others) folders.excuse(place);
        const units = liveUnits(alone, { store, bucket, ahead, listed, others, signatures: young, random });
        if (units.length > 0) yield units;
        return;
      }
      let turn = 0;
      for await (const files of walkRecordFiles({ ...walk, nodesAt }, after, signal)) {
        const fewest = enoughSigners(nodes, files, parts.consensusRatio);
        const units = recordUnits(files, turn, {
          store,
          bucket,
          ahead,
          wantsSignatures,
          fewestSigners: fewest,
          random,
        });
        turn += units.length;
        if (units.length > 0) yield units;
      }
    }
    let isExhausted = false;
    try {
      for await (const units of oneAhead(steps())) {
        newest = units.at(-1)?.instant ?? newest;
        yield units;
      }
      isExhausted = true;
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      // Units that were given are still read when nothing more is listed.
      if (!isExhausted) ahead.close();
    }
  }

  return {
    name,
    async addressBook(): Promise<NamedBytes | null> {
      const { objects } = await store.list({ prefix: `${baseOf(top)}${ADDRESS_BOOK}`, maxKeys: 100 });
      for (const name of ADDRESS_BOOK_NAMES) {
        const found = objects.find(({ key }) => key === `${baseOf(top)}${name}`);
        const bytes = found === undefined ? null : await store.get(found.key, found.size);
        if (bytes !== null) return { name: `${bucket}/${baseOf(top)}${name}`, bytes };
      }
      return null;
    },
    list: async (position: SourcePosition | null, signal) => ({
      older: [],
      // Record files end where native blocks begin; what comes later is not of this ledger.
      pages:
        position?.isNative === true
          ? onePage([])
          : pages(position === null ? null : withFewerRecent(position, RECENT_UNITS), signal),
    }),
    standing: () => ({
      node: null,
      newest: newest === null ? null : { blockNumber: null, time: newest },
      notes: [],
    }),
  };
}

/** While no book is known those that wrote something count one each. */
function enoughSigners(
  nodes: readonly RecordNode[] | null,
  files: readonly ListedFile[],
  ratio: ConsensusRatio,
): RecordUnitsParts['fewestSigners'] {
  if (nodes === null) {
    const count = BigInt(new Set(files.map(({ folder }) => folder)).size);
    return () => Math.max(1, Number((count * ratio[0] + ratio[1] - 1n) / ratio[1]));
  }
  const weights = nodeWeights(nodes, ratio);
  return (signers) => fewestSigners(signers, nodes, weights, weights.required);
}
