import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { createRecordUnit, type RecordUnit } from '../record-unit/record-unit.ts';
import { isPast, onePage, type SourceListing, type SourcePosition } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { type BlockFiles, blocksAfter, type MakeBlock, mergedPages, shownBlock } from './block-pages.ts';
import type { FoundUnitFiles } from './group-units.ts';

/** Loads what makes units of blocks; called when a folder has some. */
type LoadBlocks = () => Promise<MakeBlock>;

/** What a folder may be given. */
export interface FolderParts {
  readonly loadBlocks?: LoadBlocks;
  /** For the operator. Default: nobody hears it. */
  readonly warn?: (message: string) => void;
}

/** What a folder has, in the order of time and of numbers. */
export interface FolderContent {
  readonly records: readonly FoundUnitFiles[];
  readonly blocks: readonly BlockFiles[];
}

/** Tells the operator how many record files after the first native block are left out. */
type TellLeftOut = (count: number) => void;

/** One of them may be a stray file. */
const NEWEST_OLDER = 4;

const BLOCKS: LoadBlocks = async () => {
  const [{ createBlockUnits }, { createProofChecker }] = await Promise.all([
    import('../block/block-unit.ts'),
    // With it comes the arithmetic of proofs, which record files do not need.
    import('../proof-threads/proof-checker.ts'),
  ]);
  return createBlockUnits(createProofChecker());
};

/** Lists the units of a folder beyond a position. */
export function createFolderListing(loadBlocks: LoadBlocks = BLOCKS) {
  let loaded: Promise<MakeBlock> | null = null;
  return async (
    { blocks, records }: FolderContent,
    position: SourcePosition | null,
    leaveOut: TellLeftOut,
  ): Promise<SourceListing> => {
    const older = records.filter((unit) => isPast(unit.instant, position) && unit.records.length > 0);
    const newer = records.filter(({ instant }) => !isPast(instant, position));
    const units: readonly RecordUnit[] = position?.isNative === true ? [] : newer.map(createRecordUnit);
    const listed = {
      isNear: true,
      older: older.map(({ instant }): ConsensusTimestamp => instant),
      newestOlder:
        position?.isNative === true ? [] : older.slice(-NEWEST_OLDER).reverse().map(createRecordUnit),
    };
    if (position?.isNative === true) leaveOut(newer.length);
    const last = blocks.at(-1);
    if (last === undefined) return { ...listed, pages: onePage<StreamUnit>(units) };
    loaded ??= loadBlocks();
    const makeBlock = await loaded;
    const beyond = await blocksBeyond(blocks, position, makeBlock);
    const olderBlocks = blocks.length - beyond.length;
    if (beyond.length === 0) {
      const shown = position === null ? [] : shownBlock(last, position.time, makeBlock);
      const newestOlder = [...shown, ...listed.newestOlder];
      return { ...listed, newestOlder, olderBlocks, pages: onePage<StreamUnit>(units) };
    }
    return { ...listed, olderBlocks, pages: mergedPages(units, beyond, position, makeBlock, leaveOut) };
  };
}

async function blocksBeyond(
  blocks: readonly BlockFiles[],
  position: SourcePosition | null,
  makeBlock: MakeBlock,
): Promise<readonly BlockFiles[]> {
  if (position === null) return blocks;
  const { blockNumber, time } = position;
  if (blockNumber === null) return blocksAfter(blocks, time, makeBlock);
  return blocks.filter(({ number }) => number === null || number > blockNumber);
}
