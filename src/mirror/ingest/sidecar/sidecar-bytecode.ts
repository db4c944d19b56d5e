import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { ContractCodes } from '../../items/contract-codes.ts';
import { timestampOf } from '../../items/ledger-ids.ts';
import { messages } from '../../protobuf/messages.ts';
import { rawField, wireFields } from '../../protobuf/wire.ts';
import { inFile } from '../errors.ts';

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
export function bytecodesOf(bytes: Uint8Array, name: string): readonly ContractCodes[] {
  return inFile(name, () =>
    wireFields(bytes)
      .filter(({ number, wireType }) => number === RECORDS_FIELD && wireType === 2)
      .flatMap((record) => {
        const bytecode = rawField(record.bytes, BYTECODE_FIELD);
        return bytecode === null ? [] : [readBytecode(bytecode, rawField(record.bytes, TIMESTAMP_FIELD))];
      }),
  );
}

function readBytecode(bytes: Uint8Array, timestamp: Uint8Array | null): ContractCodes {
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
