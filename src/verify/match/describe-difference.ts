import type { AuxdataPositions, ImmutableReferences, LinkReferences } from './compiled-code.ts';
import { LIBRARY_ADDRESS_BYTES, libraryPlaces } from './link-references.ts';

/** Part of a code in which two codes differ; `length`: one continues where the other ends. */
export type CodeRegion = 'code' | 'library' | 'immutable' | 'auxdata' | 'length';

/**
 * Where recompiled runtime code first differs from the code on chain in a way that nothing explains.
 *
 * @see contracts/verification-api.md section 14
 */
export interface CodeDifference {
  /** First differing byte, from 0. */
  readonly offset: number;
  readonly region: CodeRegion;
  /** Bytes. */
  readonly recompiledLength: number;
  readonly onchainLength: number;
}

/** Both runtime codes and the places where they may differ. */
export interface DifferingSides {
  /** Placeholders of libraries and immutables are zeros. */
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  readonly linkReferences: LinkReferences;
  readonly immutableReferences: ImmutableReferences;
  readonly auxdata: AuxdataPositions;
  /** Whether the code begins with the address of the contract, a library. */
  readonly hasCallProtection: boolean;
}

interface Region {
  readonly name: 'library' | 'immutable' | 'auxdata' | 'callProtection';
  readonly start: number;
  readonly end: number;
}

/**
 * Tells why two codes do not match, for people.
 *
 * Addresses, immutables and auxdata may differ. They are the answer only when a value contradicts itself at
 * another place, or when nothing else differs.
 *
 * @returns null when the codes do not differ.
 */
export function describeDifference(sides: DifferingSides): CodeDifference | null {
  const { recompiled, onchain } = sides;
  const lengths = { recompiledLength: recompiled.length, onchainLength: onchain.length };
  const regions = regionsOf(sides);
  const found = [contradiction(sides), unexplained(sides, regions)].filter((each) => each !== null);
  const [first] = found.sort((left, right) => left.offset - right.offset);
  if (first !== undefined) return { ...first, ...lengths };
  if (recompiled.length !== onchain.length) {
    return { offset: Math.min(recompiled.length, onchain.length), region: 'length', ...lengths };
  }
  for (const { name, start, end } of regions) {
    if (name === 'callProtection') continue;
    const offset = firstDifference(recompiled, onchain, start, end);
    if (offset !== null) return { offset, region: name, ...lengths };
  }
  return null;
}

/** Ordered by their start. */
function regionsOf({ hasCallProtection, linkReferences, immutableReferences, auxdata }: DifferingSides) {
  const regions: Region[] = [
    ...libraryPlaces(linkReferences).map(({ start }) => aRegion('library', start, LIBRARY_ADDRESS_BYTES)),
    ...Object.values(immutableReferences).flatMap((ranges) =>
      ranges.map(({ start, length }) => aRegion('immutable', start, length)),
    ),
    ...Object.values(auxdata).map(({ value, offset }) => aRegion('auxdata', offset, value.length / 2 - 1)),
  ];
  if (hasCallProtection) regions.push(aRegion('callProtection', 1, LIBRARY_ADDRESS_BYTES));
  return regions.sort((left, right) => left.start - right.start);
}

function aRegion(name: Region['name'], start: number, length: number): Region {
  return { name, start, end: start + length };
}

type Found = Pick<CodeDifference, 'offset' | 'region'>;

/** The first place that holds another value than an earlier place of the same library or immutable. */
function contradiction({ onchain, linkReferences, immutableReferences }: DifferingSides): Found | null {
  const places = [
    ...libraryPlaces(linkReferences).map(({ id, start }) => ({
      region: 'library' as const,
      id,
      start,
      length: LIBRARY_ADDRESS_BYTES,
    })),
    ...Object.entries(immutableReferences).flatMap(([id, ranges]) =>
      ranges.map(({ start, length }) => ({ region: 'immutable' as const, id, start, length })),
    ),
  ].sort((left, right) => left.start - right.start);
  const values = new Map<string, Uint8Array>();
  for (const { region, id, start, length } of places) {
    const value = onchain.subarray(start, start + length);
    const known = values.get(`${region} ${id}`) ?? value;
    if (Buffer.compare(known, value) !== 0) return { offset: start, region };
    values.set(`${region} ${id}`, known);
  }
  return null;
}

/** The first difference outside of all regions. */
function unexplained({ recompiled, onchain }: DifferingSides, regions: readonly Region[]): Found | null {
  let position = 0;
  for (const { start, end } of [
    ...regions,
    aRegion('auxdata', Math.max(recompiled.length, onchain.length), 0),
  ]) {
    const offset = firstDifference(recompiled, onchain, position, start);
    if (offset !== null) return { offset, region: 'code' };
    position = Math.max(position, end);
  }
  return null;
}

function firstDifference(left: Uint8Array, right: Uint8Array, start: number, end: number): number | null {
  const limit = Math.min(end, left.length, right.length);
  for (let index = start; index < limit; index++) if (left[index] !== right[index]) return index;
  return null;
}
