import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { SourcePosition, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';
import type { InTurn } from './ledger-turns.ts';

export interface CutoverParts {
  /** The source of the unit, which may also have the last record file as a block. */
  readonly source: Pick<StreamSource, 'list'>;
  readonly inTurn: InTurn;
  /** Begin of the last record file. */
  readonly lastStart: () => Promise<ConsensusTimestamp | null>;
  /** The first native block joins the record files by its number alone. */
  readonly onUnlinked: (unit: StreamUnit, previous: ChainEnd) => void;
}

/**
 * Lets a unit verify itself; the first native block after a record file also against the root of that file, wrapped.
 *
 * Nobody compares the hash of a record file with the root that the first native block names. A source that has the last
 * record file as a block tells that root.
 *
 * @throws IngestError what the unit throws; `chain_mismatch` when the block follows another record file.
 * @see contracts/streams.md section 16.3, row first native block
 */
export async function verifyOverCutover(
  unit: StreamUnit,
  demands: UnitDemands,
  parts: CutoverParts,
): Promise<VerifiedUnit> {
  const verified = await parts.inTurn(unit.verify(demands));
  const { previous } = demands;
  if (previous === null || previous.isNative || previous.root !== null || !verified.header.isNative) {
    return verified;
  }
  const root = await wrappedRoot(previous, demands, parts);
  if (root !== null) return parts.inTurn(unit.verify({ ...demands, previous: { ...previous, root } }));
  parts.onUnlinked(unit, previous);
  return verified;
}

/** Root of the last record file as a block; null when the source does not have it. */
async function wrappedRoot(
  last: ChainEnd,
  demands: UnitDemands,
  { inTurn, lastStart, source }: CutoverParts,
): Promise<Uint8Array | null> {
  const start = await lastStart();
  if (start === null || last.blockNumber === null) return null;
  const before: SourcePosition = {
    time: consensusTimestamp(start - 1n),
    blockNumber: last.blockNumber - 1n,
    isNative: false,
  };
  const header = await inTurn(firstHeader(source, before, demands));
  const isLast = header?.kind === 'block' && !header.isNative && header.blockNumber === last.blockNumber;
  if (header === null || !isLast) return null;
  if (sameBytes(header.hash, last.hash)) return header.root;
  throw new IngestError(
    'chain_mismatch',
    `Block ${last.blockNumber} contains a different record file than the ledger: the native blocks after it belong to another chain`,
  );
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
      return (await unit.verify({ ...demands, mode: 'chain', previous: null })).header;
    }
    return null;
  } catch (error) {
    if (error instanceof IngestError && !isSourceFault(error)) return null;
    throw error;
  } finally {
    ending.abort();
  }
}
