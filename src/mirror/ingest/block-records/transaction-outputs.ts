import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { FieldWalk, type WireField, walkFields } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { EVM_RESULT, OUTPUT } from './field-numbers.ts';

/** What the outputs of a transaction tell; null where none does. */
export interface Outputs {
  /** Serialized `EvmTransactionResult`, and whether it is that of a creation. */
  evm: { readonly result: Uint8Array; readonly isCreation: boolean } | null;
  /** Serialized `AccountID`. */
  account: Uint8Array | null;
  /** Serialized `ScheduleID`. */
  schedule: Uint8Array | null;
  /** Serialized `TransactionID`. */
  scheduledTransaction: Uint8Array | null;
  random: { readonly bytes: Uint8Array } | { readonly number: number } | null;
}

type OutputKind = keyof typeof OUTPUT;

/** Of types that have an output of their own; any other may have called a contract. */
const KIND_OF_TYPE: ReadonlyMap<number, OutputKind> = new Map([
  [TYPE.UTILPRNG, 'prng'],
  [TYPE.ETHEREUMTRANSACTION, 'ethereum'],
  [TYPE.CONTRACTCREATEINSTANCE, 'contractCreate'],
  [TYPE.SCHEDULECREATE, 'createSchedule'],
  [TYPE.SCHEDULESIGN, 'signSchedule'],
  [TYPE.CRYPTOCREATEACCOUNT, 'createAccount'],
]);
const [FIRST, SECOND] = [1, 2];
const DELIMITED = 2;
/** The one number that real blocks have shown. */
const SEEN = { kind: 'createAccount', number: 7 };

/**
 * Reads the outputs of a transaction. The numbers of outputs were shifted once: what one is follows from the type of
 * the transaction and from its own shape.
 *
 * @param note told what nobody has seen in a real block, for people
 * @see contracts/streams.md section 9.7
 */
export function readOutputs(
  outputs: readonly Uint8Array[],
  type: number,
  note: (text: string) => void,
): Outputs {
  const read: Outputs = {
    evm: null,
    account: null,
    schedule: null,
    scheduledTransaction: null,
    random: null,
  };
  for (const output of outputs) {
    for (const walk = new FieldWalk(output); walk.next(); ) {
      if (walk.wireType !== DELIMITED) continue;
      const kind = readOutput(walk.bytes, type, read);
      if (kind !== SEEN.kind || walk.number !== SEEN.number) note(describe(kind, walk.number, type));
    }
  }
  return read;
}

/** Null when its shape is that of no output that transactions of the type have. */
function readOutput(bytes: Uint8Array, type: number, into: Outputs): OutputKind | null {
  const own = KIND_OF_TYPE.get(type) ?? 'contractCall';
  const first = fieldOf(bytes, FIRST);
  const second = fieldOf(bytes, SECOND);
  if (own === 'prng' && (first?.wireType === DELIMITED || second?.wireType === 0)) {
    into.random = first === null ? { number: second?.int ?? 0 } : { bytes: first.bytes };
    return own;
  }
  const hasId = first?.wireType === DELIMITED && isNumberedId(first.bytes);
  if (own === 'createAccount' && hasId) {
    into.account = first.bytes;
    return own;
  }
  if (own === 'createSchedule' && hasId) {
    into.schedule = first.bytes;
    into.scheduledTransaction = second?.bytes ?? null;
    return own;
  }
  if (own === 'signSchedule' && first?.wireType === DELIMITED && isTransactionId(first.bytes)) {
    into.scheduledTransaction = first.bytes;
    return own;
  }
  if (first?.wireType === DELIMITED && isEvmResult(first.bytes)) {
    into.evm = { result: first.bytes, isCreation: own === 'contractCreate' };
    return own === 'ethereum' || own === 'contractCreate' ? own : 'contractCall';
  }
  if (own === 'ethereum' && second?.wireType === DELIMITED && isEvmResult(second.bytes)) {
    into.evm = { result: second.bytes, isCreation: true };
    return own;
  }
  return null;
}

function describe(kind: OutputKind | null, number: number, type: number): string {
  const what = `output ${number} of a transaction of type ${type}`;
  if (kind === null) return `${what} is not understood`;
  const [older, shifted] = OUTPUT[kind];
  const numbering =
    number === shifted
      ? 'the shifted numbering'
      : number === older
        ? 'the older numbering'
        : 'no known numbering';
  return `${what} is read as ${kind} by its shape, its number is of ${numbering}`;
}

function fieldOf(bytes: Uint8Array, number: number): FieldWalk | null {
  for (const walk = new FieldWalk(bytes); walk.next(); ) if (walk.number === number) return walk;
  return null;
}

/** An id of an entity: three numbers, or an alias instead of the last. */
function isNumberedId(bytes: Uint8Array): boolean {
  return hasShape(bytes, ({ number, wireType }) => (number <= 3 ? wireType === 0 : number === 4));
}

/** `TransactionID`: a time, an account, then a flag and a number. */
function isTransactionId(bytes: Uint8Array): boolean {
  return hasShape(bytes, ({ number, wireType }) =>
    number <= 2 ? wireType === DELIMITED : number <= 4 && wireType === 0,
  );
}

/** `EvmTransactionResult`: everything but the gas has a length. */
function isEvmResult(bytes: Uint8Array): boolean {
  return hasShape(
    bytes,
    ({ number, wireType }) => wireType === (number === EVM_RESULT.gasUsed ? 0 : DELIMITED),
  );
}

/** False also for bytes that are no message, such as a text. */
function hasShape(bytes: Uint8Array, fits: (field: WireField) => boolean): boolean {
  try {
    let isEmpty = true;
    for (const field of walkFields(bytes)) {
      if (!fits(field)) return false;
      isEmpty = false;
    }
    return !isEmpty;
  } catch (error) {
    if (error instanceof LedgerlensError && error.code === 'malformed') return false;
    throw error;
  }
}
