import type { NodeName } from '../record-file/unit-files.ts';

/** A block as a place has it: one copy of its bytes. */
export interface BlockSource {
  /** Without folders. */
  readonly name: string;
  /** With folders or the address of the node, for people. */
  readonly path: string;
  /** Who made the copy; null where nobody knows. */
  readonly node: NodeName | null;
  /** That its name tells; null when it tells none. */
  readonly number: bigint | null;
  /** As it came: plain, gzip or zstd. */
  readonly bytes: Uint8Array;
}

const NUMBER_DIGITS = 19;
const EXTENSION = /\.blk(?:\.gz|\.zstd?)?$/;

/** As networks name a block. @see contracts/mirror-contracts.md section 9.3 */
export function blockFileName(number: bigint, extension = '.blk'): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}${extension}`;
}

/** Of a file of a block, whatever digits are before it. */
export function extensionOf(name: string): string {
  return EXTENSION.exec(name)?.[0] ?? '.blk';
}
