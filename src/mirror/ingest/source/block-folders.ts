import { basename, dirname } from 'node:path';
import type { TreeEntry } from './file-tree.ts';

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
export function blockNumberOf(folder: string, digits: string): bigint {
  const above = digits.length === LEAF_DIGITS ? numberFolders(folder) : '';
  return BigInt(above.length === FOLDER_LEVELS * 4 ? above + digits : digits);
}

/**
 * Folders of a listing that are not entered: those of a network before its last reset, and, where the past is skipped,
 * numbers below the last stored block. The greatest number is entered nevertheless: it shows a reset.
 */
export function pastFolders(
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
