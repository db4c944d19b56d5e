import { basename, dirname, join } from 'node:path';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseEntityId } from '../../../values/entity-id.ts';
import { IngestError } from '../errors.ts';
import type { NodeName, StreamFile } from '../record-file/unit-files.ts';
import { parseStreamFileName, streamInstant } from '../units/stream-file-name.ts';
import type { FileTree, TreeEntry } from './file-tree.ts';

/** A file whose name belongs to a stream. */
export interface FoundFile extends StreamFile {
  readonly folder: string;
  readonly parsed: NonNullable<ReturnType<typeof parseStreamFileName>>;
  /** Of a block, as its name and folders tell it. */
  readonly number?: bigint | null;
  /** Bytes; null for a file that nobody needs to look at because its instant is stored. */
  readonly size: number | null;
}

/** Where to look, and what not to look at. */
interface FileSearch {
  readonly tree: FileTree;
  /** Files of this instant and older ones are found by name alone; null: every file is looked at. */
  readonly after: ConsensusTimestamp | null;
  /** The same for blocks, by their numbers. */
  readonly afterBlock?: bigint | null;
  /**
   * Whether what is older than `after` is not even counted: folders named by an earlier day are not entered, and names of
   * an earlier second are passed over, which makes a look at a folder with a long history cheap.
   */
  readonly skipsOld: boolean;
}

/** Deeper than any layout with day folders above it. */
export const MAX_DEPTH = 12;

/** Of a node: `record0.0.3`, `block-0.0.3`. */
const RECORD_FOLDER = /^(?:record|block-)(\d+\.\d+\.\d+)$/;
const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;
const DAY_LENGTH = '2024-01-31'.length;
const SECOND_LENGTH = '2024-01-31T00_00_00'.length;

/**
 * Finds the stream files of a folder and of those below it; at the greatest depth of the folder alone.
 *
 * Folders tell the node: `record0.0.3/` by account, `3/record/` by id; `node_0.0.3.rcd_sig` in its own name.
 * Names of other forms are ignored.
 *
 * @see contracts/streams.md sections 8 and 11
 */
export async function findStreamFiles(
  search: FileSearch,
  folder: string,
  node: NodeName | null = nodeOfFolder(folder),
  depth = 0,
): Promise<readonly FoundFile[]> {
  const { tree, after } = search;
  const found: FoundFile[] = [];
  const entries = await tree.list(folder);
  const past = pastFolders(folder, entries, search);
  const firstSecond = search.skipsOld && after !== null ? streamInstant(after).slice(0, SECOND_LENGTH) : '';
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFolder) {
      if (depth >= MAX_DEPTH || isOldDay(entry.name, search) || past.has(entry.name)) continue;
      const below = entry.name === 'sidecar' ? node : nodeOfFolder(path);
      for (const file of await findStreamFiles(search, path, below, depth + 1)) found.push(file);
      continue;
    }
    const parsed = parseStreamFileName(entry.name);
    if (parsed === null) continue;
    const number = parsed.kind === 'block' ? blockNumberOf(folder, parsed.digits) : null;
    if (number === null && entry.name.slice(0, SECOND_LENGTH) < firstSecond) continue;
    const isStored =
      number === null
        ? after !== null && 'instant' in parsed && parsed.instant <= after
        : number <= (search.afterBlock ?? -1n);
    const size = isStored ? null : await tree.size(path);
    if (size === null && !isStored) continue;
    const signer = parsed.kind === 'node-signature' ? byAccount(parsed.account) : node;
    const read = () => readStreamFile(tree, path);
    found.push({ name: entry.name, path, node: signer, folder, parsed, number, size, read });
  }
  return found;
}

/** @throws IngestError `unreadable_file`. */
export async function readStreamFile(tree: FileTree, path: string): Promise<Uint8Array> {
  try {
    return await tree.read(path);
  } catch (cause) {
    throw new IngestError('unreadable_file', `Cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}

/** The text forms sort like the days that they name. */
function isOldDay(name: string, { after, skipsOld }: FileSearch): boolean {
  if (!skipsOld || after === null || !DAY_FOLDER.test(name)) return false;
  return name < streamInstant(after).slice(0, DAY_LENGTH);
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

/** A folder at the top of a bucket that holds the blocks of a network since one of its resets. */
interface NetworkFolder {
  /** With a slash at its end. */
  readonly folder: string;
  /** When the network began anew, as 14 digits; empty for a network that never does. */
  readonly since: string;
}

/** A network, and when it began: twelve digits, or an instant. */
const NETWORK =
  /^(?<network>[a-z][a-z\d]*(?:-[a-z][a-z\d]*)*)(?:-(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)T?(?<hour>\d\d)[:_-]?(?<minute>\d\d)(?:[:_-]?(?<second>\d\d)(?:\.\d+)?)?Z?)?$/;

/** The folders that networks may have, the newest first; other names are ignored. */
export function networkFolders(names: readonly string[]): readonly NetworkFolder[] {
  return names
    .flatMap((name) => {
      const groups = NETWORK.exec(name)?.groups;
      if (groups === undefined) return [];
      const { day = '', hour = '', minute = '', month = '', second = '00', year } = groups;
      const since = year === undefined ? '' : `${year}${month}${day}${hour}${minute}${second}`;
      return [{ folder: `${name}/`, since }];
    })
    .sort((left, right) => (left.since === right.since ? 0 : left.since < right.since ? 1 : -1));
}

/** Nineteen digits, cut 4/4/4/4/3. @see contracts/streams.md section 9.1 */
const NUMBER_DIGITS = 19;
const FOLDER_LEVELS = 4;
const LEAF_DIGITS = 3;
const NUMBER_FOLDER = /^\d{4}$/;

/** The number of a block file: that of its name, or with the folders of four digits above it. */
function blockNumberOf(folder: string, digits: string): bigint {
  const above = digits.length === LEAF_DIGITS ? numberFolders(folder) : '';
  return BigInt(above.length === FOLDER_LEVELS * 4 ? above + digits : digits);
}

/**
 * Folders of a listing that are not entered: those of a network before its last reset, and, where the past is skipped,
 * numbers below the last stored block. The greatest number is entered nevertheless: it shows a reset.
 */
function pastFolders(
  folder: string,
  entries: readonly TreeEntry[],
  { afterBlock = null, skipsOld }: { readonly afterBlock?: bigint | null; readonly skipsOld: boolean },
): ReadonlySet<string> {
  const names = entries.filter(({ isFolder }) => isFolder).map(({ name }) => name);
  const past = new Set(beforeReset(names));
  const numbered = names.filter((name) => NUMBER_FOLDER.test(name)).sort();
  if (!skipsOld || afterBlock === null || numbered.length === 0) return past;
  const above = numberFolders(folder);
  const last = String(afterBlock).padStart(NUMBER_DIGITS, '0');
  for (const name of numbered.slice(0, -1)) {
    const prefix = above + name;
    if (prefix < last.slice(0, prefix.length)) past.add(name);
  }
  return past;
}

/** Folders such as `testnet-202601010000` of which a later one is there. */
function beforeReset(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return networkFolders(names).flatMap(({ folder, since }) => {
    const name = folder.slice(0, -1);
    if (since === '') return [];
    const network = name.slice(0, name.search(/-\d/));
    if (seen.has(network)) return [name];
    seen.add(network);
    return [];
  });
}

/** The digits of the folders of four digits that a path ends with. */
function numberFolders(folder: string): string {
  let digits = '';
  for (
    let at = folder;
    NUMBER_FOLDER.test(basename(at)) && digits.length < FOLDER_LEVELS * 4;
    at = dirname(at)
  ) {
    digits = basename(at) + digits;
  }
  return digits;
}
