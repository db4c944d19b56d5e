import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { addressOfContract, joinBlooms, logInfo, readLog } from './contract-logs.ts';
import { entityKey } from './entity-bytes.ts';
import { EVM_RESULT } from './field-numbers.ts';
import type { GroupState } from './group-state.ts';

/** In `ContractFunctionResult`. */
const RESULT = {
  contract: 1,
  data: 2,
  errorMessage: 3,
  bloom: 4,
  gasUsed: 5,
  log: 6,
  evmAddress: 9,
  gas: 10,
  amount: 11,
  parameters: 12,
  sender: 13,
  contractNonce: 14,
  signerNonce: 15,
};
/** Where bodies say what a contract was called with. */
const ASKED = new Map([
  [TYPE.CONTRACTCALL as number, { gas: 2, amount: 3, parameters: 4 }],
  [TYPE.CONTRACTCREATEINSTANCE, { gas: 4, amount: 5, parameters: 9 }],
]);
/** In `InternalCallContext`. */
const CALL_CONTEXT = { gas: 1, amount: 2, parameters: 3 };
const WRAPPED_VALUE = 1;
/** In `ContractNonceInfo`. */
const NONCE = { contract: 1, nonce: 2 };

/** What a contract result is made of. */
export interface ContractRun {
  /** Serialized `EvmTransactionResult`. */
  readonly result: Uint8Array;
  /** Of the transaction. */
  readonly type: number;
  /** Its own part of the body. */
  readonly data: Uint8Array;
  /** Serialized `EvmTransactionLog`. */
  readonly logs: readonly Uint8Array[];
  /** Serialized `ContractID` of the contract that it created; null when it created none. */
  readonly created: Uint8Array | null;
  /** Whether nothing called it: nonces are told once. */
  readonly isOutermost: boolean;
}

/** Serializes the `ContractFunctionResult` that a record would have. @see contracts/streams.md section 9.7 */
export function contractResult(run: ContractRun, state: GroupState): Uint8Array {
  const { result } = run;
  const addressOf = (contract: Uint8Array) =>
    state.accounts.get(entityKey(contract))?.alias ?? addressOfContract(contract);
  const logs = run.logs.map(readLog).map((log) => logInfo(log, addressOf(log.contract)));
  const contract = rawField(result, EVM_RESULT.contract) ?? run.created;
  const asked = askedOf(run);
  const writer = new WireWriter()
    .delimited(RESULT.contract, contract)
    .delimited(RESULT.data, rawField(result, EVM_RESULT.resultData))
    .delimited(RESULT.errorMessage, rawField(result, EVM_RESULT.errorMessage))
    .delimited(RESULT.bloom, joinBlooms(logs.map(({ bloom }) => bloom)))
    .rawVarint(RESULT.gasUsed, rawVarintField(result, EVM_RESULT.gasUsed));
  for (const { bytes } of logs) writer.delimited(RESULT.log, bytes);
  const alias = run.created === null ? null : (state.accounts.get(entityKey(run.created))?.alias ?? null);
  writer
    .delimited(RESULT.evmAddress, alias === null ? null : wrapped(alias))
    .rawVarint(RESULT.gas, asked.gas)
    .rawVarint(RESULT.amount, asked.amount)
    .delimited(RESULT.parameters, asked.parameters)
    .delimited(RESULT.sender, rawField(result, EVM_RESULT.sender));
  for (const nonce of contractNonces(run, state)) writer.delimited(RESULT.contractNonce, nonce);
  return writer.delimited(RESULT.signerNonce, signerNonce(run, state)).finish();
}

/** The context of an internal call wins over the body, which names what the client sent. */
function askedOf({ data, result, type }: ContractRun) {
  const context = rawField(result, EVM_RESULT.callContext);
  const fields = context === null ? ASKED.get(type) : CALL_CONTEXT;
  const from = context ?? data;
  if (fields === undefined) return { gas: null, amount: null, parameters: null };
  return {
    gas: rawVarintField(from, fields.gas),
    amount: rawVarintField(from, fields.amount),
    parameters: rawField(from, fields.parameters),
  };
}

/** Those of the result; in blocks of releases that do not tell them, those that the state has afterwards. */
function contractNonces({ isOutermost, result }: ContractRun, state: GroupState): readonly Uint8Array[] {
  const told: Uint8Array[] = [];
  for (const walk = new FieldWalk(result); walk.next(); ) {
    if (walk.number === EVM_RESULT.contractNonces) told.push(walk.bytes);
  }
  if (told.length > 0 || !isOutermost) return told;
  return [...state.accounts.values()]
    .filter(({ isContract, nonce }) => isContract && nonce > 0n)
    .map(({ id, nonce }) =>
      // An AccountID with a number has the bytes of a ContractID with that number.
      new WireWriter().delimited(NONCE.contract, id).varint(NONCE.nonce, nonce).finish(),
    );
}

function signerNonce({ isOutermost, result, type }: ContractRun, state: GroupState): Uint8Array | null {
  const told = rawField(result, EVM_RESULT.signerNonce);
  if (told !== null || type !== TYPE.ETHEREUMTRANSACTION || !isOutermost) return told;
  const sender = rawField(result, EVM_RESULT.sender);
  const account = sender === null ? undefined : state.accounts.get(entityKey(sender));
  return account === undefined ? null : new WireWriter().varint(WRAPPED_VALUE, account.nonce).finish();
}

function wrapped(bytes: Uint8Array): Uint8Array {
  return new WireWriter().delimited(WRAPPED_VALUE, bytes).finish();
}

function rawVarintField(bytes: Uint8Array, field: number): Uint8Array | null {
  let value: Uint8Array | null = null;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === field && walk.wireType === 0) value = walk.bytes;
  }
  return value;
}
