import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { SourcePosition, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';
import type { InTurn } from './ledger-turns.ts';

interface CutoverParts {
  /** The source of the unit, which may also have the last record file as a block. */
  readonly source: Pick<StreamSource, 'list'>;
  readonly inTurn: InTurn;
  /** Begin of the last record file. */
  readonly lastStart: () => Promise<ConsensusTimestamp | null>;
  /** Called with the root of the last record file as a block, which the ledger did not know. */
  readonly keepRoot: (last: ChainEnd, root: Uint8Array) => Promise<void>;
  /** A block that joins the one before it by another way than its root, and why. */
  readonly onUnlinked: (unit: StreamUnit, previous: ChainEnd, reason: string) => void;
}

/**
 * Lets a unit verify itself, and says where the root that a block names is not that of the record file before it.
 *
 * Nodes may wrap their record files anew, so such a root proves nothing: the hashes of the files join wrapped blocks, its
 * own proof decides on the first native one.
 *
 * @throws IngestError what the unit throws.
 * @see contracts/streams.md sections 9.5 and 16.3
 */
export async function verifyOverCutover(
  unit: StreamUnit,
  demands: UnitDemands,
  parts: CutoverParts,
): Promise<VerifiedUnit> {
  const verified = await parts.inTurn(unit.verify(demands));
  const { previous } = demands;
  const { followedRoot: named, header } = verified;
  if (previous === null || previous.isNative || named === undefined) return verified;
  const taken = { ...verified, header: { ...header, previousRoot: named } };
  // Behind an accepted gap it names a block that the ledger does not have.
  if (!sameBytes(header.previousHash, previous.hash)) return taken;
  const unlinked = (reason: string) => parts.onUnlinked(unit, previous, reason);
  const isNamed = (root: Uint8Array | null): boolean => root !== null && sameBytes(root, named);
  let { root } = previous;
  // A copy that nothing proves may have told the root of a record file: what the source has may be another.
  if (header.isNative && previous.kind === 'record' && !isNamed(root)) {
    const last = await lastAsBlock(previous, demands, parts);
    const isOwn = last !== null && sameBytes(last.hash, previous.hash);
    if (isOwn && last.root !== null && (root === null || isNamed(last.root))) {
      ({ root } = last);
      await parts.keepRoot(previous, last.root);
    } else if (root === null) {
      unlinked(
        last === null
          ? 'the source does not have that file as a block, whose root it names'
          : 'the source has another file as that block',
      );
    }
  }
  if (root !== null && !isNamed(root))
    unlinked('its root is not the one that the block names: record files were wrapped anew');
  return taken;
}

/**
 * The root of a block that wraps the last record file, as far as it is needed; null elsewhere.
 *
 * Only where another source stored that file while this one looked does a source give such a copy: sources list what is
 * beyond the end of the ledger. The first native block asks its own source.
 */
export async function wrappedRoot(unit: StreamUnit, demands: UnitDemands): Promise<Uint8Array | null> {
  const { previous: last } = demands;
  if (last === null || last.isNative || last.root !== null || last.blockNumber !== unit.blockNumber)
    return null;
  const { header } = (await verifiedAlone(unit, { ...demands, mode: 'chain' })) ?? {};
  return header !== undefined && sameBytes(header.hash, last.hash) ? header.root : null;
}

/** A unit wherever it stands in the chain; null when it does not hold. */
export async function verifiedAlone(unit: StreamUnit, demands: UnitDemands): Promise<VerifiedUnit | null> {
  try {
    return await unit.verify({ ...demands, previous: null });
  } catch (error) {
    if (error instanceof IngestError && !isSourceFault(error)) return null;
    throw error;
  }
}

/** The last record file as a block; null when the source does not have it. */
async function lastAsBlock(
  last: ChainEnd,
  demands: UnitDemands,
  { inTurn, lastStart, source }: CutoverParts,
): Promise<VerifiedUnit['header'] | null> {
  const start = await lastStart();
  if (start === null || last.blockNumber === null) return null;
  const before: SourcePosition = {
    time: consensusTimestamp(start - 1n),
    blockNumber: last.blockNumber - 1n,
    isNative: false,
  };
  const header = await inTurn(firstHeader(source, before, demands));
  const isLast = header?.kind === 'block' && !header.isNative && header.blockNumber === last.blockNumber;
  return isLast ? header : null;
}

/** What the first unit beyond a position tells of itself; null when there is none that holds. */
async function firstHeader(
  source: CutoverParts['source'],
  after: SourcePosition,
  demands: UnitDemands,
): Promise<VerifiedUnit['header'] | null> {
  const ending = new AbortController();
  try {
    const { pages } = await source.list(after, ending.signal);
    for await (const [unit] of pages) {
      if (unit === undefined) continue;
      // Its place in the chain is the question; the record file in it was proven when the ledger took it.
      return (await verifiedAlone(unit, { ...demands, mode: 'chain' }))?.header ?? null;
    }
    return null;
  } catch (error) {
    if (error instanceof IngestError && !isSourceFault(error)) return null;
    throw error;
  } finally {
    ending.abort();
  }
}
