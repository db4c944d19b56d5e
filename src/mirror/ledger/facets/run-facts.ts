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
const NO_DATA = new Uint8Array();
const [BASE_GAS, CREATION_GAS, ZERO_BYTE_GAS, OTHER_BYTE_GAS] = [21_000n, 32_000n, 4n, 16n];

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

/**
 * What a transaction costs in gas, without refunds and the least charge of a network: the run, and what it takes to send.
 *
 * @param parameters of the call, which are sent where no creation code is known
 * @see contracts/mirror-contracts.md section 11.4
 */
export function gasConsumed(
  { gasUsed, initcode, isCreation }: RunFacts,
  parameters: Uint8Array | null,
): bigint | null {
  if (gasUsed === null) return null;
  const payload = initcode ?? parameters ?? NO_DATA;
  const zeros = BigInt(payload.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0));
  const others = BigInt(payload.length) - zeros;
  const sent = BASE_GAS + zeros * ZERO_BYTE_GAS + others * OTHER_BYTE_GAS;
  return gasUsed + sent + (isCreation ? CREATION_GAS : 0n);
}
