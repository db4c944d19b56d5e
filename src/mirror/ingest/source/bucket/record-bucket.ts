import { type ConsensusTimestamp, consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { IngestError } from '../../errors.ts';
import type { NodeName, StreamFile, UnitFiles } from '../../record-file/unit-files.ts';
import { createRecordUnit, type RecordUnit } from '../../record-unit/record-unit.ts';
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
import { type FoundUnitFiles, groupUnits } from '../group-units.ts';
import type { FoundFile } from '../stream-files.ts';
import { createLiveLooks, createYoungSignatures, type PendingSignatures } from './live-node-selector.ts';
import { type ListedFile, listAlone, walkRecordFiles } from './node-listing.ts';
import type { BucketPlace, ObjectStore } from './object-store.ts';
import { createReadAhead, oneAhead, type ReadAhead, type ReadAheadLimits } from './read-ahead.ts';
import { baseOf, createRecordFolders, type NodePlace, type RecordNode } from './record-folders.ts';

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
const READ_AHEAD: ReadAheadLimits = { parallel: 32, bytes: 64 * 2 ** 20 };
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

/** What units of either kind are read with. */
interface UnitParts extends Pick<BucketPlace, 'store' | 'bucket'> {
  readonly ahead: ReadAhead;
  /** From 0 to below 1. */
  readonly random: () => number;
}

interface RecordUnitsParts extends UnitParts {
  /** Whether signatures are read at all. */
  readonly wantsSignatures: boolean;
  /** How many of the signers, in this order, are enough when they agree. */
  readonly fewestSigners: (signers: readonly (NodeName | null)[]) => number;
}

/** Room that a sidecar takes while its size is unknown. */
const SIDECAR_BYTES = 64 * 1024;

/**
 * Units of whole instants whose files come ahead: as many signatures as are enough, then a record file of one node.
 *
 * Other signatures, copies and sidecars are read when they are requested, from the nodes in random order.
 */
function recordUnits(
  files: readonly ListedFile[],
  firstTurn: number,
  parts: RecordUnitsParts,
): readonly RecordUnit[] {
  const found = files.map((file): FoundFile & ListedFile => ({ ...file, read: () => missing(file.path) }));
  return groupUnits(found).map((unit, at) => createRecordUnit(readable(unit, firstTurn + at, parts)));
}

function readable(
  unit: ReturnType<typeof groupUnits>[number],
  turn: number,
  parts: RecordUnitsParts,
): UnitFiles {
  const { random, wantsSignatures } = parts;
  const keyed = <File extends StreamFile>(list: readonly File[]) => list as readonly (File & ListedFile)[];
  const reading = <File extends ListedFile>(file: File, isAhead: boolean) => ({
    ...file,
    read: (isAhead ? parts.ahead.add : parts.ahead.onDemand)({
      turn,
      size: file.size,
      fetch: (signal) => fetched(parts.store, file, signal),
    }),
  });
  const order = nodeOrder([...keyed(unit.records), ...keyed(unit.signatures)], random);
  const signers = inOrder(keyed(unit.signatures), order);
  const ahead = wantsSignatures ? parts.fewestSigners(signers.map(({ node }) => node)) : 0;
  const signatures = signers.map((file, at) => reading(file, at < ahead));
  // Of the node whose signature is requested first: it belongs to those that agree.
  const records = inOrder(keyed(unit.records), order).map((file, at) => reading(file, at === 0));
  const sidecars = keyed(unit.sidecars).map((file) => reading(file, false));
  return {
    instant: unit.instant,
    name: unit.name,
    emptyRecords: unit.emptyRecords,
    records,
    signatures,
    readsFewSignatures: true,
    sidecars,
    unlistedSidecars: (id) => records.map((record) => sidecarBeside(record, id, turn, parts)),
  };
}

/** Sidecars are not listed: their keys follow from that of the record file, and most are never requested. */
function sidecarBeside(
  { folder, name, node }: Pick<ListedFile, 'folder' | 'name' | 'node'>,
  id: number,
  turn: number,
  { ahead, bucket, store }: UnitParts,
): StreamFile {
  const sidecar = name.replace(/(?=\.rcd)/, `_${String(id).padStart(2, '0')}`);
  const key = `${folder}sidecar/${sidecar}`;
  const path = `${bucket}/${key}`;
  const fetch = async (signal: AbortSignal): Promise<Uint8Array> => {
    const bytes = await store.get(key, null, signal);
    if (bytes === null || bytes.length === 0) throw new IngestError('sidecar_missing', `There is no ${path}`);
    return bytes;
  };
  return { name: sidecar, path, node, read: ahead.onDemand({ turn, size: SIDECAR_BYTES, fetch }) };
}

/** @throws IngestError `unreadable_file` when it has gone. */
async function fetched(
  store: ObjectStore,
  { key, path, size }: ListedFile,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return (await store.get(key, size, signal)) ?? missing(path);
}

/** Local networks delete what they have uploaded. */
async function missing(path: string): Promise<never> {
  throw new IngestError('unreadable_file', `${path} no longer exists`);
}

/** Draws once for each node, so that its signature and its record file are requested together. */
function nodeOrder(files: readonly ListedFile[], random: () => number): ReadonlyMap<string, number> {
  const folders = [...new Set(files.map(({ folder }) => folder))].sort();
  return new Map(folders.map((folder) => [folder, random()]));
}

function inOrder(files: readonly ListedFile[], order: ReadonlyMap<string, number>): readonly ListedFile[] {
  const drawn = ({ folder }: ListedFile): number => order.get(folder) ?? 0;
  return [...files].sort((left, right) => drawn(left) - drawn(right));
}

interface LiveUnitsParts extends UnitParts {
  /** The node that was listed. */
  readonly listed: NodePlace;
  /** Nodes that were not listed. */
  readonly others: readonly NodePlace[];
  readonly signatures: PendingSignatures;
}

/** A file whose key follows from that of another node. */
type KeyedFile = Pick<ListedFile, 'name' | 'path' | 'key' | 'node' | 'folder'>;

/**
 * Units that one node listed: the files of the others have the same names in their folders.
 *
 * Nothing comes ahead, since a unit is looked at again and again until enough nodes have signed it.
 */
function liveUnits(files: readonly ListedFile[], parts: LiveUnitsParts): readonly RecordUnit[] {
  const found = files.map((file) => ({ ...file, read: async () => fetched(parts.store, file) }));
  return groupUnits(found).map((unit, turn) => createRecordUnit(readableLive(unit, turn, parts)));
}

function readableLive(unit: FoundUnitFiles, turn: number, parts: LiveUnitsParts): UnitFiles {
  const { listed, others, random, signatures: young, store } = parts;
  const records = unit.records as readonly (FoundUnitFiles['records'][number] & ListedFile)[];
  const [example] = [...records, ...unit.emptyRecords, ...unit.signatures];
  const folderAt = example === undefined ? -1 : listed.prefixes.indexOf(example.folder);
  const beside = (name: string, place: NodePlace): readonly KeyedFile[] => {
    const folder = place.prefixes[folderAt];
    if (folder === undefined) return [];
    const key = `${folder}${name}`;
    return [{ name, key, path: `${parts.bucket}/${key}`, node: place.node, folder }];
  };
  const signature = (file: KeyedFile, size: number | null, placeId: string): StreamFile => ({
    ...file,
    async read() {
      const bytes = await young.read({ instant: unit.instant, key: file.key, size, placeId });
      if (bytes === null) throw new IngestError('signature_missing', `There is no ${file.path} yet`);
      return bytes;
    },
  });
  const ofListed = (unit.signatures as readonly (FoundUnitFiles['signatures'][number] & ListedFile)[]).map(
    (file) => signature(file, file.size, listed.id),
  );
  // Those that were late come last.
  const signers = others
    .map((place) => ({ place, at: random() + (young.isLate(place.id) ? 1 : 0) }))
    .sort((left, right) => left.at - right.at)
    .map(({ place }) => place);
  const name = unit.name.replace(/\.rcd(\.gz)?$/, '.rcd_sig');
  const hasRecord = records.length + unit.emptyRecords.length > 0;
  const copies = [
    ...records,
    ...(hasRecord ? signers.flatMap((place) => beside(unit.name, place)) : []).map((file) => ({
      ...file,
      read: () => unlistedRecord(store, file),
    })),
  ];
  return {
    ...unit,
    records: copies,
    signatures: [
      ...ofListed,
      ...signers.flatMap((place) => beside(name, place).map((file) => signature(file, null, place.id))),
    ],
    readsFewSignatures: true,
    unlistedSidecars: (id) => copies.map((copy) => sidecarBeside(copy, id, turn, parts)),
  };
}

async function unlistedRecord(store: ObjectStore, { key, path }: KeyedFile): Promise<Uint8Array> {
  const bytes = await store.get(key, null);
  if (bytes === null || bytes.length === 0) {
    throw new IngestError('record_file_missing', `There is no ${path}`);
  }
  return bytes;
}
