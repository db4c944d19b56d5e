import type { DecodedItem } from '../../items/decoded-item.ts';
import type { UnitGas } from '../../ledger/rows.ts';
import { toBigInt } from '../../protobuf/messages.ts';

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
    if (result.bloom.length === 0) continue;
    bloom ??= new Uint8Array(result.bloom.length);
    for (let index = 0; index < bloom.length; index++)
      bloom[index] = (bloom[index] ?? 0) | (result.bloom[index] ?? 0);
  }
  return { used: BigInt.asIntN(64, used), bloom };
}
