import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { EVM_TRACE, TRACE } from './field-numbers.ts';

/** What traces tell of a contract's run; lists as the serialized messages, in order. */
export interface EvmTrace {
  /** Serialized `ExecutedInitcode`; null without one. */
  readonly initcode: Uint8Array | null;
  readonly actions: readonly Uint8Array[];
  /** Serialized `ContractSlotUsage`. */
  readonly slotUsages: readonly Uint8Array[];
  /** Serialized `EvmTransactionLog`. */
  readonly logs: readonly Uint8Array[];
}

const NOTHING: EvmTrace = { initcode: null, actions: [], slotUsages: [], logs: [] };
/** In `SubmitMessageTraceData`. */
const SUBMITTED = { sequenceNumber: 1, runningHash: 2 };

/** Joins what the traces of a transaction tell of the EVM. */
export function readEvmTrace(traces: readonly Uint8Array[]): EvmTrace {
  const parts = traces.map((trace) => rawField(trace, TRACE.evm)).filter((part) => part !== null);
  if (parts.length === 0) return NOTHING;
  let initcode: Uint8Array | null = null;
  const [actions, slotUsages, logs]: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];
  for (const part of parts) {
    for (const walk = new FieldWalk(part); walk.next(); ) {
      if (walk.number === EVM_TRACE.initcode) initcode = walk.bytes;
      else if (walk.number === EVM_TRACE.action) actions.push(walk.bytes);
      else if (walk.number === EVM_TRACE.slotUsage) slotUsages.push(walk.bytes);
      else if (walk.number === EVM_TRACE.log) logs.push(walk.bytes);
    }
  }
  return { initcode, actions, slotUsages, logs };
}

/** Sequence number and running hash that a trace gives a message; null without such a trace. */
export function readSubmittedMessage(
  traces: readonly Uint8Array[],
): { readonly sequenceNumber: bigint; readonly runningHash: Uint8Array | null } | null {
  for (const trace of traces) {
    const message = rawField(trace, TRACE.submitMessage);
    if (message === null) continue;
    let sequenceNumber = 0n;
    for (const walk = new FieldWalk(message); walk.next(); ) {
      if (walk.number === SUBMITTED.sequenceNumber) sequenceNumber = walk.int64;
    }
    return { sequenceNumber, runningHash: rawField(message, SUBMITTED.runningHash) };
  }
  return null;
}
