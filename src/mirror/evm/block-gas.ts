import { atMostInt64 } from '../../values/int64.ts';
import { BLOOM_BYTES, orInto } from './bloom.ts';

/** A contract result, as far as its block counts it. */
interface CountedResult {
  readonly gasUsed: bigint;
  /** Empty without logs. */
  readonly bloom: Uint8Array;
  /** Whether it has no parent, or was scheduled: the gas and the logs of other children are inside their parents'. */
  readonly isTopLevel: boolean;
}

/** What an Ethereum header says of a block. */
export interface BlockGas {
  readonly used: bigint;
  /** 256 bytes; null without contract results and synthetic logs. */
  readonly bloom: Uint8Array | null;
  /** 32 bytes, all zero without receipts; null when it is not known. */
  readonly receiptsRoot: Uint8Array | null;
}

/**
 * Adds up the contract results of a block.
 *
 * @param syntheticBlooms those of logs that stand for events of tokens
 * @see contracts/mirror-contracts.md section 9.3
 */
export function blockGas(
  results: readonly CountedResult[],
  syntheticBlooms: readonly Uint8Array[],
): Pick<BlockGas, 'bloom' | 'used'> {
  const counted = results.filter(({ isTopLevel }) => isTopLevel);
  const used = atMostInt64(counted.reduce((sum, { gasUsed }) => sum + gasUsed, 0n));
  const blooms = [...counted.map(({ bloom }) => bloom), ...syntheticBlooms];
  if (blooms.length === 0) return { used, bloom: null };
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const each of blooms) orInto(bloom, each);
  return { used, bloom };
}
