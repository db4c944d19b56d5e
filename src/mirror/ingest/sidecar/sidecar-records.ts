import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { timestampOf } from '../../items/ledger-ids.ts';
import type { ContractCodes, SidecarRecord } from '../../items/sidecar-record.ts';
import type { UnitSidecar } from '../../ledger/rows.ts';
import type { ContractBytecode, TransactionSidecarRecord } from '../../protobuf/message-types.ts';
import { messages } from '../../protobuf/messages.ts';
import { inFile } from '../errors.ts';
import { decompress } from '../record-file/parse-record-file.ts';

/**
 * Decodes those sidecars of a unit that are there, in their order.
 *
 * @param unit its name, for errors
 * @throws IngestError `malformed`
 */
export function recordsInSidecars(sidecars: readonly UnitSidecar[], unit: string): readonly SidecarRecord[] {
  return sidecars.flatMap(({ contents, id }) => {
    const name = `sidecar ${id} of ${unit}`;
    return contents === null ? [] : sidecarRecordsOf(decompress(contents, name), name);
  });
}

/**
 * Decodes an uncompressed sidecar file.
 *
 * @throws IngestError `malformed`
 * @see contracts/streams.md section 2.5
 */
export function sidecarRecordsOf(bytes: Uint8Array, name: string): readonly SidecarRecord[] {
  return inFile(name, () => messages.SidecarFile.decode(bytes).sidecarRecords.map(sidecarRecord));
}

function sidecarRecord(record: TransactionSidecarRecord): SidecarRecord {
  const consensusTimestamp = timestampOf(record.consensusTimestamp);
  if (consensusTimestamp === null) {
    throw new LedgerlensError('malformed', 'a record of a sidecar has no consensus timestamp');
  }
  return {
    consensusTimestamp,
    isMigration: record.migration,
    stateChanges: record.stateChanges?.contractStateChanges ?? [],
    actions: record.actions?.contractActions ?? [],
    code: record.bytecode === null ? null : contractCodes(record.bytecode),
  };
}

function contractCodes({ contractId, initcode, runtimeBytecode }: ContractBytecode): ContractCodes {
  return {
    contractId,
    creationCode: bytesOrNull(initcode),
    runtimeCode: bytesOrNull(runtimeBytecode),
  };
}

function bytesOrNull(bytes: Uint8Array): Uint8Array | null {
  return bytes.length === 0 ? null : Uint8Array.from(bytes);
}
