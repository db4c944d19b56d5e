import type { ContractFunctionResult, TransactionRecord } from '../protobuf/message-types.ts';
import { toBigInt } from '../protobuf/messages.ts';

/** What the EVM told of a transaction; null when it told nothing, also with an empty message. */
export function functionResult({
  contractCallResult,
  contractCreateResult,
}: TransactionRecord): ContractFunctionResult | null {
  const result = contractCreateResult ?? contractCallResult;
  return result === null || isEmpty(result) ? null : result;
}

function isEmpty(result: ContractFunctionResult): boolean {
  if (result.contractID !== null || result.senderId !== null || result.evmAddress !== null) return false;
  const { amount, gas, gasUsed, signerNonce } = result;
  if (signerNonce !== null || [amount, gas, gasUsed].some((each) => toBigInt(each) !== 0n)) return false;
  const { bloom, contractCallResult, contractNonces, createdContractIDs, functionParameters, logInfo } =
    result;
  const lists = [bloom, contractCallResult, contractNonces, createdContractIDs, functionParameters, logInfo];
  return result.errorMessage === '' && lists.every(({ length }) => length === 0);
}
