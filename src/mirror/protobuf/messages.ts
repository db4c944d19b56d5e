import { readFileSync } from 'node:fs';
import Long from 'long';
import protobuf from 'protobufjs';
import { ownFile } from '../../own-files.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type {
  ContractBytecode,
  ContractFunctionResult,
  CurrentAndNextFeeSchedule,
  ExchangeRateSet,
  HookId,
  Key,
  NodeAddressBook,
  SidecarFile,
  SignatureFile,
  SignedTransaction,
  SimpleFeeSchedule,
  Timestamp,
  Transaction,
  TransactionBody,
  TransactionId,
  TransactionReceipt,
  TransactionRecord,
} from './message-types.ts';

/** A value as protobuf knows it; encoding takes bigint for every 64-bit member. */
export type MessageValue =
  | bigint
  | number
  | string
  | boolean
  | Uint8Array
  | Long
  | null
  | undefined
  | readonly MessageValue[]
  | MessageObject;

/** Members by their camelCase names; absent ones have the protobuf default. */
export interface MessageObject {
  readonly [member: string]: MessageValue;
}

/** One message of the descriptor. */
interface MessageType<T> {
  /** Full name, `proto.TransactionBody`. */
  readonly name: string;
  /** Numbers of its members. */
  readonly fields: { readonly [Member in keyof T]: number };
  /**
   * Reads a message; unknown fields are dropped, 64-bit members are `Long` (see {@link toBigInt}).
   *
   * @throws LedgerlensError `malformed` when the bytes are no such message.
   */
  decode(bytes: Uint8Array): T;
  /**
   * The same as plain data: 64-bit members are bigint, enumerations numbers, unset members absent.
   *
   * @throws LedgerlensError `malformed` when the bytes are no such message.
   */
  decodePlain(bytes: Uint8Array): MessageObject;
  encode(message: MessageObject): Uint8Array;
}

const root = protobuf.Root.fromJSON(
  JSON.parse(readFileSync(ownFile('mirror/protobuf/descriptor.json'), 'utf8')),
).resolveAll();
makeMessageClasses(root);

/** Finds any message of the descriptor by its full name. */
export function messageType<T>(name: string): MessageType<T> {
  const type = root.lookupType(name);
  const guarded = <R>(read: () => R): R => {
    try {
      return read();
    } catch (cause) {
      throw new LedgerlensError('malformed', `not a ${name} message`, { cause });
    }
  };
  const numbers = type.fieldsArray.map((field) => [field.name, field.id]);
  return {
    name,
    fields: Object.fromEntries(numbers) as MessageType<T>['fields'],
    decode: (bytes) => guarded(() => type.decode(bytes) as unknown as T),
    decodePlain: (bytes) =>
      guarded(() => type.toObject(type.decode(bytes), { longs: BigInt, enums: Number }) as MessageObject),
    encode: (message) => type.encode(type.fromObject(toProtobuf(message) as object)).finish(),
  };
}

/** The messages that ingestion and fee estimates read most. */
export const messages = {
  Transaction: messageType<Transaction>('proto.Transaction'),
  SignedTransaction: messageType<SignedTransaction>('proto.SignedTransaction'),
  TransactionBody: messageType<TransactionBody>('proto.TransactionBody'),
  TransactionReceipt: messageType<TransactionReceipt>('proto.TransactionReceipt'),
  TransactionRecord: messageType<TransactionRecord>('proto.TransactionRecord'),
  ContractBytecode: messageType<ContractBytecode>('proto.ContractBytecode'),
  ContractFunctionResult: messageType<ContractFunctionResult>('proto.ContractFunctionResult'),
  SidecarFile: messageType<SidecarFile>('proto.SidecarFile'),
  SignatureFile: messageType<SignatureFile>('proto.SignatureFile'),
  NodeAddressBook: messageType<NodeAddressBook>('proto.NodeAddressBook'),
  ExchangeRateSet: messageType<ExchangeRateSet>('proto.ExchangeRateSet'),
  CurrentAndNextFeeSchedule: messageType<CurrentAndNextFeeSchedule>('proto.CurrentAndNextFeeSchedule'),
  HookId: messageType<HookId>('proto.HookId'),
  Key: messageType<Key>('proto.Key'),
  Timestamp: messageType<Timestamp>('proto.Timestamp'),
  TransactionID: messageType<TransactionId>('proto.TransactionID'),
  /** File 113. @see contracts/fees-estimate.md section 9.2 */
  SimpleFeeSchedule: messageType<SimpleFeeSchedule>('org.hiero.hapi.fees.FeeSchedule'),
} as const;

/** Numbers of an enumeration by name, for example `proto.HederaFunctionality`. */
export function enumNumbers(name: string): Readonly<Record<string, number>> {
  return root.lookupEnum(name).values;
}

/** Numbers of the members of a oneof by name, for example `data` of `proto.TransactionBody`. */
export function oneofNumbers(message: string, oneof: string): Readonly<Record<string, number>> {
  const members = root.lookupType(message).oneofs[oneof]?.fieldsArray ?? [];
  return Object.fromEntries(members.map(({ id, name }) => [name, id]));
}

/** A 64-bit member as bigint, with the sign that its type has. */
export function toBigInt(long: Long | number): bigint {
  if (typeof long === 'number') return BigInt(long);
  const low = long.low >>> 0;
  if (long.high === 0) return BigInt(low);
  const high = long.unsigned ? long.high >>> 0 : long.high;
  return (BigInt(high) << 32n) | BigInt(low);
}

function toProtobuf(value: MessageValue): unknown {
  if (typeof value === 'bigint') return Long.fromBigInt(value, value > 0x7fff_ffff_ffff_ffffn);
  if (Array.isArray(value)) return value.map(toProtobuf);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || Long.isLong(value)) {
    return value;
  }
  // A loop, because the entries of every message of a generated ledger pass here.
  const members: Record<string, unknown> = {};
  for (const name in value) {
    const member = (value as MessageObject)[name];
    if (member !== undefined) members[name] = toProtobuf(member);
  }
  return members;
}

/** A decoded message; which member of a oneof is set lies under a symbol. */
type Message = Record<string | symbol, unknown>;

/**
 * Makes the classes of a descriptor's messages, which remember the member of a oneof that is set.
 *
 * Those of the library find it by the keys of the message at every look, and delete all other members when one is
 * decoded: seventy for a transaction.
 */
function makeMessageClasses(root: protobuf.NamespaceBase): void {
  const { util } = protobuf;
  const { oneOfGetter, oneOfSetter } = util;
  const symbols = new Map<readonly string[], symbol>();
  util.oneOfGetter = (members) => {
    const find = oneOfGetter(members);
    const current = Symbol('current');
    symbols.set(members, current);
    // Messages that were made and not decoded never pass the setter.
    return function (this: Message) {
      return (this[current] ?? find.call(this)) as string | undefined;
    };
  };
  util.oneOfSetter = (members) => {
    const current = symbols.get(members) ?? Symbol('current');
    return function (this: Message, member: string | undefined) {
      const before = this[current];
      if (before === member) return;
      if (typeof before === 'string') delete this[before];
      this[current] = member;
    };
  };
  // A class is made when it is asked for, and never again.
  for (const type of typesOf(root)) void type.ctor;
  Object.assign(util, { oneOfGetter, oneOfSetter });
}

function typesOf(namespace: protobuf.NamespaceBase): readonly protobuf.Type[] {
  return namespace.nestedArray.flatMap((each) => {
    const inside = each instanceof protobuf.Namespace ? typesOf(each) : [];
    return each instanceof protobuf.Type ? [each, ...inside] : inside;
  });
}
