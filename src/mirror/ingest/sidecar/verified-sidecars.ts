import { IngestError } from '../errors.ts';
import { expectHash } from '../expect-hash.ts';
import { decompress } from '../record-file/parse-record-file.ts';
import type { RecordFile, SidecarMetadata } from '../record-file/record-file.ts';
import { sha384 } from '../sha384.ts';
import type { StreamFile, StreamUnit } from '../source/stream-source.ts';
import { bytecodesOf, type SidecarBytecode } from './sidecar-bytecode.ts';

/** Number of CONTRACT_BYTECODE in the enumeration SidecarType. */
const CONTRACT_BYTECODE = 3;

/**
 * Reads the sidecars of a record file that are there; one that is missing is no error.
 *
 * @throws IngestError `sidecar_hash_mismatch` when all copies of one are damaged, `malformed`.
 * @see contracts/streams.md section 2.5
 */
export async function readSidecars(
  file: RecordFile,
  sidecars: StreamUnit['sidecars'],
): Promise<readonly SidecarBytecode[]> {
  const bytecodes: SidecarBytecode[] = [];
  for (const metadata of file.sidecars) bytecodes.push(...(await readSidecar(metadata, sidecars)));
  return bytecodes;
}

/** The same for a source that need not prove anything: what is damaged counts as missing. */
export async function readIntactSidecars(
  file: RecordFile,
  sidecars: StreamUnit['sidecars'],
): Promise<readonly SidecarBytecode[]> {
  const bytecodes: SidecarBytecode[] = [];
  for (const metadata of file.sidecars) {
    try {
      bytecodes.push(...(await readSidecar(metadata, sidecars)));
    } catch (error) {
      // Codes are stored only with the hash that the record file names; the record file itself is taken.
      if (!(error instanceof IngestError)) throw error;
    }
  }
  return bytecodes;
}

async function readSidecar(
  { id, hash, types }: SidecarMetadata,
  sidecars: StreamUnit['sidecars'],
): Promise<readonly SidecarBytecode[]> {
  let mismatch: unknown = null;
  for (const copy of sidecars.filter((sidecar) => sidecar.id === id)) {
    let bytes: Uint8Array;
    try {
      bytes = decompress(await copy.read(), copy.path);
      expectHash('sidecar_hash_mismatch', `Hash of sidecar ${copy.path}`, hash, sha384(bytes));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      mismatch ??= error.code === 'malformed' ? damagedSidecar(copy, error) : error;
      continue;
    }
    return types.includes(CONTRACT_BYTECODE) ? bytecodesOf(bytes, copy.path) : [];
  }
  if (mismatch !== null) throw mismatch;
  return [];
}

function damagedSidecar(copy: StreamFile, cause: IngestError): IngestError {
  return new IngestError('sidecar_hash_mismatch', `Sidecar ${copy.path} is damaged: ${cause.message}`, {
    cause,
  });
}
