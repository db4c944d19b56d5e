import type { Uncheckable } from './block-signature.ts';
import { checkResult, FailedCheck } from './failed-check.ts';
import { fieldsOf, readMessage } from './message-fields.ts';
import { type MerklePath, readMerklePath } from './state-proof.ts';

/** A proof that signs the root of its block, or leads from it to a signed one of a later block. */
export interface SignedProof {
  readonly blockNumber: bigint;
  readonly blockSignature: Uint8Array;
  /** Null when the root of the block itself is signed. */
  readonly paths: readonly MerklePath[] | null;
}

/** Below it there is nothing that could be checked. */
const LEAST_SIGNATURE_BYTES = 2920;
const DIRECT = 2;
const INDIRECT = 3;
/** Of a record file, which no native block is. */
const RECORD_FILE = 4;

/**
 * Reads a BlockProof strictly.
 *
 * @throws FailedCheck `encoding`, `state_proof_shape`
 * @see contracts/streams.md section 9.2, row BlockProof
 */
export function readBlockProof(bytes: Uint8Array): SignedProof | Uncheckable {
  const fields = fieldsOf(bytes, 'the proof');
  const numbers = fields.map(({ number }) => number);
  if (!numbers.includes(DIRECT) && !numbers.includes(INDIRECT)) {
    if (numbers.every((number) => number === 1)) throw new FailedCheck('encoding', 'the proof is empty');
    if (fields.some(({ bytes: member }) => isSigned(member))) {
      throw new FailedCheck('encoding', 'the proof says that it is of another kind than it is');
    }
    const reason = `the proof has none of the known kinds but member ${numbers.at(-1)}`;
    return { reason, isNewer: !numbers.includes(RECORD_FILE) };
  }
  const proof = readMessage(bytes, { 1: 'uint64', [DIRECT]: 'bytes', [INDIRECT]: 'bytes' }, 'the proof');
  const [direct, indirect] = [proof.bytes(DIRECT), proof.bytes(INDIRECT)];
  const blockNumber = proof.uint64(1);
  if (direct !== null && indirect !== null) throw new FailedCheck('encoding', 'the proof is of two kinds');
  if (direct !== null) return { blockNumber, blockSignature: signatureIn(direct), paths: null };
  return { blockNumber, ...readStateProof(indirect ?? new Uint8Array()) };
}

function readStateProof(bytes: Uint8Array): Pick<SignedProof, 'blockSignature' | 'paths'> {
  const state = readMessage(bytes, { 1: 'list', 2: 'bytes' }, 'the state proof');
  return {
    blockSignature: signatureIn(state.bytes(2) ?? new Uint8Array()),
    paths: state.list(1).map(readMerklePath),
  };
}

/** Whether a member of an unknown number holds a known kind of proof: it is damaged rather than new. */
function isSigned(bytes: Uint8Array): boolean {
  return [signatureIn, readStateProof].some(
    (read) => checkResult(() => void read(bytes)) === null && bytes.length > LEAST_SIGNATURE_BYTES,
  );
}

function signatureIn(signed: Uint8Array): Uint8Array {
  const signature = readMessage(signed, { 1: 'bytes' }, 'the signed block proof').bytes(1);
  if (signature === null) throw new FailedCheck('encoding', 'the signed block proof has no signature');
  return signature;
}
