import type { SidecarRecord } from '../../items/sidecar-record.ts';
import { toBigInt } from '../../protobuf/messages.ts';

/** What sidecars tell of the run of a transaction. */
export interface RunFacts {
  /** Code that was to become a contract; null when nothing was created. */
  readonly initcode: Uint8Array | null;
  readonly isCreation: boolean;
  /** Of the call that the transaction is; null without a trace. */
  readonly gasUsed: bigint | null;
}

/** Of the enumeration ContractActionType. */
const CREATE = 2;

/** Finds it in the records of one time; null without any. */
export function runFacts(records: readonly SidecarRecord[]): RunFacts | null {
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
