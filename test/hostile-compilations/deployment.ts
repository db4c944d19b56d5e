import { parseHex } from '../../src/values/hex.ts';
import type { Compilation } from '../../src/verify/compile/compiler.ts';
import { prepareCode } from '../../src/verify/jobs/results/prepare-code.ts';
import type { CodeSide } from '../../src/verify/match/auxdata/auxdata-positions.ts';
import { LIBRARY_GUARD } from '../../src/verify/match/compiled-code.ts';
import { libraryPlaces } from '../../src/verify/match/link-references.ts';
import { runConstructor } from '../kit/verify/run-constructor.ts';
import type { Random } from './random.ts';

/** A run of bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A contract as its deployment leaves it on chain, and what may differ there without changing what it does. */
export interface Deployment {
  readonly address: `0x${string}`;
  readonly code: Readonly<Record<CodeSide, Uint8Array>>;
  /** Hashes of metadata: the bytes that another space in the sources changes. Told by the compiler, not by the matcher. */
  readonly hashes: Readonly<Record<CodeSide, readonly Range[]>>;
  /** Addresses, immutables and arguments, and all bytes around hashes that metadata may hold. */
  readonly open: Readonly<Record<CodeSide, readonly Range[]>>;
  /** Places in which a library keeps its own address, which other code may not. */
  readonly guards: readonly Range[];
  /** Immutables that point to functions, with the words that constructors store there. */
  readonly pointers: readonly FunctionPointer[];
}

/** One immutable of a function's type. */
export interface FunctionPointer {
  readonly ranges: readonly Range[];
  readonly values: readonly Uint8Array[];
}

const LIBRARY_BYTES = 20;
/** Metadata are at most this much longer than their hash, on either side. */
const AROUND_HASH = 24;

/** Links, sets immutables and protects calls, as deploying does. */
export function deploy(original: Compilation, edited: Compilation, random: Random): Deployment {
  const [prepared, changed] = [prepareCode(original), prepareCode(edited)];
  const [creation, runtime] = [Uint8Array.from(prepared.creation), Uint8Array.from(prepared.runtime)];
  const own = random.bytes(LIBRARY_BYTES);
  const open: Record<CodeSide, Range[]> = { creation: [], runtime: [] };
  const addresses = new Map<string, Uint8Array>();
  const fill = (side: CodeSide, code: Uint8Array, start: number, bytes: Uint8Array) => {
    code.set(bytes, start);
    open[side].push({ start, end: start + bytes.length });
  };
  for (const [side, code, references] of [
    ['creation', creation, prepared.creationLinkReferences],
    ['runtime', runtime, prepared.runtimeLinkReferences],
  ] as const) {
    for (const { id, start } of libraryPlaces(references ?? {})) {
      const address = addresses.get(id) ?? random.bytes(LIBRARY_BYTES);
      addresses.set(id, address);
      fill(side, code, start, address);
    }
  }
  const guards: Range[] = [];
  const constructed = runsConstructor(original) ? constructEach(creation, random) : null;
  const pointers: FunctionPointer[] = [];
  if (constructed !== null) open.creation.push({ start: creation.length, end: constructed.creation.length });
  for (const [id, references] of Object.entries(prepared.immutableReferences ?? {})) {
    const ranges = references.map(({ start, length }) => ({ start, end: start + length }));
    const stored = constructed?.runs.map((code) => code.slice(ranges[0]?.start, ranges[0]?.end)) ?? [];
    const value = id === LIBRARY_GUARD ? Uint8Array.from([...new Uint8Array(12), ...own]) : random.bytes(32);
    for (const { start } of ranges) fill('runtime', runtime, start, stored[0] ?? value);
    if (stored.length > 0) pointers.push({ ranges, values: stored });
    if (id === LIBRARY_GUARD) guards.push(...ranges);
  }
  if (original.traits?.hasCallProtection === true) {
    fill('runtime', runtime, 1, own);
    guards.push({ start: 1, end: 1 + LIBRARY_BYTES });
  }
  const hashes = {
    creation: changedRanges(prepared.creation, changed.creation),
    runtime: changedRanges(prepared.runtime, changed.runtime),
  };
  for (const side of ['creation', 'runtime'] as const) {
    open[side].push(
      ...hashes[side].map(({ start, end }) => ({ start: start - AROUND_HASH, end: end + AROUND_HASH })),
    );
    open[side].push(...withoutHash(original, side === 'creation' ? creation : runtime, hashes[side]));
  }
  const code = { creation: constructed?.creation ?? creation, runtime };
  return { address: `0x${Buffer.from(own).toString('hex')}`, code, hashes, open, guards, pointers };
}

/** Only constructors of one argument are run; other immutables may hold anything. */
function runsConstructor({ abi }: Compilation): boolean {
  const items = abi as readonly { readonly type: string; readonly inputs?: readonly unknown[] }[] | null;
  return items?.some(({ type, inputs }) => type === 'constructor' && inputs?.length === 1) === true;
}

/** Creation code with its argument, false or true, and what it leaves on chain; then the same of the other. */
function constructEach(code: Uint8Array, random: Random) {
  const argument = (value: number) => Uint8Array.from([...code, ...new Uint8Array(31), value]);
  const first = random.below(2);
  const creation = argument(first);
  return { creation, runs: [runConstructor(creation), runConstructor(argument(1 - first))] };
}

/** Runs of bytes that differ; a few equal bytes in between belong to the same hash. */
function changedRanges(left: Uint8Array, right: Uint8Array): readonly Range[] {
  if (left.length !== right.length) throw new Error('A space in the sources changed the length of the code');
  const ranges: { start: number; end: number }[] = [];
  for (let index = 0; index < left.length; index++) {
    if (left[index] === right[index]) continue;
    const last = ranges.at(-1);
    if (last !== undefined && index - last.end < 6) last.end = index + 1;
    else ranges.push({ start: index, end: index + 1 });
  }
  return ranges;
}

/** Metadata without a hash, which do not change with the sources. */
function withoutHash(
  { assembly }: Compilation,
  code: Uint8Array,
  hashes: readonly Range[],
): readonly Range[] {
  if (hashes.length > 0) return [];
  return assembly.flatMap(({ value }) => {
    const needle = parseHex(value) ?? new Uint8Array();
    const at = Buffer.from(code).lastIndexOf(needle);
    return at < 0 ? [] : [{ start: at, end: at + needle.length }];
  });
}
