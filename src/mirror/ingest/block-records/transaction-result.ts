import { FieldWalk } from '../../protobuf/wire.ts';
import type { WireWriter } from '../../protobuf/wire-writer.ts';
import { timeOf } from './entity-bytes.ts';
import { RESULT_FIELD } from './field-numbers.ts';
import { malformed } from './signed-transaction.ts';

const REPEATED: ReadonlySet<number> = new Set([
  RESULT_FIELD.tokenTransferLists,
  RESULT_FIELD.automaticTokenAssociations,
  RESULT_FIELD.paidStakingRewards,
  RESULT_FIELD.assessedCustomFees,
]);
const NOTHING_REPEATED: ReadonlySet<number> = new Set();

/** @throws LedgerlensError `malformed` without a consensus timestamp. */
export function readTransactionResult(bytes: Uint8Array) {
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
