import { networkFolders } from '../block-folders.ts';
import { foldersBelow, type ObjectStore } from './object-store.ts';

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
export interface BlockPlace {
  /** Folder of all blocks, with a slash at its end unless empty. */
  readonly base: string;
  /** Of the network, as the bucket names it; empty where it does not. */
  readonly network: string;
}

/** A block that a listing told. */
export interface ListedBlock {
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
export async function findBlockPlace(
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
export async function blockAtEnd(
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
