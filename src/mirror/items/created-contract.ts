import type { EntityId } from '../../values/entity-id.ts';
import type { ContractFunctionResult, TransactionRecord } from '../protobuf/message-types.ts';
import { toBigInt } from '../protobuf/messages.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import type { DecodedItem } from './decoded-item.ts';
import { contractId } from './ledger-ids.ts';

/** The contract that a transaction names as its own creation; null when it names none. */
export function createdContract({ type, record }: DecodedItem): EntityId | null {
  if (type === TYPE.CONTRACTCREATEINSTANCE) return contractId(record.receipt?.contractID ?? null);
  if (type === TYPE.ETHEREUMTRANSACTION && record.contractCreateResult !== null) {
    return (
      contractId(record.contractCreateResult.contractID) ?? contractId(record.receipt?.contractID ?? null)
    );
  }
  return null;
}

/** The contract whose creation is told by the record of the item; null when it is of none. */
export type ContractToldBy = (item: DecodedItem) => EntityId | null;

/**
 * Tells which record of a unit stands for the creation of a contract: that of the child, if an Ethereum transaction has
 * one for it.
 *
 * @see contracts/mirror-contracts.md section 11.3
 */
export function contractsToldIn(items: readonly DecodedItem[]): ContractToldBy {
  let children: ReadonlySet<EntityId | null> | null = null;
  return (item) => {
    const contract = createdContract(item);
    if (contract === null || item.type !== TYPE.ETHEREUMTRANSACTION) return contract;
    children ??= new Set(items.filter(isCreationOfChild).map(createdContract));
    return children.has(contract) ? null : contract;
  };
}

/** Contracts beside the created one that the EVM made, as records list them. */
export function contractsBeside(item: DecodedItem): readonly EntityId[] {
  const { contractCallResult, contractCreateResult } = item.record;
  const ids = (contractCreateResult ?? contractCallResult)?.createdContractIDs ?? [];
  if (ids.length === 0) return [];
  const own = createdContract(item);
  return ids
    .map((id) => contractId(id))
    .filter((id) => id !== null)
    .filter((id) => id !== own);
}

function isCreationOfChild({ parentConsensusTimestamp, result, type }: DecodedItem): boolean {
  return parentConsensusTimestamp !== null && type === TYPE.CONTRACTCREATEINSTANCE && isSuccess(result);
}

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
