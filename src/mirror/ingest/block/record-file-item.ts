import { varintOf, walkFields } from '../../protobuf/wire.ts';
import { IngestError, malformedFile } from '../errors.ts';

/** A wrapped record file, taken apart. */
export interface RecordFileItem {
  /** A serialized `Timestamp`; null where it is left out. */
  readonly creationTime: Uint8Array | null;
  /** A serialized `RecordStreamFile`. */
  readonly contents: Uint8Array;
  /** Serialized `SidecarFile` messages. */
  readonly sidecars: readonly Uint8Array[];
  /** Items that were added later and that no node signed. */
  readonly amendments: number;
}

const LENGTH_DELIMITED = 2;
/** Real files have a few. */
const MOST_SIDECARS = 1000;

/**
 * Reads the one `RecordFileItem` of a wrapped block, strictly.
 *
 * @throws IngestError `malformed`, `unsupported_item`.
 * @see contracts/streams.md section 9.2
 */
export function readRecordFileItem(bytes: Uint8Array, name: string): RecordFileItem {
  let contents: Uint8Array | null = null;
  const sidecars: Uint8Array[] = [];
  let amendments = 0;
  let creationTime: Uint8Array | null = null;
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    const isRepeated = (number === 1 && creationTime !== null) || (number === 2 && contents !== null);
    if (wireType !== LENGTH_DELIMITED || isRepeated)
      throw malformedFile(name, `field ${number} of its record file is wrong`);
    if (number === 1) creationTime = value;
    else if (number === 2) contents = value;
    else if (number === 3) {
      if (sidecars.length === MOST_SIDECARS)
        throw malformedFile(name, `its record file has more than ${MOST_SIDECARS} sidecars`);
      sidecars.push(value);
    } else if (number === 4) amendments++;
    else {
      throw new IngestError(
        'unsupported_item',
        `The record file in block file ${name} has a field ${number}, which is not supported`,
      );
    }
  }
  if (contents === null) throw malformedFile(name, 'its record file has no contents');
  return { creationTime, contents, sidecars, amendments };
}

/** What nodes signed about a wrapped record file. */
export interface RecordFileProof {
  /** Version of the record file. */
  readonly version: number;
  readonly signatures: readonly NodeSignature[];
}

/** An RSA signature by one node. */
interface NodeSignature {
  readonly nodeId: bigint;
  readonly signature: Uint8Array;
}

/** Members of `BlockProof`. */
const FIELD = { block: 1, signedRecordFile: 4 };
/** Of 16384 bits, far above what networks use. */
const MAX_SIGNATURE_BYTES = 2048;
/** Networks have some dozens of nodes. */
const MAX_SIGNATURES = 10_000;

/**
 * Reads a proof by the signatures of nodes over a record file, strictly.
 *
 * @param number of the block, which the proof repeats
 * @returns null for a proof of another form.
 * @throws IngestError `malformed`, `block_number_mismatch`.
 * @see contracts/streams.md sections 9.2 and 9.6
 */
export function readRecordFileProof(proof: Uint8Array, number: bigint, name: string): RecordFileProof | null {
  let found: Uint8Array | null = null;
  let block = 0n;
  let members = 0;
  for (const { bytes, number: field, wireType } of walkFields(proof)) {
    members++;
    if (field === FIELD.block && wireType === 0) block = BigInt.asIntN(64, varintOf(bytes));
    if (field === FIELD.signedRecordFile && wireType === LENGTH_DELIMITED) found = bytes;
  }
  if (found === null) return null;
  // The number of block 0 is left out by writers.
  if (members > 2) throw malformedFile(name, 'a proof has more than one form');
  if (block !== number) {
    throw new IngestError(
      'block_number_mismatch',
      `The proof in block file ${name} is of block ${block}, not of ${number}`,
    );
  }
  return readSigned(found, name);
}

function readSigned(bytes: Uint8Array, name: string): RecordFileProof {
  let version: number | null = null;
  const signatures: NodeSignature[] = [];
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    if (number === 1 && wireType === 0 && version === null) version = Number(varintOf(value));
    else if (number === 2 && wireType === LENGTH_DELIMITED) signatures.push(readSignature(value, name));
    else throw malformedFile(name, `field ${number} of its proof is wrong`);
    if (signatures.length > MAX_SIGNATURES) throw malformedFile(name, 'its proof has too many signatures');
  }
  return { version: version ?? 0, signatures };
}

function readSignature(bytes: Uint8Array, name: string): NodeSignature {
  let signature: Uint8Array | null = null;
  let nodeId: bigint | null = null;
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    if (number === 1 && wireType === LENGTH_DELIMITED && signature === null) signature = value;
    else if (number === 2 && wireType === 0 && nodeId === null) nodeId = BigInt.asIntN(64, varintOf(value));
    else throw malformedFile(name, `field ${number} of a signature is wrong`);
  }
  if (signature === null || signature.length > MAX_SIGNATURE_BYTES)
    throw malformedFile(name, 'a signature is empty or too long');
  return { nodeId: nodeId ?? 0n, signature };
}
