import { type EntityId, entityId } from '../../../values/entity-id.ts';
import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import { gasConsumed } from '../../evm/gas-consumed.ts';
import { functionResult } from '../../items/created-contract.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { evmHash } from '../../items/evm-hash.ts';
import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { SidecarRecord } from '../../items/sidecar-record.ts';
import type { AccountId, ContractFunctionResult } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { memberBytes } from '../../protobuf/wire.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { LedgerTransaction } from '../rows.ts';
import type { ContractResult } from './contract-results.ts';
import type { DecodedUnit, FacetOutput } from './facet.ts';

type Asked = Pick<ContractResult, 'amount' | 'functionParameters' | 'gasLimit'>;
type Ran = Pick<
  ContractResult,
  'bloom' | 'callResult' | 'createdContracts' | 'errorMessage' | 'gasUsed' | 'sender' | 'senderAlias'
>;

/** Of a contract that is not known. */
export const NO_CONTRACT = entityId(0n);
const NOTHING_ASKED: Asked = { amount: null, functionParameters: null, gasLimit: 0n };
const ADDRESS_LENGTH = 20;
const NO_BYTES = new Uint8Array();

/**
 * Makes a row of every transaction that the EVM ran, or was to run; also of those that failed.
 *
 * @see contracts/mirror-contracts.md section 11.1
 */
export function decodeContractResults({
  evm,
  isSuccessful,
  items,
  resolveAt,
  sidecars,
  transactions,
  version,
}: DecodedUnit): FacetOutput<ContractResult> {
  const rows: ContractResult[] = [];
  // Networks charge what was used since then.
  const isConsumedUsed = !version.isBefore(0, 69);
  for (const [index, item] of items.entries()) {
    const result = functionResult(item.record);
    const transaction = transactions[index];
    // Most transactions have nothing to do with contracts.
    if (transaction === undefined || (result === null && !ASKS_FOR_RUN.has(item.type))) continue;
    const success = isSuccessful(item);
    const asked =
      result === null && !isCallOrCreation(item) ? askedInVain(item, success) : askedOf(item, result);
    if (asked === null) continue;
    const facts = runFacts(sidecars.get(item.consensusTimestamp) ?? []);
    const resolve = resolveAt(item);
    const told = {
      consensusTimestamp: item.consensusTimestamp,
      payer: transaction.payer,
      nonce: transaction.nonce,
      result: item.result,
      contract: contractOfResult(item, transaction, result, resolve) ?? NO_CONTRACT,
      transactionIndex: evm.indexes[index] ?? null,
      hash: evmHash(item),
      failedInitcode: success ? null : (initcodeOfBody(item) ?? facts?.initcode ?? null),
      hasRun: result !== null,
    };
    const ran = ranAs(item, transaction, result, resolve);
    const gasConsumed = isConsumedUsed ? ran.gasUsed : facts === null ? null : gasOfRun(facts, asked);
    // A spread of so many members takes ten times as long.
    rows.push(Object.assign(told, asked, ran, { gasConsumed }));
  }
  return { rows };
}

/** Parameters are sent where no creation code is known. */
function gasOfRun({ gasUsed, initcode, isCreation }: RunFacts, { functionParameters }: Asked): bigint | null {
  return gasConsumed(gasUsed, initcode ?? functionParameters ?? NO_BYTES, isCreation);
}

/** The contract that a result is of; null when it is not known. */
export function contractOfResult(
  item: DecodedItem,
  { entityId: entity }: LedgerTransaction,
  result: ContractFunctionResult | null,
  resolve: ResolveAlias,
): EntityId | null {
  return isCallOrCreation(item) ? entity : contractId(result?.contractID ?? null, resolve);
}

/** Types that ask the EVM to run. */
export const ASKS_FOR_RUN: ReadonlySet<number> = new Set([
  TYPE.CONTRACTCALL,
  TYPE.CONTRACTCREATEINSTANCE,
  TYPE.ETHEREUMTRANSACTION,
]);

function isCallOrCreation({ type }: DecodedItem): boolean {
  return type === TYPE.CONTRACTCALL || type === TYPE.CONTRACTCREATEINSTANCE;
}

/** Bodies say it, or the result, which did not in early networks. */
function askedOf({ body }: DecodedItem, result: ContractFunctionResult | null): Asked {
  const { contractCall: call, contractCreateInstance: create } = body;
  if (call !== null) {
    return {
      amount: toBigInt(call.amount),
      functionParameters: memberBytes(call.functionParameters),
      gasLimit: toBigInt(call.gas),
    };
  }
  if (create !== null) {
    return {
      amount: toBigInt(create.initialBalance),
      functionParameters: memberBytes(create.constructorParameters),
      gasLimit: toBigInt(create.gas),
    };
  }
  if (result === null) return NOTHING_ASKED;
  return {
    amount: toBigInt(result.amount),
    functionParameters: memberBytes(result.functionParameters),
    gasLimit: toBigInt(result.gas),
  };
}

/** Of an Ethereum transaction that failed before the EVM saw it; null when it gives no row. */
function askedInVain({ body, result }: DecodedItem, success: boolean): Asked | null {
  if (success || result === RESULT.WRONG_NONCE || result === RESULT.DUPLICATE_TRANSACTION) return null;
  const sent = decodeEthereumTransaction(body.ethereumTransaction?.ethereumData ?? new Uint8Array());
  if (sent === null) return null;
  return { amount: null, functionParameters: memberBytes(sent.callData), gasLimit: sent.gasLimit };
}

function ranAs(
  item: DecodedItem,
  { payer }: LedgerTransaction,
  result: ContractFunctionResult | null,
  resolve: ResolveAlias,
): Ran {
  if (result === null) {
    const isDefault = item.type === TYPE.ETHEREUMTRANSACTION;
    return {
      bloom: null,
      callResult: isDefault ? new Uint8Array() : null,
      createdContracts: [],
      errorMessage: null,
      gasUsed: isDefault ? 0n : null,
      sender: payer,
      senderAlias: null,
    };
  }
  const created = result.createdContractIDs.map((id) => contractId(id, resolve)).filter((id) => id !== null);
  const { sender, senderAlias } = senderOf(result.senderId, payer, resolve);
  return {
    bloom: memberBytes(result.bloom),
    callResult: memberBytes(result.contractCallResult),
    createdContracts: [...new Set(created)],
    errorMessage: result.errorMessage,
    gasUsed: BigInt.asIntN(64, toBigInt(result.gasUsed)),
    sender,
    senderAlias,
  };
}

function senderOf(
  told: AccountId | null,
  payer: EntityId,
  resolve: ResolveAlias,
): Pick<ContractResult, 'sender' | 'senderAlias'> {
  if (told === null) return { sender: payer, senderAlias: null };
  const sender = accountId(told, resolve);
  const isAddress = sender === null && told.account === 'alias' && told.alias.length === ADDRESS_LENGTH;
  return { sender, senderAlias: isAddress ? memberBytes(told.alias) : null };
}

function initcodeOfBody({ body: { contractCreateInstance: create } }: DecodedItem): Uint8Array | null {
  return create === null || create.initcode.length === 0 ? null : memberBytes(create.initcode);
}

/** What sidecars tell of the run of a transaction. */
interface RunFacts {
  /** Code that was to become a contract; null when nothing was created. */
  readonly initcode: Uint8Array | null;
  readonly isCreation: boolean;
  /** Of the call that the transaction is; null without a trace. */
  readonly gasUsed: bigint | null;
}

/** Of the enumeration ContractActionType. */
const CREATE = 2;

/** Finds it in the records of one time; null without any. */
function runFacts(records: readonly SidecarRecord[]): RunFacts | null {
  if (records.length === 0) return null;
  const top = records.flatMap(({ actions }) => actions).findLast(({ callDepth }) => callDepth === 0);
  const code = records.findLast((record) => record.code !== null && !record.isMigration)?.code ?? null;
  const initcode = code?.creationCode ?? null;
  return {
    initcode,
    isCreation: top?.callType === CREATE || initcode !== null,
    gasUsed: top === undefined ? null : toBigInt(top.gasUsed),
  };
}
