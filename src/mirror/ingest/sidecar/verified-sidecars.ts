import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { timestampOf } from '../../items/ledger-ids.ts';
import type { ContractCodes, SidecarRecord } from '../../items/sidecar-record.ts';
import type { UnitSidecar } from '../../ledger/rows.ts';
import type { ContractBytecode, TransactionSidecarRecord } from '../../protobuf/message-types.ts';
import { messages } from '../../protobuf/messages.ts';
import { IngestError, inFile, isSourceFault } from '../errors.ts';
import { decompress, type RecordFile, type SidecarMetadata } from '../record-file/parse-record-file.ts';
import type { StreamFile, UnitFiles } from '../record-file/unit-files.ts';
import { expectHash, sha384 } from '../sha384.ts';

/** The sidecars that a record file names; those that are there have the hash that it names. */
export interface VerifiedSidecars {
  readonly sidecars: readonly UnitSidecar[];
  /** What those tell that are there. */
  readonly sidecarRecords: readonly SidecarRecord[];
}

/** Where the sidecars of a unit are. */
type SidecarFiles = Pick<UnitFiles, 'sidecars' | 'unlistedSidecars'>;

/**
 * Reads the sidecars of a record file; one that is missing is not an error, but is told.
 *
 * @throws IngestError `sidecar_hash_mismatch` when all copies of one are damaged, `malformed`.
 * @see contracts/streams.md section 2.5
 */
export async function readSidecars(file: RecordFile, unit: SidecarFiles): Promise<VerifiedSidecars> {
  return joined(file, (metadata) => readSidecar(metadata, unit));
}

/** The same for a source that need not prove anything: what is damaged counts as missing. */
export async function readIntactSidecars(file: RecordFile, unit: SidecarFiles): Promise<VerifiedSidecars> {
  return joined(file, async (metadata) => {
    try {
      return await readSidecar(metadata, unit);
    } catch (error) {
      // What sidecars tell is stored only with the hash that the record file names; the record file itself is taken.
      if (!(error instanceof IngestError) || isSourceFault(error)) throw error;
      return null;
    }
  });
}

interface FoundSidecar {
  readonly contents: Uint8Array;
  readonly records: readonly SidecarRecord[];
}

async function joined(
  file: RecordFile,
  read: (metadata: SidecarMetadata) => Promise<FoundSidecar | null>,
): Promise<VerifiedSidecars> {
  const sidecars: UnitSidecar[] = [];
  const records: (readonly SidecarRecord[])[] = [];
  for (const metadata of file.sidecars) {
    const found = await read(metadata);
    sidecars.push({ ...metadata, contents: found?.contents ?? null });
    records.push(found?.records ?? []);
  }
  return { sidecars, sidecarRecords: records.flat() };
}

async function readSidecar(
  { id, hash }: SidecarMetadata,
  { sidecars, unlistedSidecars }: SidecarFiles,
): Promise<FoundSidecar | null> {
  let mismatch: unknown = null;
  const listed = sidecars.filter((sidecar) => sidecar.id === id);
  for (const copy of [...listed, ...(unlistedSidecars?.(id) ?? [])]) {
    let contents: Uint8Array;
    let bytes: Uint8Array;
    try {
      contents = await copy.read();
      bytes = decompress(contents, copy.path);
      expectHash('sidecar_hash_mismatch', `Hash of sidecar ${copy.path}`, hash, sha384(bytes));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (error.code === 'sidecar_missing') continue;
      mismatch ??= error.code === 'malformed' ? damagedSidecar(copy, error) : error;
      continue;
    }
    return { contents, records: sidecarRecordsOf(bytes, copy.path) };
  }
  if (mismatch !== null) throw mismatch;
  return null;
}

function damagedSidecar(copy: StreamFile, cause: IngestError): IngestError {
  return new IngestError('sidecar_hash_mismatch', `Sidecar ${copy.path} is damaged: ${cause.message}`, {
    cause,
  });
}

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
