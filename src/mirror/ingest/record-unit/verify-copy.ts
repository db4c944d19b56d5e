import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { timestampOf } from '../../items/ledger-ids.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import { authoritativeNumber, nextNumber } from '../../ledger/chain-end.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { messages } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { IngestError, inFile, isSourceFault } from '../errors.ts';
import {
  decompress,
  parseRecordFile,
  type RecordFile,
  recordFileHash,
} from '../record-file/parse-record-file.ts';
import { runningHash } from '../record-file/running-hash.ts';
import { nodeText, type StreamFile, type UnitFiles } from '../record-file/unit-files.ts';
import { expectHash, sameBytes, ZERO_HASH } from '../sha384.ts';
import { readIntactSidecars, readSidecars, type VerifiedSidecars } from '../sidecar/verified-sidecars.ts';
import {
  type Consensus,
  countVotes,
  fewestSigners,
  isSignedHash,
  knownKeys,
  nodeWeights,
  reachConsensus,
  type VerifiedSignature,
  type VoteCount,
  verifySignatureFile,
} from '../signature/node-consensus.ts';
import type { RejectedSignature, UnitDemands, UnitLink } from '../units/stream-unit.ts';

/** In `TransactionRecord`. */
const CONSENSUS_FIELD = 3;

/** A copy that holds, with the sidecars that it names. */
export interface VerifiedCopy extends VerifiedSidecars {
  readonly file: RecordFile;
  /** Bytes as read, before decompression. */
  readonly size: number;
}

/**
 * Checks one copy of a unit's record file: signed hash, name, running hash, chain, signed metadata, sidecars.
 *
 * @param consensus null when no signatures were asked for
 * @throws IngestError with a code of contracts/streams.md section 15.
 * @see contracts/streams.md section 5, verification order
 */
export async function verifyCopy(
  copy: StreamFile,
  unit: UnitFiles,
  consensus: Consensus | null,
  demands: UnitDemands,
): Promise<VerifiedCopy> {
  const raw = await copy.read();
  const bytes = decompress(raw, copy.path);
  // Before parsing: damage shall be reported as damage, not as whatever the parser stumbles over.
  const fileHash = recordFileHash(bytes, copy.path);
  if (consensus !== null) {
    expectHash('file_hash_mismatch', `File hash of ${copy.path}`, consensus.fileHash, fileHash);
  }
  const file = { ...parseRecordFile(bytes, copy.path, fileHash), name: copy.name };
  checkName(file, unit, copy.path);
  if (demands.mode === 'none') {
    return { file, size: raw.length, ...(await readIntactSidecars(file, unit)) };
  }
  checkRunningHash(file, copy.path);
  await checkChain(file, demands, unit, copy.path);
  if (consensus !== null && !isSignedHash(consensus.metadataHash, file.metadataHash)) {
    throw new IngestError('metadata_hash_mismatch', `Metadata hash of ${copy.path} is not the signed one`);
  }
  return { file, size: raw.length, ...(await readSidecars(file, unit)) };
}

/**
 * Where a copy says that its file stands, whatever its name, if its running hash holds.
 *
 * @throws IngestError when it cannot be read or is damaged.
 */
export async function readIntact(copy: StreamFile): Promise<UnitLink> {
  const file = parseRecordFile(decompress(await copy.read(), copy.path), copy.path);
  checkRunningHash(file, copy.path);
  const { blockNumber, hash, previousHash } = file;
  return { hash, blockNumber, previousHash: beginsStream(file) ? null : previousHash };
}

/** Whether the file names no file before it. */
function beginsStream({ previousHash }: Pick<RecordFile, 'previousHash'>): boolean {
  return sameBytes(previousHash, ZERO_HASH);
}

/** Units are ordered and skipped by their names, so a wrong one would hide a unit. @see contracts/streams.md section 3 */
function checkName(file: RecordFile, { instant }: UnitFiles, path: string): void {
  const first = file.items[0];
  if (first === undefined) return;
  const begin = inFile(path, () => consensusOf(first));
  if (begin === instant) return;
  // Where times step back within a file, its least one may name it.
  if (begin !== null && inFile(path, () => file.items.map(consensusOf)).reduce(least, begin) === instant)
    return;
  const found = begin === null ? 'has no time' : `is of ${printTimestamp(begin)}`;
  throw new IngestError(
    'wrong_file_name',
    `The name of ${path} says ${printTimestamp(instant)}, but its first transaction ${found}`,
  );
}

function least(one: ConsensusTimestamp | null, other: ConsensusTimestamp | null) {
  return one === null || (other !== null && other < one) ? other : one;
}

function consensusOf({ record }: StreamItem): ConsensusTimestamp | null {
  const timestamp = rawField(record, CONSENSUS_FIELD);
  return timestamp === null ? null : timestampOf(messages.Timestamp.decode(timestamp));
}

function checkRunningHash(file: RecordFile, path: string): void {
  if (file.version < 5) return;
  const found = runningHash(file.previousHash, file.items);
  expectHash('running_hash_mismatch', `End running hash of ${path}`, found, file.hash);
}

/** A network that began anew counts from 0 again. @see contracts/streams.md section 16.3 */
function expectNewNumber({ blockNumber }: RecordFile, last: bigint | null, path: string): void {
  if (blockNumber === null || last === null || blockNumber > last) return;
  throw new IngestError(
    'fork',
    `${path} is block ${blockNumber}, but the ledger ends with block ${last}: ` +
      'if the network was reset, import it into a new database',
  );
}

/**
 * Skipped before the first unit; hashes too for a file that begins a stream and over a gap that was accepted, numbers
 * never: those of another ledger would pass it.
 *
 * @see contracts/streams.md section 11
 */
async function checkChain(
  file: RecordFile,
  { gaps = noGaps, previous }: UnitDemands,
  { instant }: UnitFiles,
  path: string,
): Promise<void> {
  if (previous === null) return;
  const last = authoritativeNumber(previous);
  if (beginsStream(file)) return expectNewNumber(file, last, path);
  const next = nextNumber(previous);
  const follows = sameBytes(previous.hash, file.previousHash);
  // Mainnet has number 44029066 twice in a row.
  if (follows && (next === null || file.blockNumber === last)) return;
  const isAccepted = await gaps.accepts(previous.hash, file.previousHash, instant);
  // A stray copy with an old number is no fork of the whole ledger.
  if (!isAccepted) expectHash('chain_mismatch', `Previous hash of ${path}`, previous.hash, file.previousHash);
  expectNewNumber(file, last, path);
  if (isAccepted || file.blockNumber === null || file.blockNumber === next) return;
  throw new IngestError(
    'chain_mismatch',
    `Number of ${path}: expected block ${next}, found block ${file.blockNumber}`,
  );
}

/** On what the nodes agree, as their signature files say. */
interface NodeVotes {
  /** Null when no signatures were requested. */
  readonly consensus: Consensus | null;
  readonly rejected: readonly RejectedSignature[];
}

/** Whether the nodes' signatures are what a unit is proven by. */
export function needsSignatures({ mode }: UnitDemands): boolean {
  return mode === 'signatures' || mode === 'strict';
}

/** Signatures that are read at the same time where reading stops early. */
const AT_A_TIME = 4;
/** Where all signatures are read nothing is weighed before the end. */
const NOT_COUNTED: VoteCount = { consensus: null, best: 0n };

/**
 * Reads the signature files of a unit, as many as the source wants to give, and weighs those that hold.
 *
 * @throws IngestError `consensus_not_reached`, or why the source could not be read when that may be the reason.
 * @see contracts/streams.md section 5
 */
export async function readVotes(
  { name, readsFewSignatures = false, signatures }: UnitFiles,
  { consensusRatio, keys, onRejected }: UnitDemands,
): Promise<NodeVotes & { readonly consensus: Consensus }> {
  const known = knownKeys(name, keys);
  const weights = nodeWeights(known.nodes, consensusRatio);
  const verified: VerifiedSignature[] = [];
  const rejected: RejectedSignature[] = [];
  let fault: IngestError | null = null;
  const take = async (file: StreamFile): Promise<void> => {
    try {
      verified.push(verifySignatureFile(file, await file.read(), known));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (isSourceFault(error)) {
        fault ??= error;
        return;
      }
      // Not there yet: nothing that a node did wrong.
      if (error.code === 'signature_missing') return;
      onRejected?.(nodeText(file.node), error.code);
      rejected.push({ file: file.path, code: error.code, message: error.message });
    }
  };
  for (let at = 0; at < signatures.length; ) {
    const rest = signatures.slice(at);
    const { best, consensus } = readsFewSignatures ? countVotes(verified, weights) : NOT_COUNTED;
    if (consensus !== null) return { consensus, rejected };
    const signers = rest.map(({ node }) => node);
    const wanted = readsFewSignatures
      ? Math.min(AT_A_TIME, fewestSigners(signers, known.nodes, weights, weights.required - best))
      : 1;
    await Promise.all(rest.slice(0, wanted).map(take));
    at += wanted;
  }
  try {
    return { consensus: reachConsensus(name, verified, known, consensusRatio), rejected };
  } catch (error) {
    // Signatures that could not be read do not show that there are too few.
    throw fault ?? error;
  }
}

/** Nodes of the group that agreed come first; a copy of unknown origin may still be the signed file. */
export function orderCopies(
  copies: readonly StreamFile[],
  consensus: Consensus | null,
  keys: NodeKeys | null,
): readonly StreamFile[] {
  if (consensus === null) return copies;
  const isInGroup = ({ node }: StreamFile): boolean => {
    if (node === null) return false;
    if (node.kind === 'node') return consensus.nodeIds.has(node.nodeId);
    const found = keys?.nodes.find(({ nodeAccount }) => nodeAccount === node.account);
    return found !== undefined && consensus.nodeIds.has(found.nodeId);
  };
  return [...copies.filter(isInGroup), ...copies.filter((copy) => !isInGroup(copy))];
}
