import { sameBytes, sha384 } from '../sha384.ts';
import { checkResult, FailedCheck } from './failed-check.ts';
import { HINTS_KEY_BYTES, HINTS_SIGNATURE_BYTES } from './hints/hints-lengths.ts';
import { fieldsOf, readMessage } from './message-fields.ts';
import type { ProofTrust } from './proof-verdict.ts';

/** A proof that signs the root of its block, or leads from it to a signed one of a later block. */
interface SignedProof {
  readonly blockNumber: bigint;
  readonly blockSignature: Uint8Array;
  /** Null when the root of the block itself is signed. */
  readonly paths: readonly MerklePath[] | null;
}

/** Below it there is nothing that could be checked. */
const MIN_SIGNATURE_BYTES = 2920;
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
      throw new FailedCheck('encoding', 'the proof declares a different kind than it has');
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
    (read) => checkResult(() => void read(bytes)) === null && bytes.length > MIN_SIGNATURE_BYTES,
  );
}

function signatureIn(signed: Uint8Array): Uint8Array {
  const signature = readMessage(signed, { 1: 'bytes' }, 'the signed block proof').bytes(1);
  if (signature === null) throw new FailedCheck('encoding', 'the signed block proof has no signature');
  return signature;
}

/** A signature of generations 1 and 2 in its three parts. */
export interface BlockSignature {
  readonly verificationKey: Uint8Array;
  readonly threshold: Uint8Array;
  readonly addressBook: { readonly form: 'schnorr' | 'wraps'; readonly proof: Uint8Array };
}

const [SCHNORR_BYTES, WRAPS_BYTES] = [192, 704];
const BEFORE_ADDRESS_BOOK = HINTS_KEY_BYTES + HINTS_SIGNATURE_BYTES;
const MOCK_BYTES = 48;
const GENERATION_3_BYTES = 13_712;

/** Why a proof cannot be checked. */
interface Uncheckable {
  readonly reason: string;
  /** Whether a later release of the network may sign so. */
  readonly isNewer: boolean;
}

/**
 * Cuts a block signature into its parts, which its length tells.
 *
 * @see contracts/streams.md section 18.2
 */
export function cutBlockSignature(bytes: Uint8Array): BlockSignature | Uncheckable {
  const form = formOf(bytes.length - BEFORE_ADDRESS_BOOK);
  if (form === null) return unsupported(bytes.length);
  return {
    verificationKey: bytes.subarray(0, HINTS_KEY_BYTES),
    threshold: bytes.subarray(HINTS_KEY_BYTES, BEFORE_ADDRESS_BOOK),
    addressBook: { form, proof: bytes.subarray(BEFORE_ADDRESS_BOOK) },
  };
}

function formOf(length: number): 'schnorr' | 'wraps' | null {
  if (length === SCHNORR_BYTES) return 'schnorr';
  return length === WRAPS_BYTES ? 'wraps' : null;
}

function unsupported(length: number): Uncheckable {
  if (length === GENERATION_3_BYTES) {
    return { reason: 'the signature is of generation 3, which cannot be checked yet', isNewer: true };
  }
  const reason =
    length === MOCK_BYTES
      ? 'the signature is the mock of a development network, which proves nothing'
      : `the signature has ${length} bytes, unlike any known form`;
  return { reason, isNewer: false };
}

/** Whether a proof is of a known form, and what it is checked with is known: found without any of its mathematics. */
export function isCheckable(
  proof: Uint8Array,
  { knownKeys, ledgerId, roster, wrapsKey }: ProofTrust,
): boolean {
  let isKnown = false;
  const failure = checkResult(() => {
    const read = readBlockProof(proof);
    const signature = 'reason' in read ? read : cutBlockSignature(read.blockSignature);
    if ('reason' in signature) return;
    const { addressBook, verificationKey } = signature;
    isKnown =
      knownKeys.some((key) => sameBytes(key, verificationKey)) ||
      (ledgerId !== null && (addressBook.form === 'schnorr' ? roster : wrapsKey) !== null);
  });
  return failure !== null || isKnown;
}

const HASH_BYTES = 48;
const ENDS_AT_ROOT = 2n ** 32n - 1n;
const MIN_PATHS = 3;
/** What a path begins with: a hash, or a leaf of the state, of items, or the time of a block. */
const HASH = 3;
const LEAVES = [4, 5, 6];

/**
 * Reads the paths of a state proof strictly.
 *
 * @throws FailedCheck `encoding`, `state_proof_shape`
 * @see contracts/streams.md section 9.2, rows StateProof and MerklePath
 */
export function readMerklePath(bytes: Uint8Array) {
  const path = readMessage(
    bytes,
    { 1: 'list', 2: 'uint64', 3: 'bytes', 4: 'bytes', 5: 'bytes', 6: 'bytes' },
    'a Merkle path',
  );
  const hash = path.bytes(HASH);
  const [leaf = null, ...more] = LEAVES.map((member) => path.bytes(member)).filter((each) => each !== null);
  if (more.length > 0 || (hash !== null && leaf !== null))
    throw shape('a path begins with more than one content');
  if (hash !== null && hash.length !== HASH_BYTES) throw shape('a path begins with a hash of another length');
  const next = path.uint64(2);
  return {
    /** The hash that it begins with; null for a path that joins two others. */
    start: leaf === null ? hash : sha384(Uint8Array.of(0), leaf),
    /** Whether `start` came as a hash rather than as a leaf. */
    isHash: hash !== null,
    siblings: path.list(1).map(readSibling),
    /** The path that it continues in; null at the root. */
    next: next === ENDS_AT_ROOT ? null : Number(next),
  };
}

/** One way upwards in a tree of hashes, as far as it goes alone. */
export type MerklePath = Readonly<ReturnType<typeof readMerklePath>>;

interface Sibling {
  readonly isLeft: boolean;
  readonly hash: Uint8Array;
}

function readSibling(bytes: Uint8Array): Sibling {
  const sibling = readMessage(bytes, { 1: 'uint64', 2: 'bytes' }, 'a sibling');
  const isLeft = sibling.uint64(1);
  const hash = sibling.bytes(2) ?? new Uint8Array();
  if (isLeft > 1n) throw shape('a sibling is neither left nor right');
  if (![0, HASH_BYTES].includes(hash.length)) throw shape('a sibling has a hash of another length');
  return { isLeft: isLeft === 1n, hash };
}

/**
 * Follows all paths to the one root that they lead to.
 *
 * @param ownRoot of the block that the proof is about; one of the paths must begin with it.
 * @returns the root that is signed, of a later block.
 * @throws FailedCheck `state_proof_shape`, `state_proof_leaf`
 * @see contracts/streams.md section 18.4
 */
export function signedRootOf(paths: readonly MerklePath[], ownRoot: Uint8Array): Uint8Array {
  if (paths.length < MIN_PATHS)
    throw shape(`a state proof has ${paths.length} paths, at least ${MIN_PATHS} are required`);
  if (!paths.some(({ isHash, start }) => isHash && start !== null && sameBytes(start, ownRoot))) {
    throw new FailedCheck(
      'state_proof_leaf',
      'no path of the state proof begins with the root of this block',
    );
  }
  const walk: Walk = { arrived: new Map(), visited: new Set(), roots: [] };
  for (const [index, { start }] of paths.entries()) if (start !== null) follow(paths, index, start, walk);
  if (walk.arrived.size > 0 || walk.visited.size < paths.length) throw shape('a path leads nowhere');
  const [root] = walk.roots;
  if (root === undefined || walk.roots.length > 1)
    throw shape(`the paths lead to ${walk.roots.length} roots`);
  return root;
}

interface Walk {
  /** The first of the two hashes that a path joins, and the path that it came from. */
  readonly arrived: Map<number, { readonly from: number; readonly hash: Uint8Array }>;
  readonly visited: Set<number>;
  readonly roots: Uint8Array[];
}

/** Goes up from a path until another hash is missing, or to the root. */
function follow(paths: readonly MerklePath[], first: number, start: Uint8Array, walk: Walk): void {
  let [index, hash] = [first, start];
  for (;;) {
    const path = paths[index];
    if (path === undefined || walk.visited.has(index)) throw shape('a path continues where it cannot');
    walk.visited.add(index);
    for (const sibling of path.siblings) hash = withSibling(hash, sibling);
    if (path.next === null) {
      if (index !== paths.length - 1) throw shape('the root is not the last path');
      walk.roots.push(hash);
      return;
    }
    const next = path.next;
    if (paths[next]?.start !== null) throw shape('a path continues in one that begins by itself');
    const other = walk.arrived.get(next);
    if (other === undefined) {
      walk.arrived.set(next, { from: index, hash });
      return;
    }
    walk.arrived.delete(next);
    hash = other.from < index ? node(other.hash, hash) : node(hash, other.hash);
    index = next;
  }
}

function withSibling(hash: Uint8Array, sibling: Sibling): Uint8Array {
  if (sibling.hash.length === 0) return sha384(Uint8Array.of(1), hash);
  return sibling.isLeft ? node(sibling.hash, hash) : node(hash, sibling.hash);
}

function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha384(Uint8Array.of(2), left, right);
}

function shape(reason: string): FailedCheck {
  return new FailedCheck('state_proof_shape', reason);
}
