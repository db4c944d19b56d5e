import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { groupBy } from '../../../values/group-by.ts';
import type { BlockSource } from '../block/block-source.ts';
import type { BlockUnit } from '../block/block-unit.ts';
import { IngestError } from '../errors.ts';
import { nodeText } from '../record-file/unit-files.ts';
import { sameBytes } from '../sha384.ts';
import type { SourcePosition } from '../units/stream-source.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';
import type { FoundFile } from './stream-files.ts';

/** The files of one block, a copy each. */
export interface BlockFiles {
  /** Null for a file that was named itself and tells none. */
  readonly number: bigint | null;
  readonly copies: readonly FoundFile[];
}

/** Makes units of the blocks of a folder. */
export type MakeBlock = (source: BlockSource) => BlockUnit;

/** A block that was read, whether it can be or not. */
interface ReadBlock {
  readonly unit: StreamUnit;
  readonly isNative: boolean;
  /** Whether its time is known. */
  readonly isReadable: boolean;
}

/** Blocks whose files are in memory at once. */
const READ_AHEAD = 6;

/** Puts copies of one number together, in the order of the numbers; empty files are none. */
export function groupBlocks(files: readonly FoundFile[]): readonly BlockFiles[] {
  const found = files.filter(({ number = null, size }) => number !== null && size !== 0);
  return [...groupBy(found, ({ number }) => number ?? 0n)]
    .map(([number, copies]) => ({
      number,
      copies: [...copies].sort((one, other) => (one.path < other.path ? -1 : 1)),
    }))
    .sort((one, other) => (one.number < other.number ? -1 : 1));
}

/** The blocks that begin after a time, where nobody knows their numbers: a few of them are read to find the first. */
export async function blocksAfter(
  blocks: readonly BlockFiles[],
  time: ConsensusTimestamp,
  makeBlock: MakeBlock,
): Promise<readonly BlockFiles[]> {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = blocks[middle];
    if (block === undefined) break;
    const { unit } = await readBlock(block, time, makeBlock);
    if (unit.instant > time) high = middle;
    else low = middle + 1;
  }
  return blocks.slice(low);
}

/**
 * Record files and blocks of one place in the order of time, blocks read one by one as they are asked for.
 *
 * A record file that is there as a block too is one unit. Between a block and the next number there is none, whatever its
 * name says: times may step back. Record files after the first native block are left out.
 *
 * @param after the end of the ledger
 * @param leaveOut called with how many record files are left out
 */
export async function* mergedPages(
  records: readonly StreamUnit[],
  blocks: readonly BlockFiles[],
  after: SourcePosition | null,
  makeBlock: MakeBlock,
  leaveOut: (count: number) => void,
): AsyncGenerator<readonly StreamUnit[]> {
  let last = after?.begin ?? after?.time ?? consensusTimestamp(0n);
  let lastNumber = after === null ? -1n : after.blockNumber;
  const ofInstant = new Map(records.toReversed().map((record) => [record.instant, record]));
  const given = new Set<StreamUnit>();
  /** All records before it are given. */
  let first = 0;
  let isNative = false;
  for (const block of readAhead(blocks)) {
    const read = await readBlock(block, last, makeBlock);
    while (given.has(records[first] as StreamUnit)) first++;
    const { instant } = read.isReadable ? read.unit : (records[first] ?? read.unit);
    const { number } = block;
    const isNext = number !== null && lastNumber !== null && number === lastNumber + 1n;
    const found = isNative ? undefined : ofInstant.get(instant);
    const same = found !== undefined && given.has(found) ? undefined : found;
    const before: StreamUnit[] = [];
    if (!isNative && !isNext) {
      for (; (records[first]?.instant ?? instant) < instant; first++) {
        const record = records[first];
        if (record !== undefined && !given.has(record)) before.push(record);
      }
    }
    for (const record of same === undefined ? before : [...before, same]) given.add(record);
    if (before.length > 0) yield before;
    yield [same === undefined || read.isNative ? read.unit : blockWithRecord(read.unit, same)];
    isNative ||= read.isNative;
    [last, lastNumber] = [instant, number];
  }
  const rest = records.filter((record) => !given.has(record));
  if (!isNative && rest.length > 0) yield rest;
  leaveOut(isNative ? rest.length : 0);
}

/**
 * The blocks, with the files of the next ones being read already: a source that makes the run wait for each would have
 * each stored in a commit of its own.
 */
function* readAhead(blocks: readonly BlockFiles[]): Generator<BlockFiles> {
  const begun = new Map<number, BlockFiles>();
  for (const [index, block] of blocks.entries()) {
    for (let next = index; next < Math.min(index + READ_AHEAD, blocks.length); next++) {
      const each = blocks[next];
      if (each !== undefined && !begun.has(next)) begun.set(next, beginReading(each));
    }
    yield begun.get(index) ?? block;
    begun.delete(index);
  }
}

function beginReading({ copies, number }: BlockFiles): BlockFiles {
  return {
    number,
    copies: copies.map((copy) => {
      const reading = copy.read();
      // Whoever asks for the bytes gets the fault.
      reading.catch(() => {});
      return { ...copy, read: () => reading };
    }),
  };
}

/** A block that cannot be read refuses itself when it is asked. */
async function readBlock(
  { copies, number }: BlockFiles,
  after: ConsensusTimestamp,
  makeBlock: MakeBlock,
): Promise<ReadBlock> {
  const whole: BlockCopy[] = [];
  const failures: { readonly node: string; readonly error: IngestError }[] = [];
  for (const { name, node, path, read } of copies) {
    try {
      whole.push({
        unit: makeBlock({ name, path, node, number, bytes: await read() }),
        node: nodeText(node),
      });
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      failures.push({ node: nodeText(node), error });
    }
  }
  const [first, ...others] = whole;
  if (first === undefined) {
    const unit = unreadable(copies[0]?.name ?? '', number, after, failures[0]?.error);
    return { unit, isNative: false, isReadable: false };
  }
  const unit = blockOfCopies([first, ...others]);
  const told: StreamUnit = {
    ...unit,
    verify(demands) {
      for (const { error, node } of failures) demands.onRejected?.(node, error.code);
      return unit.verify(demands);
    },
  };
  return { unit: failures.length === 0 ? unit : told, isNative: first.unit.isNative, isReadable: true };
}

/** A block by which a source shows whose ledger it has, read when it is needed; none where its file has no number. */
export function shownBlock(
  block: BlockFiles,
  after: ConsensusTimestamp,
  makeBlock: MakeBlock,
): readonly StreamUnit[] {
  const { copies, number } = block;
  const [first] = copies;
  if (first === undefined || number === null) return [];
  const unit = async () => (await readBlock(block, after, makeBlock)).unit;
  const shown: StreamUnit = {
    instant: after,
    name: first.name,
    blockNumber: number,
    isThere: true,
    verify: async (demands) => (await unit()).verify(demands),
    absence: async (demands) => (await unit()).absence(demands),
    previousHash: async (previous) => (await unit()).previousHash(previous),
    async *links() {
      for (const { name, node, path, read } of copies) {
        try {
          yield* makeBlock({ name, path, node, number, bytes: await read() }).blockLinks();
        } catch (error) {
          // A copy that cannot be read shows nothing.
          if (!(error instanceof IngestError)) throw error;
        }
      }
    },
  };
  return [shown];
}

function unreadable(
  name: string,
  number: bigint | null,
  after: ConsensusTimestamp,
  error: IngestError | undefined,
): StreamUnit {
  const refuse = () =>
    Promise.reject(error ?? new IngestError('unreadable_file', `There is no copy of ${name}`));
  return {
    instant: consensusTimestamp(after + 1n),
    name,
    ...(number === null ? {} : { blockNumber: number }),
    isThere: true,
    verify: refuse,
    absence: refuse,
    previousHash: refuse,
  };
}

/** One copy of a block, and who made it. */
export interface BlockCopy {
  readonly unit: BlockUnit;
  /** Empty where nobody knows it. */
  readonly node: string;
}

/**
 * A block of which several copies are there: the first that holds is taken, one that is proven before one that is not.
 * Copies with other bytes are tried too, as two blocks of one number that are proven alike are a fork.
 */
export function blockOfCopies(copies: readonly [BlockCopy, ...BlockCopy[]]): StreamUnit {
  const [{ unit }] = copies;
  const different = copies.filter(
    (copy, index) => copies.findIndex((other) => sameBytes(other.unit.bytes, copy.unit.bytes)) === index,
  );
  if (different.length === 1) return unit;
  return { ...unit, verify: (demands) => verifyCopies(different, { ...demands, mayProveLater: false }) };
}

async function verifyCopies(copies: readonly BlockCopy[], demands: UnitDemands): Promise<VerifiedUnit> {
  const held: VerifiedUnit[] = [];
  let failure: unknown = null;
  for (const { node, unit } of copies) {
    const verified = await unit.verify(demands).catch((error: unknown) => {
      if (!(error instanceof IngestError)) throw error;
      demands.onRejected?.(node, error.code);
      // A copy that fails the chain check alone is intact.
      if (failure === null || error.code === 'chain_mismatch') failure = error;
      return null;
    });
    if (verified !== null) held.push(verified);
  }
  // What only says that it is newer does not stand beside what is proven.
  const proven = held.filter(isProven);
  const [found, ...others] = proven.length > 0 ? proven : held;
  if (found === undefined) throw failure;
  if (others.some(({ header }) => !sameBytes(header.hash, found.header.hash))) {
    throw new IngestError(
      'fork',
      `There are two valid blocks ${copies[0]?.unit.blockNumber} (${found.header.name} and others): the network has forked, or one copy is forged`,
    );
  }
  return found;
}

function isProven({ header }: VerifiedUnit): boolean {
  return header.verification === 'signatures';
}

/**
 * A record file that is there as a wrapped block too. The block is taken, whose root native blocks after it name, and of the
 * record file the sidecars that the block does not have; the record file alone when the block does not hold.
 */
function blockWithRecord(block: StreamUnit, record: StreamUnit): StreamUnit {
  if (!record.isThere) return block;
  return {
    ...block,
    // That of a block that cannot be read is a guess.
    instant: record.instant,
    async verify(demands) {
      let verified: VerifiedUnit;
      try {
        verified = await block.verify(demands);
      } catch (error) {
        if (!(error instanceof IngestError) || error.code === 'fork') throw error;
        demands.onRejected?.('', error.code);
        return record.verify(demands).catch(() => {
          throw error;
        });
      }
      if ('rows' in verified || verified.sidecars.every(({ contents }) => contents !== null)) return verified;
      const other = await record.verify(demands).catch(() => null);
      if (other === null || 'rows' in other) return verified;
      return { ...verified, sidecars: other.sidecars, sidecarRecords: other.sidecarRecords };
    },
  };
}
