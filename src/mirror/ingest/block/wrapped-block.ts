import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { timestampOf } from '../../items/ledger-ids.ts';
import type { VerificationLevel } from '../../ledger/rows.ts';
import { messages } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import { IngestError, malformedFile } from '../errors.ts';
import type { RecordFile } from '../record-file/parse-record-file.ts';
import { runningHash } from '../record-file/running-hash.ts';
import type { UnitFiles } from '../record-file/unit-files.ts';
import { expectHash, sameBytes, sha384 } from '../sha384.ts';
import { readIntactSidecars, readSidecars, type VerifiedSidecars } from '../sidecar/verified-sidecars.ts';
import {
  knownKeys,
  reachConsensus,
  type VerifiedSignature,
  verifyNodeSignature,
} from '../signature/node-consensus.ts';
import { recordFileName } from '../units/stream-file-name.ts';
import type { RejectedSignature, UnitDemands } from '../units/stream-unit.ts';
import type { BlockSource } from './block-source.ts';
import type { BlockItem, ParsedBlock } from './parse-block.ts';
import {
  type RecordFileProof,
  readRecordFileItem,
  readRecordFileProof,
  rebuildRecordFile,
  versionOfContents,
} from './rebuild-record-file.ts';

/** What the signatures of the nodes prove of it. */
interface ProvenRecord extends VerifiedSidecars {
  readonly verification: VerificationLevel;
  readonly rejectedSignatures: readonly RejectedSignature[];
}

/** In `TransactionRecord`. */
const CONSENSUS_FIELD = 3;
const ALLOWED: readonly number[] = [ITEM.header, ITEM.stateChanges, ITEM.recordFile];
/** Items of kinds that are not known are hashed with the block, and mean nothing here. */
const FIRST_FUTURE_KIND = 20;

/** The item that makes a block a wrapped record file; null for a native block. */
export function recordFileItem({ items }: Pick<ParsedBlock, 'items'>): BlockItem | null {
  return items.find(({ field }) => field === ITEM.recordFile) ?? null;
}

/**
 * Unwraps the record file of a block.
 *
 * Number and time of the block must be those of the record file: the nodes signed these, not the header.
 *
 * @throws IngestError `malformed`, `unsupported_item`, `unsupported_version`, `block_number_mismatch`, `no_items`.
 * @see contracts/streams.md section 9.6
 */
export function unwrapRecord(block: ParsedBlock, item: BlockItem, { name, path }: BlockSource) {
  const { header, items } = block;
  const stranger = items.find(
    (each) =>
      (!ALLOWED.includes(each.field) && each.field < FIRST_FUTURE_KIND) ||
      (each.field === item.field && each !== item),
  );
  if (stranger !== undefined) {
    throw malformedFile(path, `an item of kind ${stranger.field} lies beside its record file`);
  }
  const signed: RecordFileProof[] = [];
  const thresholdProofs: Uint8Array[] = [];
  for (const proof of block.proofs) {
    const read = readRecordFileProof(proof, header.number, path);
    if (read === null) thresholdProofs.push(proof);
    else if (read.signatures.length > 0) signed.push(read);
  }
  const [first] = signed;
  if (first === undefined && thresholdProofs.length === 0) {
    throw new IngestError('unsupported_proof', `The proof in block file ${path} has no signatures of nodes`);
  }
  if (signed.some(({ version }) => version !== first?.version))
    throw malformedFile(path, 'its proofs name two versions');
  const { contents, creationTime, sidecars } = readRecordFileItem(item.bytes, path);
  const inferred = versionOfContents(contents, header.hapiVersion);
  // Where another proof may hold nobody checks the signatures, which name the version.
  if (first !== undefined && thresholdProofs.length > 0 && first.version !== inferred) {
    throw malformedFile(
      path,
      `its signatures are of version ${first.version}, its record file of version ${inferred}`,
    );
  }
  const rebuilt = rebuildRecordFile(contents, first?.version ?? inferred, header.hapiVersion, path);
  const file = { ...rebuilt, name };
  if (file.blockNumber !== null && file.blockNumber !== header.number) {
    throw new IngestError(
      'block_number_mismatch',
      `The record file in ${path} has number ${file.blockNumber}, its block ${header.number}`,
    );
  }
  const begin = beginOf(file);
  if (begin !== header.timestamp) {
    const found = begin === null ? 'has no time' : `is of ${printTimestamp(begin)}`;
    throw malformedFile(
      path,
      `its header says ${printTimestamp(header.timestamp)}, but its first transaction ${found}`,
    );
  }
  const created = creationTime === null ? null : timestampOf(messages.Timestamp.decode(creationTime));
  return {
    file,
    /** Of the record file, as it was in its bucket. */
    recordName: recordFileName(created ?? header.timestamp),
    /** Serialized `SidecarFile` messages beside it. */
    sidecars,
    /** Of the nodes, over the hash of the file. */
    proofs: signed,
    /** Serialized `BlockProof` messages over the root of the block. */
    thresholdProofs,
  };
}

/** A wrapped record file as it was before it was wrapped, unverified. */
export type WrappedRecord = Readonly<ReturnType<typeof unwrapRecord>>;

/**
 * Proves a record file as the demands ask: signatures of the nodes, its running hash, its sidecars.
 *
 * @param isProven whether a proof over the root of its block holds, so that the signatures of too few nodes do no harm
 * @throws IngestError with a code of contracts/streams.md section 15.
 */
export async function proveRecord(
  { file, proofs, sidecars }: WrappedRecord,
  source: BlockSource,
  demands: UnitDemands,
  isProven: boolean,
): Promise<ProvenRecord> {
  const rejected: RejectedSignature[] = [];
  const isAsked = demands.mode === 'signatures' || demands.mode === 'strict';
  if (isAsked && !isProven && proofs.length === 0) {
    // Accepted as unproven it could name keys that prove what follows.
    throw new IngestError(
      'unsupported_proof',
      `Nothing proves block file ${source.path}: no signatures of nodes, and its other proof cannot be checked`,
    );
  }
  if (isAsked && !isProven) {
    for (const proof of proofs) rejected.push(...checkSignatures(proof, file, source, demands));
  }
  if (demands.mode === 'none') {
    return {
      ...(await readIntactSidecars(file, { sidecars: copiesOf(file, sidecars, source) })),
      verification: 'none',
      rejectedSignatures: [],
    };
  }
  if (file.version >= 5) {
    const found = runningHash(file.previousHash, file.items);
    expectHash(
      'running_hash_mismatch',
      `End running hash of the record file in ${source.path}`,
      found,
      file.hash,
    );
  }
  const stray = sidecars.find(
    (contents) => !file.sidecars.some(({ hash }) => sameBytes(hash, sha384(contents))),
  );
  if (stray !== undefined) {
    throw new IngestError(
      'sidecar_hash_mismatch',
      `A sidecar in block file ${source.path} is not one that its record file names`,
    );
  }
  const read = await readSidecars(file, { sidecars: copiesOf(file, sidecars, source) });
  return { ...read, verification: isAsked ? 'signatures' : 'chain', rejectedSignatures: rejected };
}

/** @returns those that do not count, although enough others do. */
function checkSignatures(
  { signatures }: RecordFileProof,
  { fileHash }: RecordFile,
  { name, path }: BlockSource,
  { consensusRatio, keys, onRejected }: UnitDemands,
): readonly RejectedSignature[] {
  const nodes = knownKeys(name, keys);
  const verified: VerifiedSignature[] = [];
  const rejected: RejectedSignature[] = [];
  for (const signature of signatures) {
    try {
      verified.push(verifyNodeSignature(signature, fileHash, nodes, path));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      onRejected?.(String(signature.nodeId), error.code);
      rejected.push({ file: path, code: error.code, message: error.message });
    }
  }
  reachConsensus(name, verified, nodes, consensusRatio);
  return rejected;
}

/** Sidecars have no names in a block: each is the one whose hash it has. */
function copiesOf(
  file: RecordFile,
  contents: readonly Uint8Array[],
  { node, path }: BlockSource,
): UnitFiles['sidecars'] {
  return contents.flatMap((bytes) => {
    const hash = sha384(bytes);
    const named = file.sidecars.filter((each) => sameBytes(each.hash, hash));
    return named.map(({ id }) => ({
      id,
      name: `sidecar ${id}`,
      path: `${path}, sidecar ${id}`,
      node,
      read: async () => bytes,
    }));
  });
}

function beginOf({ items }: RecordFile): bigint | null {
  const timestamp = items[0] === undefined ? null : rawField(items[0].record, CONSENSUS_FIELD);
  return timestamp === null ? null : timestampOf(messages.Timestamp.decode(timestamp));
}
