import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { FieldWalk, walkFields } from '../../protobuf/wire.ts';
import type { WireWriter } from '../../protobuf/wire-writer.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { isKnownType, TYPE } from '../../vocabulary/transaction-types.ts';
import { timeOf } from './entity-bytes.ts';
import { ITEM, RESULT_FIELD } from './field-numbers.ts';
import { GroupState } from './group-state.ts';
import { malformed, readSignedTransaction, type SignedTransaction } from './signed-transaction.ts';
import { changedAt } from './state-changes.ts';

/** One item of a block: which member of `BlockItem` it is, and the bytes of that member. */
export interface BlockPart {
  readonly field: number;
  readonly bytes: Uint8Array;
}

/** A transaction of a block with what the block tells of it. */
export interface BlockTransaction {
  readonly signed: SignedTransaction;
  readonly result: TransactionResult;
  /** Serialized `TransactionOutput`. */
  readonly outputs: Uint8Array[];
  /** Serialized `TraceData`. */
  readonly traces: Uint8Array[];
  /** Null when it has none, or none in this block. */
  readonly parent: BlockTransaction | null;
  /** It and its parents took effect. */
  readonly isSuccessful: boolean;
  /** State changes stand with one transaction for all that happened with it. */
  group: TransactionGroup;
}

/** What changed the state, in the order of the block. */
export interface BlockStateChanges {
  /** Serialized `StateChanges`. */
  readonly bytes: Uint8Array;
  /** Null when they tell no time. */
  readonly at: bigint | null;
  /** Whether they are those of a transaction. */
  readonly isOfTransaction: boolean;
}

/** The transactions of a block in its order. */
export interface ReadTransactions {
  readonly transactions: readonly BlockTransaction[];
  readonly stateChanges: readonly BlockStateChanges[];
  /** Whether results may lie at other transactions than theirs. */
  readonly mayBeMoved: boolean;
}

/** In `AtomicBatchTransactionBody`. */
const BATCH_TRANSACTIONS = 1;
/** Messages of nodes to each other, most of which have no result. */
const NODE_MESSAGES: ReadonlySet<number> = new Set([65, 66, 67, 68, 69, 70, 71, 72, 81]);

/**
 * Puts the items of a block together.
 *
 * A signed transaction without a result is left out, whatever its kind: nodes send each other more of them than this
 * build knows. The inner transactions of a batch stand in its body alone, and are met by their results; those behind a
 * failed one did not run.
 *
 * Transactions, results and state changes are hashed into different trees, so the root does not tell how they lie between
 * each other: a result is taken for that of the transaction right before it, and state changes go by their time. Where
 * a transaction lacks the result that its kind has, it may have been moved to another one.
 *
 * @param isFirst whether the block is the first one of its network
 * @throws LedgerlensError `malformed`
 * @see contracts/streams.md section 9.3
 */
export function readTransactions(parts: readonly BlockPart[], isFirst: boolean): ReadTransactions {
  const transactions: BlockTransaction[] = [];
  const byTime = new Map<bigint, BlockTransaction>();
  const changes: { readonly bytes: Uint8Array; readonly at: bigint | null; readonly isOpening: boolean }[] =
    [];
  let signed: Uint8Array | null = null;
  let inner: readonly Uint8Array[] = [];
  let nextInner = 0;
  let last: BlockTransaction | null = null;
  let mayBeMoved = false;
  const leaveOut = (left: Uint8Array | null) => {
    mayBeMoved ||= left !== null && !mayLackResult(left);
  };
  for (const { bytes, field } of parts) {
    switch (field) {
      case ITEM.signedTransaction:
        leaveOut(signed);
        signed = bytes;
        last = null;
        break;
      case ITEM.transactionResult: {
        const own: Uint8Array | undefined = signed ?? inner[nextInner++];
        if (own === undefined) throw malformed('a transaction result has no transaction');
        const result = readTransactionResult(bytes);
        if (signed === null && result.parent === null)
          throw malformed('the result of a transaction inside a batch names no parent');
        signed = null;
        last = openTransaction(readSignedTransaction(own), result, byTime);
        transactions.push(last);
        byTime.set(last.result.consensus, last);
        if (last.signed.type === TYPE.ATOMICBATCH) {
          inner = innerTransactions(last.signed.data);
          nextInner = 0;
        }
        break;
      }
      case ITEM.transactionOutput:
        if (last === null) throw malformed('a transaction output has no transaction');
        last.outputs.push(bytes);
        break;
      case ITEM.traceData:
        if (last === null) throw malformed('trace data have no transaction');
        last.traces.push(bytes);
        break;
      case ITEM.stateChanges:
        // Openings may have the time of the first transaction.
        changes.push({ bytes, at: changedAt(bytes), isOpening: isFirst && transactions.length === 0 });
        break;
      default:
    }
  }
  leaveOut(signed);
  const stateChanges = changes.map(({ at, bytes, isOpening }): BlockStateChanges => {
    const owner = at === null || isOpening ? undefined : byTime.get(at);
    owner?.group.stateChanges.push(bytes);
    return { bytes, at, isOfTransaction: owner !== undefined };
  });
  joinGroups(transactions);
  return { transactions, stateChanges, mayBeMoved };
}

/** One that cannot even be read never refuses its block. */
function mayLackResult(signed: Uint8Array): boolean {
  try {
    const { type } = readSignedTransaction(signed);
    return NODE_MESSAGES.has(type) || !isKnownType(type);
  } catch (error) {
    if (error instanceof LedgerlensError) return true;
    throw error;
  }
}

function openTransaction(
  signed: SignedTransaction,
  result: TransactionResult,
  byTime: ReadonlyMap<bigint, BlockTransaction>,
): BlockTransaction {
  const parent = result.parent === null ? null : (byTime.get(result.parent) ?? null);
  return {
    signed,
    result,
    outputs: [],
    traces: [],
    parent,
    isSuccessful: isSuccess(result.status) && (parent?.isSuccessful ?? true),
    group: parent?.group ?? new TransactionGroup(),
  };
}

function innerTransactions(batch: Uint8Array): readonly Uint8Array[] {
  const inner: Uint8Array[] = [];
  for (const { bytes, number, wireType } of walkFields(batch)) {
    if (number === BATCH_TRANSACTIONS && wireType === 2) inner.push(bytes);
  }
  return inner;
}

/** Transactions that happened together: a client's, its children, those inside a batch. */
export class TransactionGroup {
  /** Serialized `StateChanges`. */
  readonly stateChanges: Uint8Array[] = [];
  #state: GroupState | null = null;

  /** What was changed, read when it is first asked for. */
  get state(): GroupState {
    this.#state ??= new GroupState(this.stateChanges);
    return this.#state;
  }
}

interface Grouped {
  readonly signed: { readonly transactionId: Uint8Array | null };
  readonly parent: unknown;
  group: TransactionGroup;
}

/** In `TransactionID`. */
const ID = { validStart: 1, account: 2, scheduled: 3, nonce: 4 };

/**
 * Lets transactions that have no state changes and name no parent share those of their neighbour: children that come
 * before their parent those of the next one with the same id, a scheduled transaction those of the one before, which
 * triggered it.
 *
 * @param transactions in the order of the block
 */
function joinGroups(transactions: readonly Grouped[]): void {
  for (let index = transactions.length - 1; index >= 0; index--) {
    const each = transactions[index];
    if (each === undefined || each.parent !== null || each.group.stateChanges.length > 0) continue;
    const next = transactions[index + 1];
    if (next === undefined || next.group === each.group || next.parent !== null) continue;
    const [own, other] = [readId(each.signed.transactionId), readId(next.signed.transactionId)];
    if (own.nonce > 0 && own.key === other.key) each.group = next.group;
  }
  for (const [index, each] of transactions.entries()) {
    const before = transactions[index - 1];
    if (before === undefined || each.parent !== null || each.group.stateChanges.length > 0) continue;
    if (readId(each.signed.transactionId).isScheduled) each.group = before.group;
  }
}

function readId(bytes: Uint8Array | null) {
  let [nonce, isScheduled, key] = [0, false, ''];
  if (bytes === null) return { nonce, isScheduled, key };
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === ID.nonce) nonce = walk.int;
    else if (walk.number === ID.scheduled) isScheduled = walk.int !== 0;
    else key += `${walk.number}:${Buffer.from(walk.bytes).toString('hex')};`;
  }
  return { nonce, isScheduled, key };
}

const REPEATED: ReadonlySet<number> = new Set([
  RESULT_FIELD.tokenTransferLists,
  RESULT_FIELD.automaticTokenAssociations,
  RESULT_FIELD.paidStakingRewards,
  RESULT_FIELD.assessedCustomFees,
]);
const NOTHING_REPEATED: ReadonlySet<number> = new Set();

/** @throws LedgerlensError `malformed` without a consensus timestamp. */
function readTransactionResult(bytes: Uint8Array) {
  let status = 0;
  let [consensusBytes, parentBytes, scheduleRef]: (Uint8Array | null)[] = [null, null, null];
  let [fee, transferList, highVolumeMultiplier]: (Uint8Array | null)[] = [null, null, null];
  let repeated: Set<number> | null = null;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    switch (walk.number) {
      case RESULT_FIELD.status:
        status = walk.int;
        break;
      case RESULT_FIELD.consensusTimestamp:
        consensusBytes = walk.bytes;
        break;
      case RESULT_FIELD.parentConsensusTimestamp:
        parentBytes = walk.bytes;
        break;
      case RESULT_FIELD.scheduleRef:
        scheduleRef = walk.bytes;
        break;
      case RESULT_FIELD.fee:
        fee = walk.bytes;
        break;
      case RESULT_FIELD.transferList:
        transferList = walk.bytes;
        break;
      case RESULT_FIELD.highVolumeMultiplier:
        highVolumeMultiplier = walk.bytes;
        break;
      default:
        if (REPEATED.has(walk.number)) {
          repeated ??= new Set();
          repeated.add(walk.number);
        }
    }
  }
  if (consensusBytes == null) throw malformed('a transaction result has no consensus timestamp');
  return {
    bytes,
    status,
    consensusBytes,
    /** Nanoseconds. */
    consensus: timeOf(consensusBytes),
    parentBytes: parentBytes ?? null,
    parent: parentBytes == null ? null : timeOf(parentBytes),
    scheduleRef: scheduleRef ?? null,
    /** Bytes of the varint. */
    fee: fee ?? null,
    transferList: transferList ?? null,
    highVolumeMultiplier: highVolumeMultiplier ?? null,
    /** Numbers of the members that occur of those that may occur often. */
    repeated: repeated ?? NOTHING_REPEATED,
  };
}

/** The members of a `TransactionResult`; messages as their bytes, null where they are absent. */
export type TransactionResult = Readonly<ReturnType<typeof readTransactionResult>>;

/** Writes every occurrence of a member under another number. */
export function copyRepeated(
  { bytes, repeated }: TransactionResult,
  number: number,
  writer: WireWriter,
  as: number,
): void {
  if (!repeated.has(number)) return;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === number) writer.delimited(as, walk.bytes);
  }
}
