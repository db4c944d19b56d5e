import { BLOOM_BYTES, bloomOf, orInto } from '../../evm/bloom.ts';
import { messages } from '../../protobuf/messages.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityKey, readEntity, word } from './entity-bytes.ts';
import { EVM_RESULT } from './field-numbers.ts';
import type { GroupState } from './group-state.ts';

const RESULT = messages.ContractFunctionResult.fields;
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
interface ContractRun {
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
    .delimited(RESULT.contractID, contract)
    .delimited(RESULT.contractCallResult, rawField(result, EVM_RESULT.resultData))
    .delimited(RESULT.errorMessage, rawField(result, EVM_RESULT.errorMessage))
    .delimited(RESULT.bloom, joinBlooms(logs.map(({ bloom }) => bloom)))
    .rawVarint(RESULT.gasUsed, rawVarintField(result, EVM_RESULT.gasUsed));
  for (const { bytes } of logs) writer.delimited(RESULT.logInfo, bytes);
  const alias = run.created === null ? null : (state.accounts.get(entityKey(run.created))?.alias ?? null);
  writer
    .delimited(RESULT.evmAddress, alias === null ? null : wrapped(alias))
    .rawVarint(RESULT.gas, asked.gas)
    .rawVarint(RESULT.amount, asked.amount)
    .delimited(RESULT.functionParameters, asked.parameters)
    .delimited(RESULT.senderId, rawField(result, EVM_RESULT.sender));
  for (const nonce of contractNonces(run, state)) writer.delimited(RESULT.contractNonces, nonce);
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

/** A log that a contract wrote. */
interface ContractLog {
  /** Serialized `ContractID`. */
  readonly contract: Uint8Array;
  readonly data: Uint8Array;
  /** 32 bytes each. */
  readonly topics: readonly Uint8Array[];
}

/** In `EvmTransactionLog`. */
const LOG = { contract: 1, data: 2, topic: 3 };
/** In `ContractLoginfo`. */
const LOG_INFO = { contract: 1, bloom: 2, topic: 3, data: 4 };
const ADDRESS_LENGTH = 20;
const EMPTY = new Uint8Array();

/** Reads a serialized `EvmTransactionLog`, whose topics have no leading zeros. */
function readLog(bytes: Uint8Array): ContractLog {
  let [contract, data]: Uint8Array[] = [EMPTY, EMPTY];
  const topics: Uint8Array[] = [];
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === LOG.contract) contract = walk.bytes;
    else if (walk.number === LOG.data) data = walk.bytes;
    else if (walk.number === LOG.topic) topics.push(word(walk.bytes));
  }
  return { contract: contract ?? EMPTY, data: data ?? EMPTY, topics };
}

/** The serialized `ContractLoginfo` of a log, and its bloom filter. */
function logInfo(
  log: ContractLog,
  address: Uint8Array,
): { readonly bytes: Uint8Array; readonly bloom: Uint8Array } {
  const bloom = bloomOf(address, log.topics);
  const writer = new WireWriter().delimited(LOG_INFO.contract, log.contract).delimited(LOG_INFO.bloom, bloom);
  for (const topic of log.topics) writer.delimited(LOG_INFO.topic, topic);
  return { bytes: writer.delimited(LOG_INFO.data, log.data.length === 0 ? null : log.data).finish(), bloom };
}

/** All bits of several filters; null without any. */
function joinBlooms(blooms: readonly Uint8Array[]): Uint8Array | null {
  if (blooms.length === 0) return null;
  const joined = new Uint8Array(BLOOM_BYTES);
  for (const bloom of blooms) orInto(joined, bloom);
  return joined;
}

/** The address of a contract whose alias is not known. */
function addressOfContract(contract: Uint8Array): Uint8Array {
  const { alias, number } = readEntity(contract);
  return alias?.length === ADDRESS_LENGTH ? alias : longZeroOf(number);
}
