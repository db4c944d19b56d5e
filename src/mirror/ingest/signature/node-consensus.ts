import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { groupBy } from '../../../values/group-by.ts';
import type { NodeKey, NodeKeys } from '../../ledger/ledger-repository.ts';
import { IngestError } from '../errors.ts';
import type { NodeName, StreamFile } from '../record-file/unit-files.ts';
import { sameBytes } from '../sha384.ts';
import type { ConsensusRatio } from '../units/stream-unit.ts';
import { parseSignatureFile, type SignatureFile } from './parse-signature-file.ts';

/** A signature that holds, and who gave it. */
export interface VerifiedSignature extends SignatureFile {
  readonly nodeId: bigint;
}

/** The hash on which enough nodes agree. */
export interface Consensus {
  readonly fileHash: Uint8Array;
  /** Null when no member of the group signed one (format 2). */
  readonly metadataHash: Uint8Array | null;
  readonly nodeIds: ReadonlySet<bigint>;
}

const loadedKeys = new Map<string, KeyObject | null>();
/** Networks have some dozens of nodes; the bound only guards against endless new books. */
const MAX_LOADED_KEYS = 10_000;

/**
 * Checks one signature file against its node's key.
 *
 * @throws IngestError `malformed`, `unsupported_version`, `unknown_node`, `bad_signature`.
 * @see contracts/streams.md section 4
 */
export function verifySignatureFile(
  file: Pick<StreamFile, 'path' | 'node'>,
  bytes: Uint8Array,
  keys: NodeKeys,
): VerifiedSignature {
  const signature = parseSignatureFile(bytes, file.path);
  const { key, nodeId } = signerOf(file.node, keys, file.path);
  const isValid =
    isSignedBy(key, signature.fileHash, signature.fileSignature) &&
    (signature.metadataHash === null ||
      signature.metadataSignature === null ||
      isSignedBy(key, signature.metadataHash, signature.metadataSignature));
  if (!isValid) throw new IngestError('bad_signature', `The signature in ${file.path} is invalid`);
  return { ...signature, nodeId };
}

/**
 * Checks one signature over a hash, of a node that is named by its id.
 *
 * @param what for errors
 * @throws IngestError `unknown_node`, `bad_signature`.
 * @see contracts/streams.md section 9.6
 */
export function verifyNodeSignature(
  { nodeId, signature }: { readonly nodeId: bigint; readonly signature: Uint8Array },
  fileHash: Uint8Array,
  keys: NodeKeys,
  what: string,
): VerifiedSignature {
  const { key } = signerOf({ kind: 'node', nodeId }, keys, what);
  if (!isSignedBy(key, fileHash, signature)) {
    throw new IngestError('bad_signature', `The signature of node ${nodeId} in ${what} is invalid`);
  }
  return {
    version: 2,
    fileHash,
    fileSignature: signature,
    metadataHash: null,
    metadataSignature: null,
    nodeId,
  };
}

/** The keys that signatures are checked with. @throws IngestError `consensus_not_reached` while none are known. */
export function knownKeys(name: string, keys: NodeKeys | null): NodeKeys {
  if (keys !== null) return keys;
  throw new IngestError(
    'consensus_not_reached',
    `Consensus not reached for file ${name}: no address book is known; name one with MIRROR_ADDRESS_BOOK or --address-book`,
  );
}

/** How far the nodes agree. */
export interface VoteCount {
  /** Null while no group has the weight. */
  readonly consensus: Consensus | null;
  /** Weight of the heaviest group. */
  readonly best: bigint;
}

/**
 * Weighs the groups of nodes that signed the same.
 *
 * Ratio 0 needs one signature.
 *
 * @see contracts/streams.md section 5
 */
export function countVotes(signatures: readonly VerifiedSignature[], weights: NodeWeights): VoteCount {
  let best = 0n;
  for (const group of groupBy(signatures, votedFor).values()) {
    const nodeIds = new Set(group.map(({ nodeId }) => nodeId));
    const weight = [...nodeIds].reduce((sum, nodeId) => sum + weights.of(nodeId), 0n);
    if (weight > best) best = weight;
    const [first] = group;
    if (first !== undefined && weight >= weights.required) {
      return { consensus: { fileHash: first.fileHash, metadataHash: first.metadataHash, nodeIds }, best };
    }
  }
  return { consensus: null, best };
}

/**
 * Finds the file hash on which nodes of enough weight agree.
 *
 * @throws IngestError `consensus_not_reached`.
 */
export function reachConsensus(
  name: string,
  signatures: readonly VerifiedSignature[],
  keys: NodeKeys,
  ratio: ConsensusRatio,
): Consensus {
  const weights = nodeWeights(keys.nodes, ratio);
  const { best, consensus } = countVotes(signatures, weights);
  if (consensus !== null) return consensus;
  throw new IngestError(
    'consensus_not_reached',
    `Consensus not reached for file ${name} with ${best}/${weights.total} stake (${weights.required} needed)`,
  );
}

/** Nodes agree when they signed the same hashes, those of the metadata included. */
function votedFor({ fileHash, metadataHash }: VerifiedSignature): string {
  return Buffer.concat([fileHash, metadataHash ?? new Uint8Array()]).toString('hex');
}

function signerOf(
  name: NodeName | null,
  keys: NodeKeys,
  what: string,
): { readonly nodeId: bigint; readonly key: KeyObject } {
  const node = findNode(keys.nodes, name);
  const key = node === null ? null : loadKey(node.publicKey);
  if (node === null || key === null) {
    throw new IngestError('unknown_node', `No key is known for the node of ${what}`);
  }
  return { nodeId: node.nodeId, key };
}

function loadKey(hex: string | null): KeyObject | null {
  if (hex === null) return null;
  const known = loadedKeys.get(hex);
  if (known !== undefined) return known;
  const key = readKey(hex);
  if (loadedKeys.size >= MAX_LOADED_KEYS) loadedKeys.clear();
  loadedKeys.set(hex, key);
  return key;
}

function readKey(hex: string): KeyObject | null {
  try {
    const der = Buffer.from(hex.replace(/^0x/, ''), 'hex');
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** The nodes sign the hash bytes, so this is a hash of a hash. */
function isSignedBy(key: KeyObject, hash: Uint8Array, signature: Uint8Array): boolean {
  return verify('RSA-SHA384', hash, key, signature);
}

/** Compares a hash with the signed one. */
export function isSignedHash(signed: Uint8Array | null, found: Uint8Array | null): boolean {
  return signed === null || (found !== null && sameBytes(signed, found));
}

/** What a signature of each node counts. */
interface NodeWeights {
  readonly total: bigint;
  /** What a group needs. */
  readonly required: bigint;
  /** 0 for nodes that are not of the book. */
  of(nodeId: bigint): bigint;
}

/** Stake where any is known, else each node counts one. @see contracts/streams.md section 5 */
export function nodeWeights(
  nodes: readonly Pick<NodeKey, 'nodeId' | 'stake'>[],
  [numerator, denominator]: ConsensusRatio,
): NodeWeights {
  // Less than nothing would let others pass with less.
  const atLeastZero = (stake: bigint) => (stake > 0n ? stake : 0n);
  const stakes = nodes.reduce((sum, { stake }) => sum + atLeastZero(stake), 0n);
  const weights = new Map(
    nodes.map(({ nodeId, stake }) => [nodeId, stakes === 0n ? 1n : atLeastZero(stake)]),
  );
  const total = stakes === 0n ? BigInt(nodes.length) : stakes;
  const required = (total * numerator + denominator - 1n) / denominator;
  return { total, required, of: (nodeId) => weights.get(nodeId) ?? 0n };
}

/** The node of that name; null when there is none. */
function findNode<Node extends Pick<NodeKey, 'nodeId' | 'nodeAccount'>>(
  nodes: readonly Node[],
  name: NodeName | null,
): Node | null {
  if (name === null) return null;
  const found =
    name.kind === 'account'
      ? nodes.find(({ nodeAccount }) => nodeAccount === name.account)
      : nodes.find(({ nodeId }) => nodeId === name.nodeId);
  return found ?? null;
}

/** How many of the signers, in their order, reach a weight when they agree; all of them when they never do. */
export function fewestSigners(
  signers: readonly (NodeName | null)[],
  nodes: readonly Pick<NodeKey, 'nodeId' | 'nodeAccount'>[],
  weights: Pick<NodeWeights, 'of'>,
  weight: bigint,
): number {
  const counted = new Set<bigint>();
  let reached = 0n;
  for (const [at, name] of signers.entries()) {
    const node = findNode(nodes, name);
    if (node !== null && !counted.has(node.nodeId)) {
      counted.add(node.nodeId);
      reached += weights.of(node.nodeId);
    }
    if (reached >= weight) return at + 1;
  }
  return signers.length;
}
