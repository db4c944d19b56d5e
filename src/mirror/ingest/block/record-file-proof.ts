import { varintOf, walkFields } from '../../protobuf/wire.ts';
import { IngestError, malformedFile } from '../errors.ts';

/** What nodes signed about a wrapped record file. */
export interface RecordFileProof {
  /** Version of the record file. */
  readonly version: number;
  readonly signatures: readonly NodeSignature[];
}

/** An RSA signature by one node. */
export interface NodeSignature {
  readonly nodeId: bigint;
  readonly signature: Uint8Array;
}

/** Members of `BlockProof`. */
const FIELD = { block: 1, signedRecordFile: 4 };
const LENGTH_DELIMITED = 2;
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
