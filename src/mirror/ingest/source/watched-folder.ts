import { isPast, listedAfter, type StreamSource } from '../units/stream-source.ts';
import { type BlockFiles, groupBlocks } from './block-pages.ts';
import { findAddressBook, missing } from './directory-source.ts';
import type { FileTree } from './file-tree.ts';
import { createFolderListing, type FolderParts } from './folder-units.ts';
import { type FoundUnitFiles, groupUnits } from './group-units.ts';
import { createLeftOutRecords } from './left-out-records.ts';
import { type FoundFile, findStreamFiles } from './stream-files.ts';

/**
 * A folder into which a network or an uploader writes while it is read, asked again and again.
 *
 * A record file counts when a signature lies beside it or its size is that of the last time; until then it
 * may still grow, and nothing after it is given either, so that no unit is passed over. A block counts when its size is
 * that of the last time.
 *
 * @see contracts/streams.md section 11, row Directory source
 */
export function createWatchedFolder(
  path: string,
  tree: FileTree,
  { loadBlocks, warn = () => {} }: FolderParts = {},
): StreamSource {
  const listing = createFolderListing(loadBlocks);
  const leftOut = createLeftOutRecords(path, warn);
  let sizes: ReadonlyMap<string, number | null> = new Map();
  return {
    name: path,
    addressBook: () => findAddressBook(tree, path),
    async list(position) {
      const after = listedAfter(position);
      const isStored = ({ instant }: FoundUnitFiles): boolean => isPast(instant, position);
      if ((await tree.kindOf(path)) !== 'folder') throw missing(path);
      const afterBlock = position?.blockNumber ?? null;
      const files = await findStreamFiles({ tree, after, afterBlock, skipsOld: true }, path);
      const all = groupUnits(files);
      const [stored, units] = [all.filter(isStored), all.filter((unit) => !isStored(unit))];
      const blocks = groupBlocks(files);
      const before = sizes;
      const growing = [...units.flatMap(({ records }) => records), ...blocks.flatMap(({ copies }) => copies)];
      sizes = new Map(growing.map((file) => [file.path, file.size]));
      const content = {
        records: [...stored, ...wholeUnits(units, before)],
        blocks: wholeBlocks(blocks, before),
      };
      return listing(content, position, (count) => leftOut.take(count));
    },
    standing: () => leftOut.standing(),
  };
}

/** Blocks up to the first of which no copy is known to be whole; those that are stored have no size. */
function wholeBlocks(
  blocks: readonly BlockFiles[],
  sizes: ReadonlyMap<string, number | null>,
): readonly BlockFiles[] {
  const whole: BlockFiles[] = [];
  for (const block of blocks) {
    const copies = block.copies.filter(({ path, size }) => size === null || sizes.get(path) === size);
    if (copies.length === 0) break;
    whole.push({ ...block, copies });
  }
  return whole;
}

/**
 * Units up to the first of which no copy is known to be whole, with their whole copies alone.
 *
 * One with nothing but signatures or empty files is given as it is: whether it can be waited for is not known here.
 */
function wholeUnits(
  units: readonly FoundUnitFiles[],
  sizes: ReadonlyMap<string, number | null>,
): readonly FoundUnitFiles[] {
  const whole: FoundUnitFiles[] = [];
  for (const unit of units) {
    const signatures = unit.signatures.filter(({ size }) => size !== 0);
    const folders = new Set(signatures.map(({ folder }) => folder));
    const isWhole = ({ folder, path, size }: FoundFile) => folders.has(folder) || sizes.get(path) === size;
    const records = unit.records.filter(isWhole);
    if (records.length === 0 && unit.records.length > 0) break;
    whole.push({ ...unit, records, signatures });
  }
  return whole;
}
