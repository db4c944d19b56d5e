import { type Hex, parseHex, toHex } from '../../values/hex.ts';
import { decodeCbor, splitTrailingAuxdata } from './auxdata.ts';
import type { AuxdataEntry, AuxdataPositions, CompilerIdentity } from './compiled-code.ts';
import { MatchingError } from './matching-error.ts';
import { isBefore } from './version-order.ts';

/** One compilation as far as auxdata are concerned. */
export interface AuxdataInput {
  readonly compiler: CompilerIdentity;
  readonly creation: Uint8Array;
  readonly runtime: Uint8Array;
  /** Auxdata values in assembly order, hex without 0x; empty when the compiler gave no assembly. */
  readonly assembly: AssemblyAuxdata;
}

/** The auxdata of a contract's assembly, depth first. */
export interface AssemblyAuxdata {
  /** All values: of the contract and of every contract it can create. Hex without 0x. */
  readonly all: readonly string[];
  /** Indexes in `all` that lie in the runtime part of the assembly. */
  readonly runtimeIndexes: readonly number[];
}

/** Positions of both codes. */
export interface FoundPositions {
  readonly creation: AuxdataPositions;
  readonly runtime: AuxdataPositions;
}

/** Which codes can only be resolved by compiling edited sources; the rest is already known. */
export interface PositionPlan {
  readonly known: FoundPositions;
  readonly unresolved: { readonly creation: boolean; readonly runtime: boolean };
}

const NO_POSITIONS: FoundPositions = { creation: {}, runtime: {} };
const NOTHING_UNRESOLVED = { creation: false, runtime: false };

/**
 * Finds auxdata positions as far as one compilation allows.
 *
 * A value that occurs exactly once is where the compiler put it. A value that occurs twice may have been
 * placed in the code on purpose, so that side stays unresolved and needs `placeByEditedSource`.
 *
 * @throws MatchingError when the runtime code lacks the auxdata that the assembly announces.
 * @see contracts/verification-engine.md section 6.2
 */
export function planAuxdataPositions(input: AuxdataInput): PositionPlan {
  switch (input.compiler.language) {
    case 'Solidity':
      return planSolidity(input);
    case 'Vyper':
      return { known: vyperPositions(input), unresolved: NOTHING_UNRESOLVED };
    case 'Yul':
      return planSolidity(input);
    case 'Fe':
      return { known: NO_POSITIONS, unresolved: NOTHING_UNRESOLVED };
  }
}

function planSolidity({ compiler, creation, runtime, assembly }: AuxdataInput): PositionPlan {
  if (isBefore(compiler.version, '0.4.7')) return { known: NO_POSITIONS, unresolved: NOTHING_UNRESOLVED };
  if (isBefore(compiler.version, '0.4.12')) {
    const known = { creation: trailingPosition(creation), runtime: trailingPosition(runtime) };
    return { known, unresolved: NOTHING_UNRESOLVED };
  }
  if (assembly.all.length === 0) return { known: NO_POSITIONS, unresolved: NOTHING_UNRESOLVED };
  if (assembly.all.length === 1) {
    const runtimeTail = splitTrailingAuxdata(runtime);
    if (runtimeTail === null) {
      throw new MatchingError('The runtime code does not end in the auxdata that the assembly names');
    }
    const creationTail = trailingPosition(creation);
    const isKnown = Object.keys(creationTail).length > 0;
    return {
      known: { creation: creationTail, runtime: { '1': entry(runtimeTail) } },
      unresolved: { creation: !isKnown && creation.length > 0, runtime: false },
    };
  }
  const everyIndex = assembly.all.map((_, index) => index);
  const byCreation = searchOnce(creation, assembly.all, everyIndex);
  const byRuntime = searchOnce(runtime, assembly.all, assembly.runtimeIndexes);
  return {
    known: { creation: byCreation ?? {}, runtime: byRuntime ?? {} },
    unresolved: { creation: byCreation === null, runtime: byRuntime === null },
  };
}

function trailingPosition(code: Uint8Array): AuxdataPositions {
  const tail = splitTrailingAuxdata(code);
  return tail === null ? {} : { '1': entry(tail) };
}

function entry({ value, offset }: AuxdataEntry): AuxdataEntry {
  return { value, offset };
}

/** Null unless each expected value occurs exactly once and no other value occurs at all. */
function searchOnce(
  code: Uint8Array,
  values: readonly string[],
  expected: readonly number[],
): AuxdataPositions | null {
  const haystack = Buffer.from(code.buffer, code.byteOffset, code.byteLength);
  const found: [string, AuxdataEntry][] = [];
  for (const [index, value] of values.entries()) {
    const needle = Buffer.from(value, 'hex');
    const offset = haystack.indexOf(needle);
    if (!expected.includes(index)) {
      if (offset >= 0) return null;
      continue;
    }
    if (offset < 0 || haystack.indexOf(needle, offset + 1) >= 0) return null;
    found.push([String(index + 1), { value: toHex(needle), offset }]);
  }
  return Object.fromEntries(found);
}

/** One code before and after a space was appended to every source, with the auxdata of both. Hex without 0x. */
export interface EditedCode {
  readonly original: string;
  readonly edited: string;
  readonly originalAuxdata: readonly string[];
  readonly editedAuxdata: readonly string[];
}

/**
 * Finds auxdata as the places that change when every source gets a trailing space.
 *
 * A search for the bytes would also find copies that an attacker put into the code, which would then be
 * ignored in the comparison.
 *
 * @see contracts/verification-engine.md section 6.3
 */
export function placeByEditedSource(code: EditedCode): AuxdataPositions {
  const { original, edited, originalAuxdata, editedAuxdata } = code;
  const pending = new Map<number, { readonly value: string; readonly diffStart: number }>();
  for (const [index, value] of originalAuxdata.entries()) {
    const diffStart = firstDifference(value, editedAuxdata[index] ?? value);
    if (diffStart !== null) pending.set(index, { value, diffStart });
  }

  const found: [string, AuxdataEntry][] = [];
  let previous = Number.NEGATIVE_INFINITY;
  const shorter = Math.min(original.length, edited.length);
  for (let position = 0; position < shorter && pending.size > 0; position++) {
    if (original.charCodeAt(position) === edited.charCodeAt(position)) continue;
    const isNewRun = position !== previous + 1;
    previous = position;
    if (!isNewRun) continue;
    for (const [index, { value, diffStart }] of pending) {
      const start = position - diffStart;
      if (start < 0 || start % 2 !== 0 || !original.startsWith(value, start)) continue;
      found.push([String(index + 1), { value: `0x${value}` as Hex, offset: start / 2 }]);
      pending.delete(index);
      break;
    }
  }
  return Object.fromEntries(found);
}

function firstDifference(left: string, right: string): number | null {
  for (let index = 0; index < left.length; index++) {
    if (left.charCodeAt(index) !== right.charCodeAt(index)) return index;
  }
  return null;
}

const VYPER_BARE_AUXDATA_LENGTH = 11;

/** @see contracts/verification-engine.md section 4.3 */
function vyperPositions({ compiler, creation, runtime }: AuxdataInput): FoundPositions {
  const { version } = compiler;
  if (isBefore(version, '0.3.5')) {
    const bare = (code: Uint8Array) => vyperEntry(code, VYPER_BARE_AUXDATA_LENGTH, 0);
    return { creation: bare(creation), runtime: bare(runtime) };
  }
  if (isBefore(version, '0.3.10')) {
    const counted = (code: Uint8Array) => vyperEntry(code, lastTwoBytes(code) + 2, 2);
    return { creation: counted(creation), runtime: counted(runtime) };
  }
  return { creation: vyperEntry(creation, lastTwoBytes(creation), 2), runtime: {} };
}

function lastTwoBytes(code: Uint8Array): number {
  return ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0);
}

function vyperEntry(code: Uint8Array, length: number, lengthBytes: number): AuxdataPositions {
  const offset = code.length - length;
  if (offset <= 0 || length <= lengthBytes) return {};
  if (decodeCbor(code.subarray(offset, code.length - lengthBytes)) === null) return {};
  return { '1': { value: toHex(code.subarray(offset)), offset } };
}

/**
 * Size of the immutables that a Vyper creation code announces, from 0.3.10.
 *
 * @returns null for older compilers and when the creation code has no readable auxdata.
 * @see contracts/verification-engine.md section 4.4
 */
export function vyperImmutableSize(version: string, auxdata: AuxdataEntry | undefined): number | null {
  if (isBefore(version, '0.3.10') || auxdata === undefined) return null;
  const bytes = parseHex(auxdata.value);
  const decoded = bytes === null ? undefined : decodeCbor(bytes.subarray(0, -2))?.value;
  if (!Array.isArray(decoded)) return null;
  const size: unknown = decoded.at(-2);
  return typeof size === 'number' && size >= 0 ? size : null;
}
