import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { ContractBytecode } from '../protobuf/message-types.ts';

/** The code of a contract as a stream tells it beside the items: in a sidecar, in the traces of a block. */
export interface ContractCodes {
  /** Time of the record that it belongs to, or of the migration that told the code of an older contract. */
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly contractId: ContractBytecode['contractId'];
  /** Creation code with constructor parameters; null when there is none. */
  readonly creationCode: Uint8Array | null;
  /** Null when there is none. */
  readonly runtimeCode: Uint8Array | null;
}
