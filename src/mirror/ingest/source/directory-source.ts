import { basename, dirname, join } from 'node:path';
import { IngestError } from '../errors.ts';
import { parseStreamFileName } from '../units/stream-file-name.ts';
import {
  listedAfter,
  type NamedBytes,
  type SourcePosition,
  type StreamSource,
} from '../units/stream-source.ts';
import { groupBlocks } from './block-pages.ts';
import type { FileTree } from './file-tree.ts';
import { createFolderListing, type FolderContent, type FolderParts } from './folder-units.ts';
import { groupUnits } from './group-units.ts';
import { createLeftOutRecords } from './left-out-records.ts';
import { type FoundFile, findStreamFiles, MAX_DEPTH, readStreamFile } from './stream-files.ts';

const ADDRESS_BOOK_NAMES = ['address_book.bin', 'address-book.json'];
/** Of whatever name, when it is named itself. */
const BLOCK_NAME = /\.blk(?:\.gz|\.zstd?)?$/;

/**
 * A folder in any of the layouts, one record file with what lies beside it, or one block file.
 *
 * @see contracts/streams.md sections 8 and 9.1
 */
export function createDirectorySource(
  path: string,
  tree: FileTree,
  { loadBlocks, warn = () => {} }: FolderParts = {},
): StreamSource {
  const listing = createFolderListing(loadBlocks);
  const leftOut = createLeftOutRecords(path, warn);
  return {
    name: path,
    addressBook: () => findAddressBook(tree, path),
    async list(position) {
      const content = await contentOf(tree, path, position);
      return listing(content, position, (count) => leftOut.take(count));
    },
    standing: () => leftOut.standing(),
  };
}

/** The book at the top of a folder, or beside a single file; null when there is none. */
export async function findAddressBook(tree: FileTree, path: string): Promise<NamedBytes | null> {
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
export function missing(path: string): IngestError {
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
  const search = {
    tree,
    after: listedAfter(position),
    afterBlock: position?.blockNumber ?? null,
    skipsOld: false,
  };
  const files = kind === 'file' ? await singleFile(search, path) : await findStreamFiles(search, path);
  return { records: groupUnits(files), blocks: groupBlocks(files) };
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
