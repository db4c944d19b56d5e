import { networkFolders } from '../network-folders.ts';
import { BLOCK_LEVELS, isNumberFolder, parseBlockKey } from './block-keys.ts';
import { foldersBelow, type ObjectStore } from './object-store.ts';

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
