import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { ContractBytecode } from '../../protobuf/message-types.ts';
import { messages } from '../../protobuf/messages.ts';
import { rawField, wireFields } from '../../protobuf/wire.ts';
import { timestampOf } from '../decode/ledger-ids.ts';
import { inFile } from '../errors.ts';

/** The code of a contract as a sidecar tells it. */
export interface SidecarBytecode {
  /** Time of the record that it belongs to, or of the migration that told the code of an older contract. */
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly contractId: ContractBytecode['contractId'];
  /** Creation code with constructor parameters; null when the sidecar has none. */
  readonly creationCode: Uint8Array | null;
  /** Null when the sidecar has none. */
  readonly runtimeCode: Uint8Array | null;
}

const RECORDS_FIELD = 1;
const TIMESTAMP_FIELD = 1;
const BYTECODE_FIELD = 5;

/**
 * Finds the codes in an uncompressed sidecar file. State changes and actions are passed over undecoded: they are
 * most of it.
 *
 * @throws IngestError `malformed`
 * @see contracts/streams.md section 2.5
 */
export function bytecodesOf(bytes: Uint8Array, name: string): readonly SidecarBytecode[] {
  return inFile(name, () =>
    wireFields(bytes)
      .filter(({ number, wireType }) => number === RECORDS_FIELD && wireType === 2)
      .flatMap((record) => {
        const bytecode = rawField(record.bytes, BYTECODE_FIELD);
        return bytecode === null ? [] : [readBytecode(bytecode, rawField(record.bytes, TIMESTAMP_FIELD))];
      }),
  );
}

function readBytecode(bytes: Uint8Array, timestamp: Uint8Array | null): SidecarBytecode {
  const consensusTimestamp = timestampOf(timestamp === null ? null : messages.Timestamp.decode(timestamp));
  if (consensusTimestamp === null) {
    throw new LedgerlensError('malformed', 'a bytecode has no consensus timestamp');
  }
  const { contractId, initcode, runtimeBytecode } = messages.ContractBytecode.decode(bytes);
  return {
    consensusTimestamp,
    contractId,
    creationCode: bytesOrNull(initcode),
    runtimeCode: bytesOrNull(runtimeBytecode),
  };
}

function bytesOrNull(bytes: Uint8Array): Uint8Array | null {
  return bytes.length === 0 ? null : Uint8Array.from(bytes);
}
