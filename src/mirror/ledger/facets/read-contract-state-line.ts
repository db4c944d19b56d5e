import { trimmed } from '../../evm/bytes.ts';
import { type FixtureObject, idIn, required } from '../../items/fixture-members.ts';
import type { ContractStateChange } from './contract-storage.ts';
import type { FixtureContext, Told } from './facet.ts';
import { transactionOfLine, word } from './transaction-of-line.ts';

/**
 * Reads what a transaction wrote in a slot: the object of the state of a contract, with `value_read` for what was
 * there before (by default zero).
 *
 * @see contracts/mirror-contracts.md section 7
 */
export function readContractStateLine(
  row: FixtureObject,
  context: FixtureContext,
): Told<ContractStateChange> {
  const { transaction } = transactionOfLine(row, 'transaction_hash', context);
  const change: ContractStateChange = {
    contract: required(row, 'contract_id', idIn(context.home)),
    slot: required(row, 'slot', word),
    consensusTimestamp: transaction.consensusTimestamp,
    valueRead: trimmed(word(row, 'value_read') ?? new Uint8Array()),
    valueWritten: trimmed(required(row, 'value', word)),
    isMigration: false,
  };
  return { rows: [change] };
}
