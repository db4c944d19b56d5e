const NUMBER_DIGITS = 19;
const LEAF_DIGITS = 3;
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
