import type { UnitGas } from '../../ledger/rows.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import type { DecodedItem } from './decoded-item.ts';

/**
 * Gas and log filter of the contract calls that clients sent; those of their children are inside.
 *
 * @see contracts/mirror-roadmap.md, blocks
 */
export function unitGas(items: readonly DecodedItem[]): UnitGas {
  let used = 0n;
  let bloom: Uint8Array | null = null;
  for (const { parentConsensusTimestamp, record } of items) {
    const result = record.contractCreateResult ?? record.contractCallResult;
    if (result === null || parentConsensusTimestamp !== null) continue;
    used += toBigInt(result.gasUsed);
    if (result.bloom.length > 0) bloom = united(bloom, result.bloom);
  }
  return { used: BigInt.asIntN(64, used), bloom };
}

function united(left: Uint8Array | null, right: Uint8Array): Uint8Array {
  return left === null
    ? Uint8Array.from(right)
    : Uint8Array.from(right, (byte, index) => byte | (left[index] ?? 0));
}
