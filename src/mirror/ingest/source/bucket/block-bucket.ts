import { type ConsensusTimestamp, printTimestamp } from '../../../../values/consensus-timestamp.ts';
import { type BlockSource, blockFileName, extensionOf } from '../../block/block-source.ts';
import { IngestError } from '../../errors.ts';
import type { SourcePosition, StreamSource } from '../../units/stream-source.ts';
import type { StreamUnit } from '../../units/stream-unit.ts';
import { networkFolders } from '../stream-files.ts';
import { type BucketPlace, foldersBelow, type ObjectStore } from './object-store.ts';
import { oneAhead } from './read-ahead.ts';

export interface BlockBucketParts extends BucketPlace {
  /** @throws IngestError when the header of the block cannot be read. */
  readonly makeUnit: (block: BlockSource) => StreamUnit;
}

/** Where the blocks of a network lie, and how far they reach. */
interface Known {
  readonly place: BlockPlace;
  readonly oldest: ListedBlock;
  readonly newest: ListedBlock;
}

/** Downloads at a time while catching up, as long as their blocks are small. */
const MAX_CONCURRENT = 16;
const BYTES_AT_ONCE = 32 * 2 ** 20;
/** Listings are rare: a block is found by its key. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Block files in a bucket, each found by the key of the next number; one that is missing is not there yet.
 *
 * @see contracts/streams.md sections 8, 9.1 and 16.3
 */
export function createBlockBucket(parts: BlockBucketParts): StreamSource {
  const { bucket, clock, makeUnit, name, store, top } = parts;
  let known: Known | null = null;
  let lookedMs: number | null = null;
  let newest: bigint | null = null;
  let note: string | null = null;
  /** Where a start by time is, so that it is searched once. */
  let begin: { readonly time: ConsensusTimestamp; readonly number: bigint } | null = null;
  let reset: { readonly at: bigint; readonly error: IngestError } | null = null;

  const look = async (signal: AbortSignal | undefined): Promise<void> => {
    lookedMs = clock.now();
    const place = await findBlockPlace(store, top, signal);
    const [first, last] =
      place === null
        ? [null, null]
        : [await blockAtEnd(store, place, 'first', signal), await blockAtEnd(store, place, 'last', signal)];
    known = place === null || first === null || last === null ? null : { place, oldest: first, newest: last };
    note = known === null ? 'there are no blocks in it yet' : null;
    newest = last?.number ?? newest;
  };
  const mayLook = (): boolean => lookedMs === null || clock.now() - lookedMs >= LOOK_AGAIN_MS;

  const fetch = async ({ place, newest: { extension } }: Known, number: bigint, signal?: AbortSignal) => {
    const key = blockKey(place.base, number, extension);
    const bytes = await store.get(key, null, signal);
    return bytes === null ? null : { number, key, bytes };
  };
  const unitOf = ({ bytes, key, number }: { number: bigint; key: string; bytes: Uint8Array }): StreamUnit =>
    makeUnit({
      name: blockFileName(number, extensionOf(key)),
      path: `${bucket}/${key}`,
      node: null,
      number,
      bytes,
    });
  const timeOf = async (
    from: Known,
    number: bigint,
    signal?: AbortSignal,
  ): Promise<ConsensusTimestamp | null> => {
    const found = await fetch(from, number, signal);
    return found === null ? null : unitOf(found).instant;
  };

  /** The first block that begins later than a time, found in some thirty downloads. */
  const firstAfter = async (time: ConsensusTimestamp, from: Known, signal?: AbortSignal): Promise<bigint> => {
    let [low, high] = [from.oldest.number, from.newest.number + 1n];
    while (low < high) {
      const middle = (low + high) / 2n;
      if (((await timeOf(from, middle, signal)) ?? time) > time) high = middle;
      else low = middle + 1n;
    }
    return low;
  };
  const firstWanted = async (
    after: SourcePosition | null,
    from: Known,
    signal?: AbortSignal,
  ): Promise<bigint> => {
    if (after === null) return 0n;
    if (after.blockNumber !== null) return after.blockNumber + 1n;
    if (begin?.time !== after.time) {
      begin = { time: after.time, number: await firstAfter(after.time, from, signal) };
    }
    return begin.number;
  };

  /** Downloads of consecutive blocks, more at once as long as all are there. */
  async function* batches(
    first: bigint,
    from: Known,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly StreamUnit[]> {
    for (let [next, width, largest] = [first, 1, 0]; ; ) {
      const numbers = Array.from({ length: width }, (_none, at) => next + BigInt(at));
      const found = await Promise.all(numbers.map((number) => fetch(from, number, signal)));
      const end = found.indexOf(null);
      const there = found.slice(0, end < 0 ? found.length : end).filter((each) => each !== null);
      const units: StreamUnit[] = [];
      try {
        for (const each of there) units.push(unitOf(each));
      } finally {
        // A damaged one does not keep back those before it.
        if (units.length > 0) yield units;
      }
      if (end >= 0) return;
      next += BigInt(width);
      largest = Math.max(largest, ...there.map(({ bytes }) => bytes.length));
      width = Math.max(
        1,
        Math.min(width * 2, MAX_CONCURRENT, Math.floor(BYTES_AT_ONCE / Math.max(1, largest))),
      );
    }
  }

  /** Why the next block is not there, when there is more to say than that it has not come yet. */
  const explain = async (next: bigint, after: SourcePosition | null, signal?: AbortSignal): Promise<void> => {
    await look(signal);
    if (known === null) return;
    const { newest: last, oldest, place } = known;
    if (next < oldest.number) {
      note =
        `it begins with block ${oldest.number}, but this ledger needs ${next}: the blocks in between must come from another source ` +
        '(MIRROR_BLOCK_NODES), or an empty ledger must begin later (MIRROR_START)';
    }
    if (after === null || after.blockNumber === null || last.number > after.blockNumber) return;
    const time = await timeOf(known, last.number, signal);
    if (time === null || time <= after.time) return;
    const error = new IngestError(
      'fork',
      `The network was reset: ${bucket}/${place.network} has block ${last.number} of ${printTimestamp(time)}, and this ledger ` +
        `ended with block ${after.blockNumber} at ${printTimestamp(after.time)}. The new network needs a new database`,
    );
    reset = { at: after.blockNumber, error };
    throw error;
  };

  async function* pages(
    after: SourcePosition | null,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly StreamUnit[]> {
    try {
      if (known === null && mayLook()) await look(signal);
      if (known === null) return;
      if (reset !== null && reset.at === after?.blockNumber && !mayLook()) throw reset.error;
      const first = await firstWanted(after, known, signal);
      let next = first;
      for await (const units of oneAhead(batches(first, known, signal))) {
        next += BigInt(units.length);
        newest = newest === null || next > newest ? next - 1n : newest;
        note = null;
        yield units;
      }
      if (next === first && mayLook()) await explain(next, after, signal);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  return {
    name,
    addressBook: async () => null,
    list: async (after, signal) => ({ older: [], pages: pages(after, signal) }),
    standing: () => ({
      node: null,
      newest: newest === null ? null : { blockNumber: newest, time: null },
      notes: note === null ? [] : [`${name}: ${note}`],
    }),
  };
}

const NUMBER_DIGITS = 19;
const LEAF_DIGITS = 3;
const BLOCK = /^(\d{1,3})\.(blk(?:\.(?:gz|zstd?))?)$/;

/** Levels of folders above the block files. */
const BLOCK_LEVELS = 4;

/** A folder of four digits, the first level above block files. */
function isNumberFolder(name: string): boolean {
  return /^\d{4}$/.test(name);
}

/**
 * Where a block lies: nineteen digits, cut 4/4/4/4/3.
 *
 * @param base the folder of all blocks, with a slash at its end unless empty
 * @see contracts/streams.md section 9.1
 * @example `block/` and 1234567 with `blk.zstd` give `block/0000/0000/0000/1234/567.blk.zstd`
 */
export function blockKey(base: string, number: bigint, extension: string): string {
  const digits = String(number).padStart(NUMBER_DIGITS, '0');
  const folders = digits.slice(0, -LEAF_DIGITS).match(/.{4}/g) ?? [];
  return `${base}${folders.join('/')}/${digits.slice(-LEAF_DIGITS)}.${extension}`;
}

/** What the key of a block tells; null for other objects. */
export function parseBlockKey(
  base: string,
  key: string,
): { readonly number: bigint; readonly extension: string } | null {
  const parts = key.slice(base.length).split('/');
  const [, leaf = '', extension = ''] = BLOCK.exec(parts.at(-1) ?? '') ?? [];
  const folders = parts.slice(0, -1);
  if (leaf === '' || folders.length !== BLOCK_LEVELS || !folders.every(isNumberFolder)) return null;
  return { number: BigInt(`${folders.join('')}${leaf}`), extension };
}

/** Where the blocks of a bucket lie. */
interface BlockPlace {
  /** Folder of all blocks, with a slash at its end unless empty. */
  readonly base: string;
  /** Of the network, as the bucket names it; empty where it does not. */
  readonly network: string;
}

/** A block that a listing told. */
interface ListedBlock {
  readonly number: bigint;
  readonly extension: string;
}

const NETWORK_BLOCKS = 'block/';
const PLUGIN_BLOCKS = 'blocks/';
const NAMES_PER_CALL = 1000;

/**
 * Looks at the top alone: the folder of a network that began last, or block files of the cloud plugin of block nodes.
 *
 * @param top key of the top with a slash at its end, or empty
 * @returns null when there are no blocks yet.
 * @see contracts/streams.md section 9.1
 */
async function findBlockPlace(
  store: ObjectStore,
  top: string,
  signal?: AbortSignal,
): Promise<BlockPlace | null> {
  const below = async (prefix: string): Promise<readonly string[]> =>
    (await foldersBelow(store, prefix, signal)).map((folder) => folder.slice(prefix.length));
  const names = await below(top);
  if (names.some((name) => isNumberFolder(name.slice(0, -1)))) return { base: top, network: '' };
  if (names.includes(NETWORK_BLOCKS)) return { base: `${top}${NETWORK_BLOCKS}`, network: top };
  for (const { folder } of networkFolders(names.map((name) => name.slice(0, -1)))) {
    if (folder === PLUGIN_BLOCKS) continue;
    const base = `${top}${folder}${NETWORK_BLOCKS}`;
    if ((await below(`${top}${folder}`)).includes(NETWORK_BLOCKS)) return { base, network: folder };
  }
  return names.includes(PLUGIN_BLOCKS) ? { base: `${top}${PLUGIN_BLOCKS}`, network: '' } : null;
}

/** The first or the last block that there is; null for none. */
async function blockAtEnd(
  store: ObjectStore,
  { base }: BlockPlace,
  end: 'first' | 'last',
  signal?: AbortSignal,
): Promise<ListedBlock | null> {
  const at = end === 'first' ? 0 : -1;
  let folder = base;
  for (let level = 0; level < BLOCK_LEVELS; level++) {
    const folders = await foldersBelow(store, folder, signal);
    const numbered = folders.filter((name) => isNumberFolder(name.slice(folder.length, -1)));
    const next = numbered.at(at);
    if (next === undefined) return null;
    folder = next;
  }
  const { objects } = await store.list({ prefix: folder, maxKeys: NAMES_PER_CALL }, signal);
  return objects.flatMap(({ key }) => parseBlockKey(base, key) ?? []).at(at) ?? null;
}
