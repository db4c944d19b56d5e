import { type ConsensusTimestamp, timestampFromParts } from '../../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { FieldWalk, varintOf, type WireField, walkFields } from '../../protobuf/wire.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import type { BlockPart } from '../block-records/read-transactions.ts';
import { IngestError, inFile, malformedFile } from '../errors.ts';

/** One item of a block; all bytes are views of the block as it came. */
export interface BlockItem extends BlockPart {
  /** The whole serialized item: what is hashed into the root. */
  readonly leaf: Uint8Array;
}

/** What a block says of itself at its beginning. */
interface BlockHeader {
  readonly number: bigint;
  readonly timestamp: ConsensusTimestamp;
  /** The serialized `Timestamp`, as it is hashed. */
  readonly timestampBytes: Uint8Array;
  readonly hapiVersion: HapiVersion;
}

/** Release of the network's API. */
export interface HapiVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The roots that a block ends with, 48 bytes each. */
export interface BlockFooter {
  readonly previousRoot: Uint8Array;
  /** Of the tree over the roots of all blocks before it. */
  readonly allBlocksRoot: Uint8Array;
  /** Of the state at its beginning. */
  readonly stateRoot: Uint8Array;
}

/** A block taken apart, before any check of its proof or its neighbours. */
export interface ParsedBlock {
  readonly header: BlockHeader;
  /** All items in their order, but for the footer and the proofs. */
  readonly items: readonly BlockItem[];
  readonly footer: BlockFooter;
  /** Serialized `BlockProof` messages; at least one. */
  readonly proofs: readonly Uint8Array[];
}

/** The tree under the root into which an item is hashed; extensions have a number, 0 to 7. */
export type Subtree = 'headers' | 'input' | 'output' | 'state' | 'trace' | number;

/** What becomes of an item: hashed, left out of the root, or a reason to refuse the block. */
type ItemKind = { readonly subtree: Subtree } | 'unhashed' | 'unsupported';

const KNOWN: ReadonlyMap<number, ItemKind> = new Map<number, ItemKind>([
  [ITEM.header, { subtree: 'output' }],
  [ITEM.eventHeader, { subtree: 'headers' }],
  [ITEM.roundHeader, { subtree: 'headers' }],
  [ITEM.signedTransaction, { subtree: 'input' }],
  [ITEM.transactionResult, { subtree: 'output' }],
  [ITEM.transactionOutput, { subtree: 'output' }],
  [ITEM.stateChanges, { subtree: 'state' }],
  [ITEM.proof, 'unhashed'],
  [ITEM.recordFile, { subtree: 'output' }],
  [ITEM.traceData, { subtree: 'trace' }],
  [ITEM.footer, 'unhashed'],
]);

/** Kinds of items that later releases may add, by their number mod 20. */
const LATER: readonly ItemKind[] = [
  'unhashed',
  'unsupported',
  'unsupported',
  { subtree: 'headers' },
  { subtree: 'input' },
  { subtree: 'output' },
  { subtree: 'state' },
  { subtree: 'trace' },
  ...Array.from({ length: 8 }, (_, extension): ItemKind => ({ subtree: extension })),
  'unsupported',
  'unsupported',
  'unsupported',
  'unhashed',
];
const FIRST_LATER = LATER.length;

/**
 * The kind of an item with this number.
 *
 * @see contracts/streams.md section 9.2
 */
export function itemKind(field: number): ItemKind {
  const kind = field < FIRST_LATER ? KNOWN.get(field) : LATER[field % FIRST_LATER];
  return kind ?? 'unsupported';
}

const ITEMS_FIELD = 1;
const LENGTH_DELIMITED = 2;
const HASH_BYTES = 48;
/** Networks write one proof, some KiB; one through thousands of later blocks is about as long as this. */
const MAX_PROOFS = 16;
const MAX_PROOF_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
/** Whole seconds that an int64 of nanoseconds holds. */
const MAX_SECONDS = MAX_INT64 / 1_000_000_000n - 1n;

/** What the beginning of a block tells. */
interface BlockBegin {
  readonly header: BlockHeader;
  readonly isWrapped: boolean;
}

/** @see contracts/streams.md section 17.5 */
const MAX_ITEMS = 800_000;

/**
 * Takes a block apart, strictly: what is not hashed into its root must be what it is expected to be.
 *
 * @param bytes unpacked
 * @param name for errors
 * @throws IngestError `malformed`, `unsupported_item`, `unsupported_version`.
 * @see contracts/streams.md section 9.2
 */
export function parseBlock(bytes: Uint8Array, name: string, maxItems = MAX_ITEMS): ParsedBlock {
  return inFile(name, () => {
    const all: BlockItem[] = [];
    for (const walk = new FieldWalk(bytes); walk.next(); ) {
      if (all.length === maxItems) throw malformedFile(name, `it has more than ${maxItems} items`);
      all.push(blockItem(bytes, walk, name));
    }
    const [first] = all;
    if (first?.field !== ITEM.header) throw malformedFile(name, 'it does not begin with a block header');
    const footerAt = all.findIndex(({ field }) => field === ITEM.footer);
    if (footerAt < 0) throw withoutFooter(name, all.some(isProof));
    const items = all.slice(0, footerAt);
    const proofs = all.slice(footerAt + 1).filter(({ field }) => !isIgnored(field));
    if (proofs[0]?.field !== ITEM.proof)
      throw malformedFile(name, 'its footer is not followed by a proof: it may be cut off');
    if (!proofs.every(isProof)) throw malformedFile(name, 'items follow its proof');
    for (const { field } of items.slice(1)) {
      if (field === ITEM.header) throw malformedFile(name, 'it has two headers');
      if (field === ITEM.proof) throw malformedFile(name, 'a proof stands before its footer');
      if (itemKind(field) === 'unsupported') throw unsupported(name, field);
    }
    demandFewProofs(proofs, name);
    return {
      header: readHeader(first.bytes, name),
      items,
      footer: readFooter(all[footerAt]?.bytes ?? new Uint8Array(), name),
      proofs: proofs.map(({ bytes: proof }) => proof),
    };
  });
}

/**
 * Reads the header of a block, and as much after it as tells whether it is a wrapped record file.
 *
 * @throws IngestError `malformed`.
 */
export function parseBlockBegin(bytes: Uint8Array, name: string): BlockBegin {
  return inFile(name, () => {
    let header: BlockHeader | null = null;
    for (const walk = new FieldWalk(bytes); walk.next(); ) {
      const { bytes: member, field } = blockItem(bytes, walk, name);
      if (header === null) {
        if (field !== ITEM.header) break;
        header = readHeader(member, name);
      } else if (field !== ITEM.stateChanges) return { header, isWrapped: field === ITEM.recordFile };
    }
    if (header === null) throw malformedFile(name, 'it does not begin with a block header');
    return { header, isWrapped: false };
  });
}

const isProof = ({ field }: BlockItem): boolean => field === ITEM.proof;

/** Whether nothing depends on an item of this number, wherever it stands. */
function isIgnored(field: number): boolean {
  return field >= FIRST_LATER && itemKind(field) === 'unhashed';
}

/** The item at which a walk over a block stands. Anything beside its one member could change what it means without a trace. */
function blockItem(block: Uint8Array, at: FieldWalk, name: string): BlockItem {
  if (at.number !== ITEMS_FIELD || at.wireType !== LENGTH_DELIMITED) {
    throw malformedFile(name, `field ${at.number} of a block is unknown`);
  }
  const walk = new FieldWalk(block, at.start, at.end);
  if (!walk.next()) throw malformedFile(name, 'it has an empty item');
  const { bytes, number: field, wireType } = walk;
  if (walk.next()) {
    throw new IngestError('unsupported_item', `Item ${field} of block file ${name} has an additional field`);
  }
  if (wireType !== LENGTH_DELIMITED) throw malformedFile(name, `item ${field} is not a message`);
  return { field, bytes, leaf: at.bytes };
}

/** Each of them may cost a second. */
function demandFewProofs(proofs: readonly BlockItem[], name: string): void {
  const size = proofs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (proofs.length <= MAX_PROOFS && size <= MAX_PROOF_BYTES) return;
  throw malformedFile(
    name,
    `it has more than ${MAX_PROOFS} proofs, or more than ${MAX_PROOF_BYTES} bytes of them`,
  );
}

function readHeader(bytes: Uint8Array, name: string): BlockHeader {
  if (bytes.length > MAX_HEADER_BYTES)
    throw malformedFile(name, `its header has more than ${MAX_HEADER_BYTES} bytes`);
  let number = 0n;
  let timestampBytes: Uint8Array | null = null;
  let hapiVersion: HapiVersion = { major: 0, minor: 0, patch: 0 };
  const seen = new Set<number>();
  for (const field of walkFields(bytes)) {
    if (seen.has(field.number)) throw malformedFile(name, `its header repeats field ${field.number}`);
    seen.add(field.number);
    if (field.number === 1) hapiVersion = readVersion(ofType(field, LENGTH_DELIMITED, name).bytes);
    if (field.number === 3) number = BigInt.asIntN(64, varintOf(ofType(field, 0, name).bytes));
    if (field.number === 4) timestampBytes = ofType(field, LENGTH_DELIMITED, name).bytes;
    // 0 is SHA2_384 and left out by writers.
    if (field.number === 5 && varintOf(ofType(field, 0, name).bytes) !== 0n) {
      throw malformedFile(name, 'its hash algorithm is unknown');
    }
  }
  if (timestampBytes === null) throw malformedFile(name, 'its header has no time');
  if (number < 0n) throw malformedFile(name, `its header says block ${number}`);
  return { number, timestamp: readTimestamp(timestampBytes, name), timestampBytes, hapiVersion };
}

function readVersion(bytes: Uint8Array): HapiVersion {
  const part = (number: number): number => {
    let value = 0n;
    for (const field of walkFields(bytes)) {
      if (field.number === number && field.wireType === 0) value = varintOf(field.bytes);
    }
    return Number(BigInt.asIntN(32, value));
  };
  return { major: part(1), minor: part(2), patch: part(3) };
}

function readTimestamp(bytes: Uint8Array, name: string): ConsensusTimestamp {
  let [seconds, nanos] = [0n, 0n];
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    if (wireType === 0 && number === 1) seconds = BigInt.asIntN(64, varintOf(value));
    if (wireType === 0 && number === 2) nanos = BigInt.asIntN(64, varintOf(value));
  }
  const isInRange = seconds >= 0n && seconds <= MAX_SECONDS && nanos >= 0n && nanos <= 999_999_999n;
  if (!isInRange) throw malformedFile(name, 'the time in its header is out of range');
  return timestampFromParts(seconds, Number(nanos));
}

/** Each hash is a leaf under the root; an unknown field would not be. */
function readFooter(bytes: Uint8Array, name: string): BlockFooter {
  const hashes = new Map<number, Uint8Array>();
  for (const { bytes: hash, number, wireType } of walkFields(bytes)) {
    const isHash = wireType === LENGTH_DELIMITED && hash.length === HASH_BYTES;
    if (number > 3 || !isHash || hashes.has(number))
      throw malformedFile(name, `field ${number} of its footer is wrong`);
    hashes.set(number, hash);
  }
  const hash = (number: number): Uint8Array => {
    const found = hashes.get(number);
    if (found === undefined) throw malformedFile(name, `its footer lacks hash ${number}`);
    return found;
  };
  return { previousRoot: hash(1), allBlocksRoot: hash(2), stateRoot: hash(3) };
}

function ofType(field: WireField, wireType: number, name: string): WireField {
  if (field.wireType !== wireType) throw malformedFile(name, `field ${field.number} of its header is wrong`);
  return field;
}

function withoutFooter(name: string, hasProof: boolean): IngestError {
  if (!hasProof) return malformedFile(name, 'it has neither footer nor proof: it is cut off');
  return new IngestError(
    'unsupported_version',
    `The block file ${name} has no footer: blocks of this form were written until early 2025 and are not supported`,
  );
}

function unsupported(name: string, field: number): IngestError {
  const what =
    field === ITEM.filtered
      ? 'a filtered item'
      : field === ITEM.redacted
        ? 'a redacted item'
        : `an item of kind ${field}`;
  return new IngestError(
    'unsupported_item',
    `The block file ${name} has ${what}, which is not supported: get a copy with all items, or a newer version of this program`,
  );
}
