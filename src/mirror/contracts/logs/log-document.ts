import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { printIdOrNull } from '../../../values/entity-id.ts';
import { toHex } from '../../../values/hex.ts';
import type { BlockHead } from '../../blocks/block-repository.ts';
import { wordOfHex } from '../../evm/quantities.ts';
import type { ExactJson } from '../../ledger/exact-json.ts';
import type { StoredLog } from './contract-log-repository.ts';

/** What a log shows in every answer. */
export type LogMembers = {
  readonly [Name in 'address' | 'bloom' | 'contract_id' | 'data' | 'index' | 'topics']: ExactJson;
};

/** The members that a log has in a result too. @see contracts/mirror-contracts.md sections 4.1 and 6 */
export function logMembers(log: StoredLog, address: string | null): LogMembers {
  return {
    address,
    bloom: log.bloom === null ? '0x' : toHex(log.bloom),
    contract_id: printIdOrNull(log.contract),
    data: log.data === null || log.data === '0x' ? '0x' : wordOfHex(log.data),
    index: log.index,
    topics: log.topics.flatMap((topic) => (topic === null ? [] : [wordOfHex(topic)])),
  };
}

/** One item of a list of logs. @param block that has it, null when it is not stored */
export function logDocument(
  log: StoredLog,
  address: string | null,
  block: BlockHead | null,
): Readonly<Record<string, ExactJson>> {
  // A spread of so many members takes ten times as long.
  return Object.assign(logMembers(log, address), {
    block_hash: block === null ? '0x' : toHex(block.hash),
    block_number: block?.number ?? null,
    root_contract_id: printIdOrNull(log.rootContract),
    timestamp: printTimestamp(log.consensusTimestamp),
    transaction_hash: log.hash ?? '0x',
    transaction_index: log.transactionIndex,
  });
}
