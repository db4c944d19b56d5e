import { basename, dirname, join } from 'node:path';
import { parseEntityId } from '../../../values/entity-id.ts';
import { IngestError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { FileTree } from './file-tree.ts';
import { parseStreamFileName } from './stream-file-name.ts';
import type { NamedBytes, NodeName, StreamFile, StreamSource, StreamUnit } from './stream-source.ts';

const ADDRESS_BOOK_NAMES = ['address_book.bin', 'address-book.json'];
const RECORD_FOLDER = /^record(\d+\.\d+\.\d+)$/;
/** Deeper than any layout with day folders above it. */
const MAX_DEPTH = 12;

interface FoundFile extends StreamFile {
  readonly folder: string;
  readonly parsed: NonNullable<ReturnType<typeof parseStreamFileName>>;
}

interface GrowingUnit {
  readonly instant: StreamUnit['instant'];
  readonly records: FoundFile[];
  readonly signatures: StreamFile[];
  readonly sidecars: (StreamFile & { readonly id: number })[];
}

/**
 * A folder in any of the layouts, or one record file with what lies beside it.
 *
 * Folders tell the node: `record0.0.3/` by account, `3/record/` by id; `node_0.0.3.rcd_sig` in its own name.
 *
 * @see contracts/streams.md section 8
 */
export function createDirectorySource(path: string, tree: FileTree): StreamSource {
  return {
    name: path,
    async addressBook() {
      const kind = await tree.kindOf(path);
      const folder = kind === 'file' ? dirname(path) : path;
      // The book of a bucket copy lies at the top of the set, beside the folder that holds the stream.
      const folders = basename(folder) === 'recordstreams' ? [folder, dirname(folder)] : [folder];
      for (const name of folders.flatMap((each) => ADDRESS_BOOK_NAMES.map((file) => join(each, file)))) {
        if ((await tree.kindOf(name)) === 'file') return { name, bytes: await readAll(tree, name) };
      }
      return null;
    },
    async units() {
      const kind = await tree.kindOf(path);
      if (kind === null) throw new IngestError('unreadable_file', `There is no file or folder ${path}`);
      if (kind === 'folder') return groupUnits(await walk(tree, path, nodeOfFolder(path), 0));
      return singleFile(tree, path);
    },
  };
}

/** Reads an address book that the operator named. */
export async function readAddressBookFile(tree: FileTree, path: string): Promise<NamedBytes> {
  return { name: path, bytes: await readAll(tree, path) };
}

async function singleFile(tree: FileTree, path: string): Promise<readonly StreamUnit[]> {
  const parsed = parseStreamFileName(basename(path));
  if (parsed?.kind !== 'record') {
    throw new IngestError(
      'nothing_to_import',
      `${path} is no record file: its name is not like 2024-01-31T00_00_00.000000000Z.rcd.gz`,
    );
  }
  const folder = dirname(path);
  const files = await walk(tree, folder, nodeOfFolder(folder), MAX_DEPTH);
  const sidecars = await walk(tree, join(folder, 'sidecar'), null, MAX_DEPTH);
  const own = [...files, ...sidecars].filter(
    (file) => file.parsed.kind !== 'record' || file.name === basename(path),
  );
  return groupUnits(own).filter(({ instant }) => instant === parsed.instant);
}

/** Files of a folder and of those below it; at the greatest depth of the folder alone. */
async function walk(
  tree: FileTree,
  folder: string,
  node: NodeName | null,
  depth: number,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  if ((await tree.kindOf(folder)) !== 'folder') return found;
  for (const entry of await tree.list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFolder) {
      if (depth >= MAX_DEPTH) continue;
      const below = entry.name === 'sidecar' ? node : nodeOfFolder(path);
      found.push(...(await walk(tree, path, below, depth + 1)));
      continue;
    }
    const parsed = parseStreamFileName(entry.name);
    if (parsed === null || (await tree.size(path)) === 0) continue;
    const signer = parsed.kind === 'node-signature' ? byAccount(parsed.account) : node;
    found.push({ name: entry.name, path, node: signer, folder, parsed, read: () => readAll(tree, path) });
  }
  return found;
}

function groupUnits(files: readonly FoundFile[]): readonly StreamUnit[] {
  const units = new Map<bigint, GrowingUnit>();
  const unitAt = (instant: StreamUnit['instant']): GrowingUnit => {
    const known = units.get(instant);
    if (known !== undefined) return known;
    const created: GrowingUnit = { instant, records: [], signatures: [], sidecars: [] };
    units.set(instant, created);
    return created;
  };
  for (const file of files) {
    const { parsed } = file;
    if (parsed.kind === 'record') unitAt(parsed.instant).records.push(file);
    if (parsed.kind === 'signature') unitAt(parsed.instant).signatures.push(file);
    if (parsed.kind === 'sidecar') unitAt(parsed.instant).sidecars.push({ ...file, id: parsed.id });
  }
  for (const [folder, signatures] of nodeSignatures(files)) {
    const beside = [...units.values()].filter(({ records }) =>
      records.some((file) => file.folder === folder),
    );
    // With several record files in the folder nobody can tell which of them these sign.
    if (beside.length === 1) beside[0]?.signatures.push(...signatures);
  }
  return [...units.values()]
    .filter(({ records }) => records.length > 0)
    .sort((left, right) => (left.instant < right.instant ? -1 : 1))
    .map((unit) => ({ ...unit, name: unit.records[0]?.name ?? '', records: inNodeOrder(unit.records) }));
}

function nodeSignatures(files: readonly FoundFile[]): ReadonlyMap<string, readonly FoundFile[]> {
  return groupBy(
    files.filter(({ parsed }) => parsed.kind === 'node-signature'),
    ({ folder }) => folder,
  );
}

/** The order of a listing depends on the file system; this one does not. */
function inNodeOrder(files: readonly FoundFile[]): readonly FoundFile[] {
  return [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function nodeOfFolder(path: string): NodeName | null {
  const account = RECORD_FOLDER.exec(basename(path))?.[1];
  if (account !== undefined) return byAccount(account);
  const parent = basename(dirname(path));
  return basename(path) === 'record' && /^\d{1,18}$/.test(parent)
    ? { kind: 'node', nodeId: BigInt(parent) }
    : null;
}

function byAccount(text: string): NodeName | null {
  const account = parseEntityId(text);
  return account === null ? null : { kind: 'account', account };
}

async function readAll(tree: FileTree, path: string): Promise<Uint8Array> {
  try {
    return await tree.read(path);
  } catch (cause) {
    throw new IngestError('unreadable_file', `Cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}
