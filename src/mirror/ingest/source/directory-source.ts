import { basename, dirname, join } from 'node:path';
import { once } from '../../../values/once.ts';
import { IngestError } from '../errors.ts';
import { parseStreamFileName } from '../units/stream-file-name.ts';
import {
  isPast,
  listedAfter,
  type NamedBytes,
  type SourcePosition,
  type StreamSource,
} from '../units/stream-source.ts';
import { type BlockFiles, groupBlocks } from './block-pages.ts';
import type { FileTree } from './file-tree.ts';
import { createFolderListing, type FolderContent, type FolderParts } from './folder-units.ts';
import { type FoundUnitFiles, groupUnits } from './group-units.ts';
import { type FoundFile, findStreamFiles, MAX_DEPTH, readStreamFile } from './stream-files.ts';

const ADDRESS_BOOK_NAMES = ['address_book.bin', 'address-book.json'];
/** Of whatever name, when it is named itself. */
const BLOCK_NAME = /\.blk(?:\.gz|\.zstd?)?$/;

/**
 * A folder in any of the layouts, one record file with what lies beside it, or one block file.
 *
 * @see contracts/streams.md sections 8 and 9.1
 */
export function createDirectorySource(path: string, tree: FileTree, parts: FolderParts = {}): StreamSource {
  return createFolderSource(path, tree, parts, (position) => contentOf(tree, path, position));
}

/**
 * A folder into which a network or an uploader writes while it is read, asked again and again.
 *
 * A record file counts when a signature lies beside it or its size is that of the last time; until then it
 * may still grow, and nothing after it is given either, so that no unit is passed over. A block counts when its size is
 * that of the last time.
 *
 * @see contracts/streams.md section 11, row Directory source
 */
export function createWatchedFolder(path: string, tree: FileTree, parts: FolderParts = {}): StreamSource {
  let sizes: ReadonlyMap<string, number | null> = new Map();
  return createFolderSource(path, tree, parts, async (position) => {
    const isStored = ({ instant }: FoundUnitFiles): boolean => isPast(instant, position);
    if ((await tree.kindOf(path)) !== 'folder') throw missing(path);
    const files = await findStreamFiles({ ...searchBeyond(tree, position), skipsOld: true }, path);
    const all = groupUnits(files);
    const [stored, units] = [all.filter(isStored), all.filter((unit) => !isStored(unit))];
    const blocks = groupBlocks(files);
    const before = sizes;
    const growing = [...units.flatMap(({ records }) => records), ...blocks.flatMap(({ copies }) => copies)];
    sizes = new Map(growing.map((file) => [file.path, file.size]));
    return { records: [...stored, ...wholeUnits(units, before)], blocks: wholeBlocks(blocks, before) };
  });
}

/** Record files that are no longer read are told once, however often somebody looks, and stand in the notes. */
function createFolderSource(
  path: string,
  tree: FileTree,
  { loadBlocks, warn = () => {} }: FolderParts,
  contentBeyond: (position: SourcePosition | null) => Promise<FolderContent>,
): StreamSource {
  const listing = createFolderListing(loadBlocks);
  let note: string | null = null;
  const tell = once(() => warn(note ?? ''));
  const leaveOut = (count: number): void => {
    note = `${count} record files in ${path} are skipped: the ledger switched to native blocks before them`;
    if (count === 0) note = null;
    else tell();
  };
  return {
    name: path,
    addressBook: () => findAddressBook(tree, path),
    list: async (position) => listing(await contentBeyond(position), position, leaveOut),
    standing: () => ({ node: null, newest: null, notes: note === null ? [] : [note] }),
  };
}

/** The book at the top of a folder, or beside a single file; null when there is none. */
async function findAddressBook(tree: FileTree, path: string): Promise<NamedBytes | null> {
  const folder = (await tree.kindOf(path)) === 'file' ? dirname(path) : path;
  // The book of a bucket copy lies at the top of the set, beside the folder that holds the stream.
  const folders = basename(folder) === 'recordstreams' ? [folder, dirname(folder)] : [folder];
  for (const name of folders.flatMap((each) => ADDRESS_BOOK_NAMES.map((file) => join(each, file)))) {
    if ((await tree.kindOf(name)) === 'file') return readAddressBookFile(tree, name);
  }
  return null;
}

/** Reads an address book that the operator named. */
export async function readAddressBookFile(tree: FileTree, path: string): Promise<NamedBytes> {
  return { name: path, bytes: await readStreamFile(tree, path) };
}

/** What a source says of a path at which there is nothing. */
function missing(path: string): IngestError {
  return new IngestError('unreadable_file', `There is no file or folder ${path}`);
}

async function contentOf(
  tree: FileTree,
  path: string,
  position: SourcePosition | null,
): Promise<FolderContent> {
  const kind = await tree.kindOf(path);
  if (kind === null) throw missing(path);
  if (kind === 'file' && BLOCK_NAME.test(path)) return singleBlock(tree, path);
  const search = { ...searchBeyond(tree, position), skipsOld: false };
  const files = kind === 'file' ? await singleFile(search, path) : await findStreamFiles(search, path);
  return { records: groupUnits(files), blocks: groupBlocks(files) };
}

function searchBeyond(tree: FileTree, position: SourcePosition | null) {
  return { tree, after: listedAfter(position), afterBlock: position?.blockNumber ?? null };
}

async function singleBlock(tree: FileTree, path: string): Promise<FolderContent> {
  const name = basename(path);
  const parsed = parseStreamFileName(name);
  const number = parsed?.kind === 'block' ? BigInt(parsed.digits) : null;
  const size = await tree.size(path);
  const file: FoundFile = {
    ...{ name, path, number, size, folder: dirname(path), node: null },
    parsed: { kind: 'block', digits: '' },
    read: () => readStreamFile(tree, path),
  };
  return { records: [], blocks: [{ number, copies: [file] }] };
}

async function singleFile(
  search: Parameters<typeof findStreamFiles>[0],
  path: string,
): Promise<readonly FoundFile[]> {
  const parsed = parseStreamFileName(basename(path));
  if (parsed?.kind !== 'record') {
    throw new IngestError(
      'nothing_to_import',
      `${path} is not a record file or block: its name is not like 2024-01-31T00_00_00.000000000Z.rcd.gz or 1234.blk.gz`,
    );
  }
  const folder = dirname(path);
  const beside = await findStreamFiles(search, folder, undefined, MAX_DEPTH);
  const sidecars = await findStreamFiles(search, join(folder, 'sidecar'), null, MAX_DEPTH);
  return [...beside, ...sidecars].filter(({ name, parsed: other }) => {
    if (other.kind === 'record') return name === basename(path);
    if (other.kind === 'block') return false;
    return other.kind === 'node-signature' || other.instant === parsed.instant;
  });
}

/** Blocks up to the first of which no copy is known to be whole; those that are stored have no size. */
function wholeBlocks(
  blocks: readonly BlockFiles[],
  sizes: ReadonlyMap<string, number | null>,
): readonly BlockFiles[] {
  const whole: BlockFiles[] = [];
  for (const block of blocks) {
    const copies = block.copies.filter(({ path, size }) => size === null || sizes.get(path) === size);
    if (copies.length === 0) break;
    whole.push({ ...block, copies });
  }
  return whole;
}

/**
 * Units up to the first of which no copy is known to be whole, with their whole copies alone.
 *
 * One with nothing but signatures or empty files is given as it is: whether it can be waited for is not known here.
 */
function wholeUnits(
  units: readonly FoundUnitFiles[],
  sizes: ReadonlyMap<string, number | null>,
): readonly FoundUnitFiles[] {
  const whole: FoundUnitFiles[] = [];
  for (const unit of units) {
    const signatures = unit.signatures.filter(({ size }) => size !== 0);
    const folders = new Set(signatures.map(({ folder }) => folder));
    const isWhole = ({ folder, path, size }: FoundFile) => folders.has(folder) || sizes.get(path) === size;
    const records = unit.records.filter(isWhole);
    if (records.length === 0 && unit.records.length > 0) break;
    whole.push({ ...unit, records, signatures });
  }
  return whole;
}
