import type { EntityId } from '../../../values/entity-id.ts';
import { groupBy } from '../../../values/group-by.ts';
import { type BlockGas, blockGas } from '../../evm/block-gas.ts';
import { bloomWith } from '../../evm/bloom.ts';
import { type Receipt, receiptsRoot } from '../../evm/receipts-root.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';

type EvmRows = Pick<LedgerUnit, 'contractLogs' | 'contractResults' | 'ethereumTransactions' | 'transactions'>;

const NO_BYTES = new Uint8Array();

/**
 * What an Ethereum header would say of a unit: gas, log filter and receipts of its contract results, and of the logs
 * that stand for events of tokens.
 *
 * @param evmAddress that was told of an entity
 * @see contracts/mirror-contracts.md sections 9.3 and 11.8
 */
export function unitGas(
  items: readonly DecodedItem[],
  rows: EvmRows,
  evmAddress: (entity: EntityId) => Uint8Array | null,
): BlockGas {
  const results = items.flatMap(({ parentConsensusTimestamp, record }) => {
    const result = record.contractCreateResult ?? record.contractCallResult;
    if (result === null) return [];
    const { bloom, gasUsed } = result;
    const isTopLevel = parentConsensusTimestamp === null || record.scheduleRef !== null;
    return [{ bloom, gasUsed: toBigInt(gasUsed), isTopLevel }];
  });
  const synthetic = rows.contractLogs.flatMap(({ bloom, isSynthetic }) =>
    isSynthetic && bloom !== null ? [bloom] : [],
  );
  const receipts = receiptsOf(rows, evmAddress);
  return { ...blockGas(results, synthetic), receiptsRoot: receiptsRoot(receipts) };
}

/** Of the transactions that are no children and have an index; what their children logged is theirs. */
function receiptsOf(
  { contractLogs, contractResults, ethereumTransactions, transactions }: EvmRows,
  evmAddress: (entity: EntityId) => Uint8Array | null,
): readonly Receipt[] {
  if (contractLogs.length === 0 && contractResults.length === 0) return [];
  const results = new Map(contractResults.map((result) => [result.consensusTimestamp, result]));
  const types = new Map(ethereumTransactions.map(({ consensusTimestamp: at, type }) => [at, type]));
  const standInsAt = groupBy(
    contractLogs.filter(({ isSynthetic }) => isSynthetic),
    ({ consensusTimestamp }) => consensusTimestamp,
  );
  const logsOf = groupBy(
    contractLogs.toSorted((one, other) => one.index - other.index),
    ({ transactionIndex }) => transactionIndex,
  );
  const receipts = new Map<number, Receipt>();
  for (const { consensusTimestamp: at, nonce, scheduled } of transactions) {
    if (nonce !== 0 && !scheduled) continue;
    const result = results.get(at);
    const standIns = standInsAt.get(at) ?? [];
    const index = (result ?? standIns[0])?.transactionIndex ?? null;
    if (index === null || receipts.has(index)) continue;
    receipts.set(index, {
      index,
      type: types.get(at) ?? 0,
      isSuccessful: result === undefined ? null : isSuccess(result.result),
      gasUsed: nonce === 0 ? (result?.gasUsed ?? 0n) : 0n,
      bloom: standIns.reduce(
        // Most have one log, whose filter is theirs.
        (bloom: Uint8Array | null, log) =>
          bloom === null ? log.bloom : bloomWith(bloom, log.bloom ?? NO_BYTES),
        result?.bloom ?? null,
      ),
      logs: (logsOf.get(index) ?? []).map(({ contract, data, topics }) => ({
        address: evmAddress(contract) ?? longZeroOf(contract),
        topics,
        data,
      })),
    });
  }
  return [...receipts.values()];
}
