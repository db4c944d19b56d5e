import { groupBy } from '../../../values/group-by.ts';
import type { StreamFile, UnitFiles } from '../record-file/unit-files.ts';
import type { FoundFile } from './stream-files.ts';

interface GrowingUnit {
  readonly instant: UnitFiles['instant'];
  readonly records: FoundFile[];
  readonly emptyRecords: FoundFile[];
  readonly signatures: FoundFile[];
  readonly sidecars: (FoundFile & { readonly id: number })[];
}

/** Files that still tell their size and folder. */
export interface FoundUnitFiles extends UnitFiles {
  readonly records: readonly FoundFile[];
  readonly emptyRecords: readonly FoundFile[];
  readonly signatures: readonly FoundFile[];
}

/**
 * Puts files of the same instant together; units are in the order of time.
 *
 * A signature alone makes a unit too: it may prove a record file that is missing. Empty sidecars count as missing.
 */
export function groupUnits(files: readonly FoundFile[]): readonly FoundUnitFiles[] {
  const units = new Map<bigint, GrowingUnit>();
  const unitAt = (instant: UnitFiles['instant']): GrowingUnit => {
    const known = units.get(instant);
    if (known !== undefined) return known;
    const created: GrowingUnit = { instant, records: [], emptyRecords: [], signatures: [], sidecars: [] };
    units.set(instant, created);
    return created;
  };
  for (const file of files) {
    const { parsed, size } = file;
    if (parsed.kind === 'record') {
      const unit = unitAt(parsed.instant);
      (size === 0 ? unit.emptyRecords : unit.records).push(file);
    }
    if (parsed.kind === 'signature') unitAt(parsed.instant).signatures.push(file);
    if (parsed.kind === 'sidecar' && size !== 0)
      unitAt(parsed.instant).sidecars.push({ ...file, id: parsed.id });
  }
  addNodeSignatures(units, files);
  return [...units.values()]
    .filter(
      ({ emptyRecords, records, signatures }) => records.length + emptyRecords.length + signatures.length > 0,
    )
    .sort((left, right) => (left.instant < right.instant ? -1 : 1))
    .map((unit) => ({ ...unit, name: nameOf(unit), records: inNodeOrder(unit.records) }));
}

/** Of the record file; from its signature where there is none. */
function nameOf({ emptyRecords, records, signatures }: GrowingUnit): string {
  const record = records[0] ?? emptyRecords[0];
  return record?.name ?? (signatures[0]?.name ?? '').replace(/_sig$/, '');
}

/** With several record files in a folder nobody can tell which of them its `node_….rcd_sig` sign. */
function addNodeSignatures(units: ReadonlyMap<bigint, GrowingUnit>, files: readonly FoundFile[]): void {
  const unnamed = groupBy(
    files.filter(({ parsed }) => parsed.kind === 'node-signature'),
    ({ folder }) => folder,
  );
  if (unnamed.size === 0) return;
  const instants = new Map<string, Set<bigint>>();
  for (const { folder, parsed } of files) {
    if (parsed.kind !== 'record') continue;
    const known = instants.get(folder);
    if (known === undefined) instants.set(folder, new Set([parsed.instant]));
    else known.add(parsed.instant);
  }
  for (const [folder, signatures] of unnamed) {
    const [only, ...others] = instants.get(folder) ?? [];
    if (only !== undefined && others.length === 0) units.get(only)?.signatures.push(...signatures);
  }
}

/** The order of a listing depends on the file system; this one does not. */
function inNodeOrder<File extends StreamFile>(files: readonly File[]): readonly File[] {
  return [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
}
