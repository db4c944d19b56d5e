import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { type LedgerGaps, noGaps } from '../../ledger/ledger-gaps.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import type { VerificationLevel } from '../../ledger/rows.ts';
import { messages } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { timestampOf } from '../decode/ledger-ids.ts';
import { IngestError, inFile } from '../errors.ts';
import { expectHash } from '../expect-hash.ts';
import { decompress, parseRecordFile, recordFileHash } from '../record-file/parse-record-file.ts';
import type { RecordFile, RecordItem } from '../record-file/record-file.ts';
import { runningHash } from '../record-file/running-hash.ts';
import { sameBytes, ZERO_HASH } from '../sha384.ts';
import { readIntactSidecars, readSidecars, type VerifiedSidecars } from '../sidecar/verified-sidecars.ts';
import {
  type Consensus,
  type ConsensusRatio,
  isSignedHash,
  type RejectedSignature,
  reachConsensus,
  type VerifiedSignature,
  verifySignatureFile,
} from '../signature/node-consensus.ts';
import type { StreamFile, StreamUnit } from '../source/stream-source.ts';

/** In `TransactionRecord`. */
const CONSENSUS_FIELD = 3;

/** What a source must prove. @see contracts/streams.md section 5, modes */
export type VerifyMode = 'signatures' | 'strict' | 'chain' | 'none';

export interface VerifyOptions {
  readonly mode: VerifyMode;
  readonly consensusRatio: ConsensusRatio;
  /** Keys of the nodes at the unit's time; null when no address book is known. */
  readonly keys: NodeKeys | null;
  /** Hash of the last accepted unit; null before the first. */
  readonly previousHash: Uint8Array | null;
  /** Gaps over which the operator lets the chain go on. Default: none. */
  readonly gaps?: Pick<LedgerGaps, 'accepts'>;
  /** Called with every file that did not count: signatures, and copies of the record file. */
  readonly onRejected?: (file: StreamFile, code: string) => void;
}

/** A record file that passed every check its mode asks for. */
export interface VerifiedUnit extends VerifiedSidecars {
  readonly file: RecordFile;
  /** Bytes as read, before decompression. */
  readonly size: number;
  readonly level: VerificationLevel;
  /** Signature files that did not count. */
  readonly rejectedSignatures: readonly RejectedSignature[];
}

/**
 * Finds a copy of a unit's record file that the nodes vouch for and that continues the chain.
 *
 * Copies of other nodes are tried when one is damaged; the error is that of the first copy, or the
 * gap that an intact copy shows.
 *
 * @throws IngestError with a code of contracts/streams.md section 15.
 * @see contracts/streams.md section 5, verification order
 */
export async function verifyUnit(unit: StreamUnit, options: VerifyOptions): Promise<VerifiedUnit> {
  for (const file of unit.emptyRecords) options.onRejected?.(file, 'empty_file');
  const votes = needsSignatures(options) ? await readVotes(unit, options) : { consensus: null, rejected: [] };
  let failure: unknown = new IngestError('unreadable_file', `There is no copy of ${unit.name}`);
  let failures = 0;
  for (const copy of orderCopies(unit.records, votes.consensus, options.keys)) {
    try {
      const verified = await verifyCopy(copy, unit, votes.consensus, options);
      return { ...verified, level: levelOf(options.mode), rejectedSignatures: votes.rejected };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      options.onRejected?.(copy, error.code);
      // A copy that fails the chain check alone is intact, so a gap outweighs another copy's damage.
      if (failures++ === 0 || error.code === 'chain_mismatch') failure = error;
    }
  }
  throw failure;
}

/**
 * Tells a record file that the nodes signed and that nobody has from names that prove nothing.
 *
 * @param unit one without a copy that has content
 * @returns null when nothing proves that there is such a unit.
 */
export async function missingRecord(unit: StreamUnit, options: VerifyOptions): Promise<IngestError | null> {
  if (!needsSignatures(options)) return null;
  try {
    const { consensus } = await readVotes(unit, options);
    const nodes = [...consensus.nodeIds].join(', ');
    const what = unit.emptyRecords.length > 0 ? 'has no content in any copy' : 'is missing';
    return new IngestError(
      'record_file_missing',
      `The record file ${unit.name} ${what}, but its signatures hold (nodes ${nodes}): bring a copy. ` +
        'If there is none, "ledgerlens ledger accept-gap" lets the import continue after it; ' +
        'MIRROR_START begins an empty ledger after it, MIRROR_END ends before it',
    );
  } catch (error) {
    if (error instanceof IngestError && error.code === 'consensus_not_reached') return null;
    throw error;
  }
}

function needsSignatures({ mode }: VerifyOptions): boolean {
  return mode === 'signatures' || mode === 'strict';
}

async function readVotes(unit: StreamUnit, { consensusRatio, keys, onRejected }: VerifyOptions) {
  if (keys === null) {
    throw new IngestError(
      'consensus_not_reached',
      `Consensus not reached for file ${unit.name}: no address book is known, name one with --address-book`,
    );
  }
  const verified: VerifiedSignature[] = [];
  const rejected: RejectedSignature[] = [];
  for (const file of unit.signatures) {
    try {
      verified.push(verifySignatureFile(file, await file.read(), keys));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      onRejected?.(file, error.code);
      rejected.push({ file: file.path, code: error.code, message: error.message });
    }
  }
  return { consensus: reachConsensus(unit.name, verified, keys, consensusRatio), rejected };
}

/** Nodes of the group that agreed come first; a copy of unknown origin may still be the signed file. */
function orderCopies(
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

async function verifyCopy(
  copy: StreamFile,
  unit: StreamUnit,
  consensus: Consensus | null,
  { gaps = noGaps, mode, previousHash }: VerifyOptions,
): Promise<Omit<VerifiedUnit, 'level' | 'rejectedSignatures'>> {
  const raw = await copy.read();
  const bytes = decompress(raw, copy.path);
  // Before parsing: damage shall be reported as damage, not as whatever the parser stumbles over.
  if (consensus !== null) {
    expectHash(
      'file_hash_mismatch',
      `File hash of ${copy.path}`,
      consensus.fileHash,
      recordFileHash(bytes, copy.path),
    );
  }
  const file = { ...parseRecordFile(bytes, copy.path), name: copy.name };
  checkName(file, unit, copy.path);
  if (mode === 'none') {
    return { file, size: raw.length, ...(await readIntactSidecars(file, unit.sidecars)) };
  }
  checkRunningHash(file, copy.path);
  checkChain(file, previousHash, gaps, copy.path);
  if (consensus !== null && !isSignedHash(consensus.metadataHash, file.metadataHash)) {
    throw new IngestError('metadata_hash_mismatch', `Metadata hash of ${copy.path} is not the signed one`);
  }
  return { file, size: raw.length, ...(await readSidecars(file, unit.sidecars)) };
}

/** Units are ordered and skipped by their names, so a wrong one would hide a unit. @see contracts/streams.md section 3 */
function checkName(file: RecordFile, { instant }: StreamUnit, path: string): void {
  const first = file.items[0];
  if (first === undefined) return;
  const begin = inFile(path, () => consensusOf(first));
  if (begin === instant) return;
  const found = begin === null ? 'has no time' : `is of ${printTimestamp(begin)}`;
  throw new IngestError(
    'wrong_file_name',
    `The name of ${path} says ${printTimestamp(instant)}, but its first transaction ${found}`,
  );
}

function consensusOf({ record }: RecordItem): ConsensusTimestamp | null {
  const timestamp = rawField(record, CONSENSUS_FIELD);
  return timestamp === null ? null : timestampOf(messages.Timestamp.decode(timestamp));
}

function checkRunningHash(file: RecordFile, path: string): void {
  if (file.version < 5) return;
  expectHash(
    'running_hash_mismatch',
    `End running hash of ${path}`,
    runningHash(file.previousHash, file.items),
    file.hash,
  );
}

/** Skipped before the first unit, for a file that begins a stream and over a gap that was accepted. @see contracts/streams.md section 11 */
function checkChain(
  file: RecordFile,
  previousHash: Uint8Array | null,
  gaps: Pick<LedgerGaps, 'accepts'>,
  path: string,
): void {
  if (previousHash === null || sameBytes(file.previousHash, ZERO_HASH)) return;
  if (gaps.accepts(previousHash, file.previousHash)) return;
  expectHash('chain_mismatch', `Previous hash of ${path}`, previousHash, file.previousHash);
}

function levelOf(mode: VerifyMode): VerificationLevel {
  return mode === 'strict' ? 'signatures' : mode;
}
