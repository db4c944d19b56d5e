import type { UnitHeader } from '../rows.ts';

/** The newest record file or block. */
export interface ChainLink {
  readonly version: number;
  /** Null when it is not known. */
  readonly blockNumber: bigint | null;
  readonly hash: Uint8Array;
}

/** The numbers of units, in their order; null for a fixture, which is no link of the chain. */
export interface BlockNumbers {
  readonly numbers: readonly (bigint | null)[];
  /** By how much record files without a number of their own that are stored already move along. */
  readonly shift: bigint;
}

/** The first version of record files that carry their number. */
const FIRST_NUMBERED_VERSION = 6;

/**
 * Numbers units: files before version 6 carry no number; they count on from 0, and move along when the first one
 * with a number tells another.
 *
 * @param newest the link before the first unit; null in an empty ledger
 * @see contracts/streams.md section 11, row Block number
 */
export function numberBlocks(newest: ChainLink | null, headers: readonly UnitHeader[]): BlockNumbers {
  const numbers: (bigint | null)[] = [];
  let last: Pick<ChainLink, 'version' | 'blockNumber'> | null = newest;
  let shift = 0n;
  for (const [index, { blockNumber, kind, version }] of headers.entries()) {
    if (kind === 'fixture') {
      numbers.push(null);
      continue;
    }
    const expected = last === null ? 0n : last.blockNumber === null ? null : last.blockNumber + 1n;
    const isFirstNumbered = last !== null && last.version < FIRST_NUMBERED_VERSION;
    if (blockNumber !== null && isFirstNumbered && expected !== null) {
      const by = blockNumber - expected;
      shift += by;
      for (let before = 0; before < index; before++) {
        const number = numbers[before] ?? null;
        if (number !== null && isCounted(headers[before])) numbers[before] = number + by;
      }
    }
    numbers.push(blockNumber ?? expected);
    last = { version, blockNumber: blockNumber ?? expected };
  }
  return { numbers, shift };
}

function isCounted(header: UnitHeader | undefined): boolean {
  return header?.kind === 'record' && header.version < FIRST_NUMBERED_VERSION;
}
