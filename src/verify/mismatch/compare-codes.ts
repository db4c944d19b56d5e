import { findRegions, type NamedRegion, type RegionName } from './code-regions.ts';

/** What differs: a region of the recompiled code, plain code, or what only one of the codes has at its end. */
export type DifferenceName = RegionName | 'code' | 'length' | 'constructor_arguments';

/** Bytes that differ, `end` excluded. */
export interface DifferentPlace {
  readonly name: DifferenceName;
  readonly start: number;
  readonly end: number;
}

/** The codes of one side; the recompiled one has zeros in the places of libraries and immutables. */
export interface ComparedCodes {
  readonly side: 'runtime' | 'creation';
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  /** A place that is code by what the compiler told, whatever its bytes look like. Default: none is known. */
  readonly codeAt?: number | undefined;
}

const UNEXPLAINED: ReadonlySet<DifferenceName> = new Set(['code', 'length']);
/** Bytes that agree by chance between two that differ. */
const CLOSE_BYTES = 4;
const INVALID = 0xfe;
const WORD_BYTES = 32;

/** How two codes differ, for people. */
export type CodeComparison = ReturnType<typeof compareCodes>;

/** Compares byte by byte, and names what each difference is. */
export function compareCodes({ codeAt = -1, side, recompiled, onchain }: ComparedCodes) {
  const regions = findRegions(recompiled).filter(({ start, end }) => codeAt < start || codeAt >= end);
  /** In the order of the code. Differing bytes that stand close together are one place. */
  const places: readonly DifferentPlace[] = [
    ...placesWithin(recompiled, onchain, regions),
    ...placeOfRest(side, recompiled, onchain, regions),
  ];
  return {
    recompiledLength: recompiled.length,
    onchainLength: onchain.length,
    places,
    /** The first place that makes the codes no match; null when a deployment or other metadata explain all. */
    firstUnexplained: places.find(({ name }) => UNEXPLAINED.has(name)) ?? null,
    /** Bytes at the start, and bytes before the metadata at the end, that agree. */
    equalStart: places[0]?.start ?? recompiled.length,
    equalEnd: equalEnd(withoutMetadata(recompiled, regions), withoutMetadata(onchain, findRegions(onchain))),
  };
}

function placesWithin(
  recompiled: Uint8Array,
  onchain: Uint8Array,
  regions: readonly NamedRegion[],
): readonly DifferentPlace[] {
  const places: { name: DifferenceName; start: number; end: number }[] = [];
  const limit = Math.min(recompiled.length, onchain.length);
  let next = 0;
  for (let at = 0; at < limit; at++) {
    if (recompiled[at] === onchain[at]) continue;
    while ((regions[next]?.end ?? limit) <= at) next += 1;
    const region = regions[next];
    const isInside = region !== undefined && at >= region.start;
    const last = places.at(-1);
    if (isInside) {
      // A region is one place, however many of its bytes differ.
      if (last?.name !== region.name || last.start < region.start)
        places.push({ ...region, end: Math.min(region.end, limit) });
      at = region.end - 1;
    } else if (last?.name === 'code' && at - last.end <= CLOSE_BYTES) {
      last.end = at + 1;
    } else {
      places.push({ name: 'code', start: at, end: at + 1 });
    }
  }
  return places;
}

/** What only the longer code has. Metadata of another length are the same difference once more. */
function placeOfRest(
  side: ComparedCodes['side'],
  recompiled: Uint8Array,
  onchain: Uint8Array,
  regions: readonly NamedRegion[],
): readonly DifferentPlace[] {
  if (recompiled.length === onchain.length) return [];
  const start = Math.min(recompiled.length, onchain.length);
  const end = Math.max(recompiled.length, onchain.length);
  const isLonger = onchain.length > recompiled.length;
  if (side === 'creation' && isLonger) return [{ name: 'constructor_arguments', start, end }];
  // Vyper appends the values of its immutables, and has no metadata in this code then.
  const isAppended = isLonger && regions.length === 0 && (end - start) % WORD_BYTES === 0;
  if (isAppended && Buffer.compare(recompiled, onchain.subarray(0, start)) === 0)
    return [{ name: 'immutable', start, end }];
  const isMetadata = isOfMetadata(recompiled, onchain, regions);
  const isCounted = isMetadata && differsInMetadata(recompiled, onchain, regions);
  return isCounted ? [] : [{ name: isMetadata ? 'metadata' : 'length', start, end }];
}

/** Whether the codes have the same length before their metadata. The compiler puts one INVALID before them. */
function isOfMetadata(recompiled: Uint8Array, onchain: Uint8Array, regions: readonly NamedRegion[]): boolean {
  const ours = bodyLength(recompiled, regions);
  const theirs = bodyLength(onchain, findRegions(onchain));
  if (ours === theirs) return true;
  const longer = ours > theirs ? recompiled : onchain;
  const isBare = ours > theirs ? theirs === onchain.length : ours === recompiled.length;
  return isBare && Math.abs(ours - theirs) === 1 && longer[Math.min(ours, theirs)] === INVALID;
}

/** Whether a place of the metadata at the end was found already. */
function differsInMetadata(
  recompiled: Uint8Array,
  onchain: Uint8Array,
  regions: readonly NamedRegion[],
): boolean {
  const start = bodyLength(recompiled, regions);
  const end = Math.min(recompiled.length, onchain.length);
  return Buffer.compare(recompiled.subarray(start, end), onchain.subarray(start, end)) !== 0;
}

function bodyLength(code: Uint8Array, regions: readonly NamedRegion[]): number {
  const last = regions.at(-1);
  return last?.name === 'metadata' && last.end === code.length ? last.start : code.length;
}

function withoutMetadata(code: Uint8Array, regions: readonly NamedRegion[]): Uint8Array {
  return code.subarray(0, bodyLength(code, regions));
}

function equalEnd(left: Uint8Array, right: Uint8Array): number {
  const limit = Math.min(left.length, right.length);
  let count = 0;
  while (count < limit && left[left.length - 1 - count] === right[right.length - 1 - count]) count += 1;
  return count;
}

/** One line of both codes. */
export interface CodeLine {
  readonly offset: number;
  /** Two hexadecimal digits each; null past the end of the code. */
  readonly bytes: readonly (string | null)[];
}

const BYTES_PER_LINE = 16;
const LINES_BEFORE = 2;
const LINES = 10;

/** Cuts out what stands around a place: the same part of two codes, line by line. */
export function excerptAround(recompiled: Uint8Array, onchain: Uint8Array, offset: number) {
  const first = Math.max(0, Math.floor(offset / BYTES_PER_LINE) - LINES_BEFORE);
  const starts = Array.from({ length: LINES }, (_, index) => (first + index) * BYTES_PER_LINE);
  const shown = starts.filter((start) => start < Math.max(recompiled.length, onchain.length));
  return {
    recompiled: shown.map((start) => lineAt(recompiled, start)),
    onchain: shown.map((start) => lineAt(onchain, start)),
  };
}

function lineAt(code: Uint8Array, offset: number): CodeLine {
  const bytes = Array.from({ length: BYTES_PER_LINE }, (_, index) => {
    const byte = code[offset + index];
    return byte === undefined ? null : byte.toString(16).padStart(2, '0');
  });
  return { offset, bytes };
}
