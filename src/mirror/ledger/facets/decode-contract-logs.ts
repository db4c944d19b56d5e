import { entityId } from '../../../values/entity-id.ts';
import { evmHash } from '../../items/evm-hash.ts';
import { functionResult } from '../../items/function-result.ts';
import { contractId } from '../../items/ledger-ids.ts';
import { memberBytes } from '../../protobuf/member-bytes.ts';
import type { ContractLog } from './contract-logs.ts';
import { contractOfResult, transactionIndex } from './decode-contract-results.ts';
import type { DecodedUnit, Told } from './facet.ts';
import { syntheticLogs } from './synthetic-logs.ts';

/** Of a contract that is not known. */
const NO_CONTRACT = entityId(0n);

/**
 * Makes a row of every log that contracts wrote, and of every event of a token that a log stands for.
 *
 * @see contracts/mirror-contracts.md sections 11.3 and 11.6
 */
export function decodeContractLogs(unit: DecodedUnit): Told<ContractLog> {
  const written: ContractLog[] = [];
  for (const index of unit.items.keys()) written.push(...writtenLogs(unit, index));
  const synthetic = syntheticLogs(unit, written);
  return { rows: synthetic.length === 0 ? written : [...written, ...synthetic].sort(byTimeAndIndex) };
}

function writtenLogs({ items, resolveAt, transactions }: DecodedUnit, index: number): readonly ContractLog[] {
  const [item, transaction] = [items[index], transactions[index]];
  const result = item === undefined ? null : functionResult(item.record);
  if (item === undefined || transaction === undefined || result === null || result.logInfo.length === 0) {
    return NO_LOGS;
  }
  const resolve = resolveAt(item);
  const rootContract = contractOfResult(item, transaction, result, resolve);
  const hash = evmHash(item);
  return result.logInfo.map(({ bloom, contractID, data, topic }, place) => ({
    consensusTimestamp: item.consensusTimestamp,
    index: place,
    contract: contractId(contractID, resolve) ?? NO_CONTRACT,
    rootContract,
    payer: transaction.payer,
    transactionIndex: transactionIndex(item, index),
    hash,
    bloom: memberBytes(bloom),
    data: memberBytes(data),
    topics: topic.map(memberBytes),
    isSynthetic: false,
  }));
}

function byTimeAndIndex(one: ContractLog, other: ContractLog): number {
  if (one.consensusTimestamp === other.consensusTimestamp) return one.index - other.index;
  return one.consensusTimestamp < other.consensusTimestamp ? -1 : 1;
}

const NO_LOGS: readonly ContractLog[] = [];
