import { createRecordUnit, type RecordUnit } from '../record-unit/record-unit.ts';
import { onePage, type StreamSource } from '../units/stream-source.ts';
import { findAddressBook, missing } from './directory-source.ts';
import type { FileTree } from './file-tree.ts';
import { type FoundUnitFiles, groupUnits } from './group-units.ts';
import { type FoundFile, findStreamFiles } from './stream-files.ts';

/**
 * A folder into which a network or an uploader writes while it is read, asked again and again.
 *
 * A record file counts when a signature lies beside it or its size is that of the last time; until then it
 * may still grow, and nothing after it is given either, so that no unit is passed over.
 *
 * @see contracts/streams.md section 11, row Directory source
 */
export function createWatchedFolder(path: string, tree: FileTree): StreamSource<RecordUnit> {
  let sizes: ReadonlyMap<string, number | null> = new Map();
  return {
    name: path,
    addressBook: () => findAddressBook(tree, path),
    async list(position) {
      const after = position?.time ?? null;
      if ((await tree.kindOf(path)) !== 'folder') throw missing(path);
      const files = await findStreamFiles({ tree, after, skipsOld: true }, path);
      const all = groupUnits(files);
      const units = after === null ? all : all.filter(({ instant }) => instant > after);
      const before = sizes;
      sizes = new Map(units.flatMap(({ records }) => records.map((file) => [file.path, file.size])));
      const older = all.filter(
        ({ instant, records }) => after !== null && instant <= after && records.length > 0,
      );
      return {
        older: older.map(({ instant }) => instant),
        pages: onePage(wholeUnits(units, before).map(createRecordUnit)),
      };
    },
  };
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
