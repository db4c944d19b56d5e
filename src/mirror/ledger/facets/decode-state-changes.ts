import { trimmed } from '../../evm/bytes.ts';
import { contractId } from '../../items/ledger-ids.ts';
import { memberBytes } from '../../protobuf/member-bytes.ts';
import type { ContractStateChange } from './contract-storage.ts';
import { isHookContract } from './decode-hook-runs.ts';
import type { DecodedUnit, Told } from './facet.ts';

/**
 * Makes a row of each slot that a unit's transactions read or wrote.
 *
 * @see contracts/mirror-contracts.md section 11.5
 */
export function decodeStateChanges({ items, resolveAt, sidecars }: DecodedUnit): Told<ContractStateChange> {
  const rows: ContractStateChange[] = [];
  if (sidecars.size === 0) return { rows };
  for (const item of items) {
    const { consensusTimestamp } = item;
    for (const { isMigration, stateChanges } of sidecars.get(consensusTimestamp) ?? []) {
      for (const { contractId: id, storageChanges } of stateChanges) {
        const contract = contractId(id, resolveAt(item));
        if (contract === null) continue;
        // What hooks store is theirs, not that of the contract that they run as.
        const leavesState = isHookContract(contract) ? { leavesState: false } : {};
        for (const { slot, valueRead, valueWritten } of storageChanges) {
          rows.push({
            contract,
            slot: memberBytes(slot),
            consensusTimestamp,
            valueRead: value(valueRead),
            valueWritten: valueWritten === null ? null : value(valueWritten.value),
            isMigration,
            ...leavesState,
          });
        }
      }
    }
  }
  return { rows };
}

/** Files have values with and without zeros in front. */
function value(given: ArrayLike<number>): Uint8Array {
  return trimmed(memberBytes(given));
}
