import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import { groupBy } from '../../values/group-by.ts';
import type { ContractAction, ContractBytecode, ContractStateChange } from '../protobuf/message-types.ts';

/**
 * What a stream tells of the run of a transaction beside the items: in a sidecar, in the traces of a block.
 *
 * @see contracts/streams.md section 2.5
 */
export interface SidecarRecord {
  /** Time of the record that it belongs to. */
  readonly consensusTimestamp: ConsensusTimestamp;
  /** Whether it tells what was there when sidecars began, whatever the transaction of that time did. */
  readonly isMigration: boolean;
  /** None when it tells something else. */
  readonly stateChanges: readonly ContractStateChange[];
  readonly actions: readonly ContractAction[];
  readonly code: ContractCodes | null;
}

/** The code of a contract. */
export interface ContractCodes {
  readonly contractId: ContractBytecode['contractId'];
  /** Creation code with constructor parameters; null when there is none. */
  readonly creationCode: Uint8Array | null;
  /** Null when there is none. */
  readonly runtimeCode: Uint8Array | null;
}

/** What sidecars tell, by the time of the record that it belongs to. */
export type SidecarRecords = ReadonlyMap<bigint, readonly SidecarRecord[]>;

export function byTime(records: readonly SidecarRecord[]): SidecarRecords {
  return groupBy(records, ({ consensusTimestamp }): bigint => consensusTimestamp);
}
