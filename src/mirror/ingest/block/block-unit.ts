import type { OpeningState } from '../../ledger/facets/opening-state.ts';
import { blockRecords } from '../block-records/block-records.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import { changedAt, openingStateOf } from '../block-records/state-changes.ts';
import { IngestError, inFile, malformedFile } from '../errors.ts';
import { sameBytes, sha384, ZERO_HASH } from '../sha384.ts';
import { recordsInSidecars } from '../sidecar/verified-sidecars.ts';
import { type ProofCheck, proveBlock } from '../trust/prove-block.ts';
import type { ProvenLevel, StreamUnit, UnitDemands, UnitLink, VerifiedItems } from '../units/stream-unit.ts';
import { type BlockSource, blockFileName, extensionOf } from './block-source.ts';
import { type BlockLinks, followedHash, type JoinedChain, joinChain } from './chain-links.ts';
import { EMPTY_TREE } from './hash-tree.ts';
import { type BlockRoots, blockRoots, type KnownForm, proveRoot } from './native-block.ts';
import { type HapiVersion, type ParsedBlock, parseBlock, parseBlockBegin } from './parse-block.ts';
import { MAX_BLOCK_BYTES, unpackBlock } from './unpack-block.ts';
import { proveRecord, recordFileItem, unwrapRecord, type WrappedRecord } from './wrapped-block.ts';

/** A block as the ledger's importer sees it. */
export interface BlockUnit extends StreamUnit {
  readonly blockNumber: bigint;
  /** Whether it is a native block, by its first items. */
  readonly isNative: boolean;
  /** Unpacked. */
  readonly bytes: Uint8Array;
  /** Where it says that it stands, unverified: of each form that its root may have. @throws IngestError when it cannot be read. */
  blockLinks(): readonly UnitLink[];
}

/** What the blocks of one source share. */
export interface BlockUnitParts {
  readonly proofs: ProofCheck;
  readonly known: KnownForm;
  readonly limits?: BlockLimits;
}

/** @see contracts/streams.md section 17.5 */
export interface BlockLimits {
  readonly items?: number;
  /** When unpacked. */
  readonly bytes?: number;
}

/** A block taken apart. */
interface TakenBlock {
  readonly block: ParsedBlock;
  readonly roots: BlockRoots;
  /** The record file that it wraps; null for a native block. */
  readonly record: WrappedRecord | null;
}

/** Version that is stored for native blocks: above that of every record file. */
const NATIVE_VERSION = 7;
const UNSURE = 'a transaction lacks its result, so that results may be those of others';

/**
 * Makes a unit of one block, native or a wrapped record file.
 *
 * @throws IngestError `malformed` when its header cannot be read, `block_number_mismatch` when its name tells another number.
 * @see contracts/streams.md section 9
 */
export function createBlockUnit(source: BlockSource, parts: BlockUnitParts): BlockUnit {
  const { name, path } = source;
  const bytes = unpackBlock(source.bytes, path, parts.limits?.bytes ?? MAX_BLOCK_BYTES);
  const { header, isWrapped } = parseBlockBegin(bytes, path);
  const { number, timestamp } = header;
  if (source.number !== null && source.number !== number) {
    throw new IngestError(
      'block_number_mismatch',
      `The name of ${path} says block ${source.number}, its header block ${number}`,
    );
  }
  let taken: TakenBlock | null = null;
  const take = (): TakenBlock => {
    if (taken !== null) return taken;
    taken = inFile(path, () => {
      const block = parseBlock(bytes, path, parts.limits?.items);
      const item = recordFileItem(block);
      const record = item === null ? null : unwrapRecord(block, item, source);
      return { block, roots: blockRoots(block), record };
    });
    return taken;
  };
  const verify = async (demands: UnitDemands): Promise<VerifiedItems> => {
    const block = take();
    return block.record === null
      ? verifyNative(block, bytes, source, demands, parts)
      : verifyWrapped(block, block.record, source, demands, parts);
  };
  /** What is wrong is told when the block is verified. */
  const prepare = async (demands: Pick<UnitDemands, 'mode' | 'trust'>): Promise<void> => {
    const { block, record, roots } = take();
    if (record === null) await proveRoot(block, roots, source, demands, parts);
  };
  return {
    instant: timestamp,
    blockNumber: number,
    isNative: !isWrapped,
    bytes,
    blockLinks() {
      const { block, record, roots } = take();
      const previousHash = record?.file.previousHash ?? block.footer.previousRoot;
      const hashes = record === null ? [roots[16], roots[8]] : [record.file.hash];
      return hashes.flatMap((hash) => (hash === null ? [] : [{ hash, previousHash, blockNumber: number }]));
    },
    name,
    isThere: true,
    prepare: (demands) => void prepare(demands).catch(() => {}),
    verify,
    absence: () => Promise.reject(new Error(`${path} is there`)),
    async previousHash(previous) {
      const links = linksOf(take(), source);
      const begins = links.recordPreviousHash === null ? EMPTY_TREE : ZERO_HASH;
      const found = followedHash(links, previous);
      return sameBytes(found, begins) ? null : found;
    },
  };
}

async function verifyWrapped(
  taken: TakenBlock,
  record: WrappedRecord,
  source: BlockSource,
  demands: UnitDemands,
  parts: BlockUnitParts,
): Promise<VerifiedItems> {
  const { file } = record;
  const { block, roots } = taken;
  const threshold = await proveByThreshold(taken, record, source, demands, parts);
  const isProven = threshold?.level === 'signatures';
  const proven = await proveRecord(record, source, demands, isProven);
  const { previousHash, tree } = await joined(taken, source, demands);
  const openingState = openingStateIn(block, source);
  // Nodes sign the record file alone, not what the state says.
  const isWeaker = openingState.length > 0 && proven.verification === 'signatures' && !isProven;
  return {
    header: {
      kind: 'block',
      isNative: false,
      name: record.recordName,
      version: file.version,
      hapiVersion: versionText(block.header.hapiVersion),
      blockNumber: block.header.number,
      hash: file.hash,
      previousHash,
      root: roots[16],
      fileHash: file.fileHash,
      size: file.uncompressedSize,
      verification: isWeaker ? 'chain' : proven.verification,
      ...(threshold === null ? {} : { proof: threshold.note }),
    },
    tree,
    followedRoot: block.footer.previousRoot,
    proof: isProven ? threshold.proof : null,
    items: file.items,
    openingState,
    sidecars: proven.sidecars,
    sidecarRecords: proven.sidecarRecords,
    rejectedSignatures: proven.rejectedSignatures,
  };
}

function openingStateIn({ header, items }: ParsedBlock, { path }: BlockSource): readonly OpeningState[] {
  if (header.number !== 0n) return [];
  const changes = items.flatMap(({ bytes, field }) =>
    field === ITEM.stateChanges ? [{ bytes, at: changedAt(bytes) }] : [],
  );
  return inFile(path, () => openingStateOf(changes, header.timestamp));
}

/** By proofs over its root, one of which suffices instead of the signatures of nodes; null without any. */
async function proveByThreshold(
  { block: { header, items }, roots }: TakenBlock,
  { proofs: signed, thresholdProofs: proofs }: WrappedRecord,
  { path: name }: BlockSource,
  { mode, trust }: UnitDemands,
  parts: BlockUnitParts,
): Promise<ProvenLevel | null> {
  if (proofs.length === 0) return null;
  const isDemanded = mode !== 'strict' || signed.length === 0;
  return proveBlock(
    { name, number: header.number, root: roots[16], proofs, items },
    { mode: isDemanded ? mode : 'signatures', ...(trust === undefined ? {} : { trust }) },
    parts.proofs,
  );
}

async function verifyNative(
  taken: TakenBlock,
  bytes: Uint8Array,
  source: BlockSource,
  demands: UnitDemands,
  parts: BlockUnitParts,
): Promise<VerifiedItems> {
  const { block, roots } = taken;
  const { previousHash, tree } = await joined(taken, source, demands);
  const {
    isUncheckable = false,
    level,
    note,
    proof,
    proveLater,
    root,
  } = await proveRoot(block, roots, source, withoutKeysOverJump(demands, previousHash), parts);
  const { accountStates, items, mayBeMoved, notes, openingState, sidecars, tokenStates } = inFile(
    source.path,
    () => blockRecords(block.items),
  );
  if (mayBeMoved && demands.mode === 'strict') {
    throw malformedFile(source.path, `${UNSURE}, which no proof excludes`);
  }
  const asFarAsProven = <Level extends Pick<ProvenLevel, 'level' | 'note'>>(proven: Level): Level =>
    mayBeMoved && proven.level === 'signatures'
      ? { ...proven, level: 'chain', note: `${proven.note}; ${UNSURE}` }
      : proven;
  const shown = asFarAsProven({ level, note });
  return {
    header: {
      kind: 'block',
      isNative: true,
      name: blockFileName(block.header.number, extensionOf(source.name)),
      version: NATIVE_VERSION,
      hapiVersion: versionText(block.header.hapiVersion),
      blockNumber: block.header.number,
      hash: root,
      previousHash,
      root,
      fileHash: sha384(bytes),
      size: source.bytes.length,
      verification: shown.level,
      proof: shown.note,
    },
    tree,
    followedRoot: block.footer.previousRoot,
    proof,
    isUncheckable,
    proveLater: proveLater === undefined ? undefined : () => proveLater().then(asFarAsProven),
    items,
    openingState,
    stated: { accountStates, tokenStates },
    notes,
    sidecars,
    sidecarRecords: recordsInSidecars(sidecars, source.path),
    rejectedSignatures: [],
  };
}

/** Keys that the chain vouches for do not vouch for a block that the chain does not lead to. */
function withoutKeysOverJump(demands: UnitDemands, previousHash: Uint8Array): UnitDemands {
  const { previous, trust } = demands;
  if (previous === null || trust === undefined || sameBytes(previousHash, previous.hash)) return demands;
  return { ...demands, trust: { ...trust, knownKeys: [] } };
}

/** A source that need not prove anything joins without checks, as far as it joins. */
async function joined(taken: TakenBlock, source: BlockSource, demands: UnitDemands): Promise<JoinedChain> {
  const links = linksOf(taken, source);
  if (demands.mode !== 'none') return joinChain(links, demands);
  return { previousHash: followedHash(links, demands.previous), tree: null };
}

function linksOf({ block, record }: TakenBlock, { path }: BlockSource): BlockLinks {
  return {
    number: block.header.number,
    begin: block.header.timestamp,
    footer: block.footer,
    recordPreviousHash: record?.file.previousHash ?? null,
    path,
  };
}

function versionText({ major, minor, patch }: HapiVersion): string {
  return `${major}.${minor}.${patch}`;
}

/** Makes the units of one source, which share what they learn of its stream. */
export function createBlockUnits(
  proofs: ProofCheck,
  limits: BlockLimits = {},
): (source: BlockSource) => BlockUnit {
  const parts: BlockUnitParts = { proofs, known: { form: null }, limits };
  return (source) => createBlockUnit(source, parts);
}
