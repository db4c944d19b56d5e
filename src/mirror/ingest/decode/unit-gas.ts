import { type BlockGas, blockGas } from '../../evm/block-gas.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import type { ContractLog } from '../../ledger/facets/contract-logs.ts';
import { toBigInt } from '../../protobuf/messages.ts';

/**
 * Gas and log filter of a unit: of its contract results, and of the logs that stand for events of tokens.
 *
 * @see contracts/mirror-contracts.md section 9.3
 */
export function unitGas(items: readonly DecodedItem[], logs: readonly ContractLog[]): BlockGas {
  const results = items.flatMap(({ parentConsensusTimestamp, record }) => {
    const result = record.contractCreateResult ?? record.contractCallResult;
    if (result === null) return [];
    const { bloom, gasUsed } = result;
    const isTopLevel = parentConsensusTimestamp === null || record.scheduleRef !== null;
    return [{ bloom, gasUsed: toBigInt(gasUsed), isTopLevel }];
  });
  const synthetic = logs.flatMap(({ bloom, isSynthetic }) => (isSynthetic && bloom !== null ? [bloom] : []));
  return blockGas(results, synthetic);
}
