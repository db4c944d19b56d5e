import { IngestError } from '../../errors.ts';
import type { StreamFile, UnitFiles } from '../../record-file/unit-files.ts';
import { createRecordUnit, type RecordUnit } from '../../record-unit/record-unit.ts';
import { type FoundUnitFiles, groupUnits } from '../group-units.ts';
import type { ListedFile } from './node-listing.ts';
import type { ObjectStore } from './object-store.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { NodePlace } from './record-folders.ts';
import { fetched, sidecarBeside } from './record-units.ts';
import type { YoungSignatures } from './young-signatures.ts';

export interface LiveUnitsParts {
  readonly store: ObjectStore;
  /** Of the source, for people. */
  readonly bucket: string;
  readonly ahead: ReadAhead;
  /** The node that was listed. */
  readonly listed: NodePlace;
  /** Nodes that nobody listed. */
  readonly others: readonly NodePlace[];
  readonly signatures: YoungSignatures;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** A file whose key follows from that of another node. */
type KeyedFile = Pick<ListedFile, 'name' | 'path' | 'key' | 'node' | 'folder'>;

/**
 * Units that one node told: the files of the others have the same names in their folders.
 *
 * Nothing comes ahead, since a unit is looked at again and again until enough nodes have signed it.
 */
export function liveUnits(files: readonly ListedFile[], parts: LiveUnitsParts): readonly RecordUnit[] {
  const found = files.map((file) => ({ ...file, read: async () => fetched(parts.store, file) }));
  return groupUnits(found).map((unit, turn) => createRecordUnit(readable(unit, turn, parts)));
}

function readable(unit: FoundUnitFiles, turn: number, parts: LiveUnitsParts): UnitFiles {
  const { listed, others, random, signatures: young, store } = parts;
  const records = unit.records as readonly (FoundUnitFiles['records'][number] & ListedFile)[];
  const [example] = [...records, ...unit.emptyRecords, ...unit.signatures];
  const folderAt = example === undefined ? -1 : listed.prefixes.indexOf(example.folder);
  const beside = (name: string, place: NodePlace): readonly KeyedFile[] => {
    const folder = place.prefixes[folderAt];
    if (folder === undefined) return [];
    const key = `${folder}${name}`;
    return [{ name, key, path: `${parts.bucket}/${key}`, node: place.node, folder }];
  };
  const signature = (file: KeyedFile, size: number | null, placeId: string): StreamFile => ({
    ...file,
    async read() {
      const bytes = await young.read({ instant: unit.instant, key: file.key, size, placeId });
      if (bytes === null) throw new IngestError('signature_missing', `There is no ${file.path} yet`);
      return bytes;
    },
  });
  const ofListed = (unit.signatures as readonly (FoundUnitFiles['signatures'][number] & ListedFile)[]).map(
    (file) => signature(file, file.size, listed.id),
  );
  // Those that were late come last.
  const signers = others
    .map((place) => ({ place, at: random() + (young.isLate(place.id) ? 1 : 0) }))
    .sort((left, right) => left.at - right.at)
    .map(({ place }) => place);
  const name = unit.name.replace(/\.rcd(\.gz)?$/, '.rcd_sig');
  const hasRecord = records.length + unit.emptyRecords.length > 0;
  const copies = [
    ...records,
    ...(hasRecord ? signers.flatMap((place) => beside(unit.name, place)) : []).map((file) => ({
      ...file,
      read: () => unlistedRecord(store, file),
    })),
  ];
  return {
    ...unit,
    records: copies,
    signatures: [
      ...ofListed,
      ...signers.flatMap((place) => beside(name, place).map((file) => signature(file, null, place.id))),
    ],
    readsFewSignatures: true,
    unlistedSidecars: (id) => copies.map((copy) => sidecarBeside(copy, id, turn, parts)),
  };
}

async function unlistedRecord(store: ObjectStore, { key, path }: KeyedFile): Promise<Uint8Array> {
  const bytes = await store.get(key, null);
  if (bytes === null || bytes.length === 0) {
    throw new IngestError('record_file_missing', `There is no ${path}`);
  }
  return bytes;
}
