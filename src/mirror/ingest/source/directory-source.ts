import { basename, dirname, join } from 'node:path';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { IngestError } from '../errors.ts';
import { createRecordUnit, type RecordUnit } from '../record-unit/record-unit.ts';
import { type NamedBytes, onePage, type SourceListing, type StreamSource } from '../units/stream-source.ts';
import type { FileTree } from './file-tree.ts';
import { groupUnits } from './group-units.ts';
import { parseStreamFileName } from './stream-file-name.ts';
import { type FoundFile, findStreamFiles, MAX_DEPTH, readStreamFile } from './stream-files.ts';

const ADDRESS_BOOK_NAMES = ['address_book.bin', 'address-book.json'];

/**
 * A folder in any of the layouts, or one record file with what lies beside it.
 *
 * @see contracts/streams.md section 8
 */
export function createDirectorySource(path: string, tree: FileTree): StreamSource<RecordUnit> {
  return {
    name: path,
    addressBook: () => findAddressBook(tree, path),
    async list(position) {
      const after = position?.time ?? null;
      const kind = await tree.kindOf(path);
      if (kind === null) throw missing(path);
      if (kind === 'file') return olderApart(await singleFile(tree, path, after), after);
      return olderApart(await findStreamFiles({ tree, after, skipsOld: false }, path), after);
    },
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

async function singleFile(
  tree: FileTree,
  path: string,
  after: ConsensusTimestamp | null,
): Promise<readonly FoundFile[]> {
  const parsed = parseStreamFileName(basename(path));
  if (parsed?.kind !== 'record') {
    throw new IngestError(
      'nothing_to_import',
      `${path} is not a record file: its name is not like 2024-01-31T00_00_00.000000000Z.rcd.gz`,
    );
  }
  const folder = dirname(path);
  const search = { tree, after, skipsOld: false };
  const beside = await findStreamFiles(search, folder, undefined, MAX_DEPTH);
  const sidecars = await findStreamFiles(search, join(folder, 'sidecar'), null, MAX_DEPTH);
  return [...beside, ...sidecars].filter(({ name, parsed: other }) => {
    if (other.kind === 'record') return name === basename(path);
    return other.kind === 'node-signature' || other.instant === parsed.instant;
  });
}

function olderApart(
  files: readonly FoundFile[],
  after: ConsensusTimestamp | null,
): SourceListing<RecordUnit> {
  const all = groupUnits(files);
  const units = after === null ? all : all.filter(({ instant }) => instant > after);
  const older = all.filter(
    ({ instant, records }) => after !== null && instant <= after && records.length > 0,
  );
  return { older: older.map(({ instant }) => instant), pages: onePage(units.map(createRecordUnit)) };
}
