import { groupBy } from '../../../values/group-by.ts';
import type { FoundFile } from './stream-files.ts';
import type { StreamFile, StreamUnit } from './stream-source.ts';

interface GrowingUnit {
  readonly instant: StreamUnit['instant'];
  readonly records: FoundFile[];
  readonly signatures: FoundFile[];
  readonly sidecars: (FoundFile & { readonly id: number })[];
}

/** A unit whose files still tell their size and folder. */
export interface FoundUnit extends StreamUnit {
  readonly records: readonly FoundFile[];
  readonly signatures: readonly FoundFile[];
}

/** Puts files of the same instant together; units are in the order of time. */
export function groupUnits(files: readonly FoundFile[]): readonly FoundUnit[] {
  const units = new Map<bigint, GrowingUnit>();
  const unitAt = (instant: StreamUnit['instant']): GrowingUnit => {
    const known = units.get(instant);
    if (known !== undefined) return known;
    const created: GrowingUnit = { instant, records: [], signatures: [], sidecars: [] };
    units.set(instant, created);
    return created;
  };
  for (const file of files) {
    const { parsed } = file;
    if (parsed.kind === 'record') unitAt(parsed.instant).records.push(file);
    if (parsed.kind === 'signature') unitAt(parsed.instant).signatures.push(file);
    if (parsed.kind === 'sidecar') unitAt(parsed.instant).sidecars.push({ ...file, id: parsed.id });
  }
  addNodeSignatures(units, files);
  return [...units.values()]
    .filter(({ records }) => records.length > 0)
    .sort((left, right) => (left.instant < right.instant ? -1 : 1))
    .map((unit) => ({ ...unit, name: unit.records[0]?.name ?? '', records: inNodeOrder(unit.records) }));
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
