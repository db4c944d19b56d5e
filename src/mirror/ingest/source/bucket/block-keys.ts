/** A folder at the top of a bucket that holds the blocks of a network since one of its resets. */
export interface NetworkFolder {
  /** With a slash at its end. */
  readonly folder: string;
  /** When the network began anew, as 14 digits; empty for a network that never does. */
  readonly since: string;
}

const NUMBER_DIGITS = 19;
const LEAF_DIGITS = 3;
/** A network, and when it began: twelve digits, or an instant. */
const NETWORK =
  /^(?<network>[a-z][a-z\d]*(?:-[a-z][a-z\d]*)*)(?:-(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)T?(?<hour>\d\d)[:_-]?(?<minute>\d\d)(?:[:_-]?(?<second>\d\d)(?:\.\d+)?)?Z?)?$/;
const BLOCK = /^(\d{1,3})\.(blk(?:\.(?:gz|zstd?))?)$/;

/** Levels of folders above the block files. */
export const BLOCK_LEVELS = 4;

/** A folder of four digits, the first level above block files. */
export function isNumberFolder(name: string): boolean {
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
