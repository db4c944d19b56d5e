import { bufferOf, parseHex, toHex } from '../../../values/hex.ts';
import type { AuxdataEntry, AuxdataPositions, CompilerIdentity } from '../compiled-code.ts';
import { MatchingError } from '../transformations.ts';
import { isBefore } from '../version-order.ts';
import type { AssemblyAuxdata, Inclusion } from './assembly-auxdata.ts';
import { decodeCbor, provesSources, splitTrailingAuxdata } from './auxdata.ts';
import { isAuxdataOf } from './auxdata-form.ts';

/** The codes of one compilation. */
interface CompiledCodes {
  readonly compiler: CompilerIdentity;
  readonly creation: Uint8Array;
  readonly runtime: Uint8Array;
}

/** One compilation as far as auxdata are concerned. */
export interface AuxdataInput extends CompiledCodes {
  /** Empty when the compiler gave no assembly. */
  readonly assembly: readonly AssemblyAuxdata[];
  /** True when the compiler was told to write none: what looks like them is a literal. */
  readonly hasNoAuxdata?: boolean;
}

/** Positions of both codes. */
export interface FoundPositions {
  readonly creation: AuxdataPositions;
  readonly runtime: AuxdataPositions;
}

/** A code of a compilation. */
export type CodeSide = keyof FoundPositions;

/** Positions, and how far they are proven by one compilation. */
export interface PositionPlan {
  readonly known: FoundPositions;
  /**
   * When edited sources have to tell the positions of a side: always, before anything is masked, where it does not
   * match with those that are known, or never.
   */
  readonly edited: Readonly<Record<CodeSide, 'always' | 'before_masking' | 'without_match' | 'never'>>;
}

export const NO_POSITIONS: FoundPositions = { creation: {}, runtime: {} };
const NEVER = { creation: 'never', runtime: 'never' } as const;
const ALWAYS = { creation: 'always', runtime: 'always' } as const;
/** An EOF container, of which the compiler prints no assembly. */
const isEof = (code: Uint8Array) => code[0] === 0xef && code[1] === 0;

/**
 * Finds auxdata as far as one compilation proves where they are.
 *
 * Bytes that look like auxdata may be a literal of the sources, and whatever is taken for auxdata may differ on
 * chain. So nothing is searched that the assembly does not put into this code, and a value counts only when the
 * code holds it exactly as often as the assembler has put it there.
 *
 * @throws MatchingError when the runtime code lacks the auxdata that the assembly announces.
 * @see contracts/verification-engine.md section 6.2
 */
export function planAuxdataPositions(input: AuxdataInput): PositionPlan {
  if (input.hasNoAuxdata === true) return { known: NO_POSITIONS, edited: NEVER };
  switch (input.compiler.language) {
    case 'Solidity':
      return planSolidity(input);
    case 'Vyper':
      return { known: vyperPositions(input), edited: NEVER };
    // In Yul even `.metadata` is a literal of the source: other bytes on chain are other sources.
    case 'Yul':
    case 'Fe':
      return { known: NO_POSITIONS, edited: NEVER };
  }
}

function planSolidity(input: AuxdataInput): PositionPlan {
  const { compiler, creation, runtime, assembly } = input;
  if (isBefore(compiler.version, '0.4.7')) return { known: NO_POSITIONS, edited: NEVER };
  if (isBefore(compiler.version, '0.4.12')) return withoutAssembly(input);
  if (assembly.length === 0) return { known: NO_POSITIONS, edited: isEof(runtime) ? ALWAYS : NEVER };
  const own = assembly.find(({ isOwn }) => isOwn);
  if (own !== undefined && !endsWith(runtime, own.value)) {
    throw new MatchingError('The runtime code does not end in the auxdata that the assembly names');
  }
  const byCreation = placeByCount(creation, assembly, 'creation');
  const byRuntime = placeByCount(runtime, assembly, 'runtime');
  const isSimple = assembly.length === 1;
  const changesWithSources = assembly.some(({ value }) => provesSources(`0x${value}`, compiler));
  const need = (positions: AuxdataPositions | null) => {
    if (positions === null) return changesWithSources ? 'always' : 'never';
    return isSimple || Object.keys(positions).length === 0 ? 'never' : 'before_masking';
  };
  return {
    known: { creation: byCreation ?? {}, runtime: byRuntime ?? {} },
    edited: { creation: need(byCreation), runtime: need(byRuntime) },
  };
}

/**
 * The auxdata of the runtime code, which ends in them; the assembly of solc below 0.4.12 names none.
 *
 * No literal can hold them: they hash the sources, the literal included. Where more stand in a code, as in a factory,
 * edited sources tell which are no literals.
 */
function withoutAssembly({ compiler, creation, runtime }: CompiledCodes): PositionPlan {
  const need = (code: Uint8Array) =>
    auxdataByForm(compiler, code, BZZR0).length > 1 ? 'without_match' : 'never';
  const edited = { creation: need(creation), runtime: need(runtime) } as const;
  const tail = splitTrailingAuxdata(runtime);
  const bytes = tail === null ? null : parseHex(tail.value);
  if (tail === null || bytes === null || !isAuxdataOf(compiler, bytes))
    return { known: NO_POSITIONS, edited };
  const { value, offset } = tail;
  const [inCreation, ...others] = occurrences(creation, value.slice(2));
  const isOnce = inCreation !== undefined && others.length === 0;
  const known = {
    runtime: { '1': { value, offset } },
    creation: isOnce ? { '1': { value, offset: inCreation } } : {},
  };
  return { known, edited };
}

/** How the auxdata of a compilation begin, hex, and their length in bytes. */
interface AuxdataForm {
  readonly head: string;
  readonly bytes: number;
}

/** A map of one hash, as solc below 0.4.12 writes it. */
const BZZR0: AuxdataForm = { head: 'a165627a7a72305820', bytes: 43 };

/** All contracts of a compilation have that of the one that ends its code: up to the hash, and as long. */
function formOf({ compiler, runtime }: CompiledCodes): AuxdataForm | null {
  if (isBefore(compiler.version, '0.4.12')) return BZZR0;
  const tail = splitTrailingAuxdata(runtime)?.value.slice(2);
  return tail === undefined ? null : { head: tail.slice(0, BZZR0.head.length), bytes: tail.length / 2 };
}

/** What has the form of auxdata; literals may be among them. */
function auxdataByForm(
  compiler: CompilerIdentity,
  code: Uint8Array,
  form: AuxdataForm,
): readonly AuxdataPositions[string][] {
  return occurrences(code, form.head).flatMap((offset) => {
    const bytes = code.subarray(offset, offset + form.bytes);
    return isAuxdataOf(compiler, bytes) ? [{ value: toHex(bytes), offset }] : [];
  });
}

/**
 * Finds auxdata of which the assembly names none as the places that have their form and hold another value after every
 * source got a trailing space.
 *
 * @returns none where two such places overlap: one of them takes bytes of a literal and a part of a hash for a hash.
 * @see contracts/verification-engine.md section 6.2
 */
export function placeByForm(
  code: CompiledCodes,
  editedCode: CompiledCodes,
  side: CodeSide,
): AuxdataPositions {
  const [original, edited, form] = [code[side], editedCode[side], formOf(code)];
  if (original.length !== edited.length || form === null) return {};
  const after = new Map(
    auxdataByForm(code.compiler, edited, form).map(({ value, offset }) => [offset, value]),
  );
  const changed = auxdataByForm(code.compiler, original, form).filter(({ value, offset }) => {
    const other = after.get(offset);
    return other !== undefined && other !== value;
  });
  const overlap = changed.some(
    ({ offset }, at) => offset - (changed[at - 1]?.offset ?? -form.bytes) < form.bytes,
  );
  // The own ones come first, as in an assembly, and end the code.
  const [own, ...nested] = [...changed.slice(-1), ...changed.slice(0, -1)];
  return overlap || own === undefined ? {} : numbered([own, ...nested], 1);
}

function numbered(entries: readonly AuxdataPositions[string][], first: number): AuxdataPositions {
  return Object.fromEntries(entries.map((entry, index) => [String(first + index), entry]));
}

/** Null when the code holds a value more or less often than the assembly says, or the assembly does not say. */
function placeByCount(
  code: Uint8Array,
  assembly: readonly AssemblyAuxdata[],
  side: CodeSide,
): AuxdataPositions | null {
  const found: (readonly [string, AuxdataPositions[string]])[] = [];
  const groups = byValue(assembly);
  const places = occurrencesOf(code, groups.keys());
  for (const [value, entries] of groups) {
    const included = entries.filter((entry) => entry[side] !== 'never');
    // What no part of this code ends in is a literal wherever it occurs.
    if (included.length === 0) continue;
    const offsets = places.get(value) ?? [];
    const isCertain = included.every((entry) => entry[side] === ('once' satisfies Inclusion));
    if (!isCertain || offsets.length !== included.length) return null;
    found.push(...assign(value, offsets, included));
  }
  return Object.fromEntries(found.sort(([left], [right]) => Number(left) - Number(right)));
}

interface NumberedAuxdata extends AssemblyAuxdata {
  /** Key of the position: the place in the assembly, from "1". */
  readonly key: string;
}

function byValue(assembly: readonly AssemblyAuxdata[]): ReadonlyMap<string, readonly NumberedAuxdata[]> {
  const groups = new Map<string, NumberedAuxdata[]>();
  for (const [index, entry] of assembly.entries()) {
    const numbered = { ...entry, key: String(index + 1) };
    const group = groups.get(entry.value);
    if (group === undefined) groups.set(entry.value, [numbered]);
    else group.push(numbered);
  }
  return groups;
}

/** Equal values take the offsets in ascending order. */
function assign(
  value: string,
  offsets: readonly number[],
  entries: readonly NumberedAuxdata[],
): readonly (readonly [string, AuxdataPositions[string]])[] {
  return entries.flatMap(({ key }, index) => {
    const offset = offsets[index];
    return offset === undefined ? [] : [[key, { value: `0x${value}`, offset }] as const];
  });
}

/** One compilation and the same after a space was appended to every source. */
interface EditedCode {
  readonly original: Uint8Array;
  readonly edited: Uint8Array;
  readonly assembly: readonly AssemblyAuxdata[];
  readonly editedAssembly: readonly AssemblyAuxdata[];
}

/**
 * Finds auxdata as the places that hold the one value before and the other after every source got a trailing space.
 *
 * Literals are equal in both, so no copy that an attacker put into the code is among them. Values without a hash of
 * the sources do not change; none of them is found. A code may hold a value more often than the assembly lists it: by
 * way of the IR a part is appended for each push of its offset below 0.8.20, and once more as a part of a part. The
 * places left over are numbered on in their order.
 *
 * @see contracts/verification-engine.md section 6.3
 */
export function placeByEditedSource(code: EditedCode, side: CodeSide): AuxdataPositions {
  const { original, edited, assembly, editedAssembly } = code;
  if (original.length !== edited.length || assembly.length !== editedAssembly.length) return {};
  const after = new Map(assembly.map(({ value }, index) => [value, editedAssembly[index]?.value ?? value]));
  const further: AuxdataPositions[string][] = [];
  const [places, editedPlaces] = [
    occurrencesOf(original, after.keys()),
    occurrencesOf(edited, after.values()),
  ];
  const listed = [...byValue(assembly)].flatMap(([value, entries]) => {
    const changed = after.get(value) ?? value;
    if (changed === value) return [];
    const isChanged = new Set(editedPlaces.get(changed));
    const offsets = (places.get(value) ?? []).filter((offset) => isChanged.has(offset));
    const included = entries.filter((entry) => entry[side] !== 'never');
    for (const offset of offsets.slice(included.length)) further.push({ value: `0x${value}`, offset });
    return assign(value, offsets, included);
  });
  const last = Math.max(0, ...listed.map(([key]) => Number(key)));
  return {
    ...Object.fromEntries(listed.sort(([left], [right]) => Number(left) - Number(right))),
    ...numbered(
      further.sort((left, right) => left.offset - right.offset),
      last + 1,
    ),
  };
}

/** Where each of many values stands: those that begin alike and are as long are found in one pass. */
function occurrencesOf(code: Uint8Array, values: Iterable<string>): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const forms = new Map<string, AuxdataForm>();
  for (const value of values) {
    found.set(value, []);
    const form = { head: value.slice(0, BZZR0.head.length), bytes: value.length / 2 };
    forms.set(`${form.head} ${form.bytes}`, form);
  }
  const bytes = bufferOf(code);
  for (const form of forms.values()) {
    for (const offset of occurrences(code, form.head)) {
      if (offset + form.bytes > code.length) break;
      found.get(bytes.toString('hex', offset, offset + form.bytes))?.push(offset);
    }
  }
  return found;
}

function occurrences(code: Uint8Array, value: string): readonly number[] {
  const haystack = bufferOf(code);
  const needle = Buffer.from(value, 'hex');
  const offsets: number[] = [];
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) offsets.push(at);
  return offsets;
}

function endsWith(code: Uint8Array, value: string): boolean {
  const tail = code.subarray(-(value.length / 2));
  return value.length > 0 && toHex(tail) === `0x${value}`;
}

const BARE_AUXDATA_LENGTH = 11;

/**
 * The auxdata of Vyper, which always ends the code that has it.
 *
 * @see contracts/verification-engine.md section 4.3
 */
function vyperPositions({ compiler, creation, runtime }: CompiledCodes): FoundPositions {
  const { version } = compiler;
  if (isBefore(version, '0.3.5')) {
    const bare = (code: Uint8Array) => vyperEntry(compiler, code, BARE_AUXDATA_LENGTH);
    return { creation: bare(creation), runtime: bare(runtime) };
  }
  if (isBefore(version, '0.3.10')) {
    const counted = (code: Uint8Array) => vyperEntry(compiler, code, lastTwoBytes(code) + 2);
    return { creation: counted(creation), runtime: counted(runtime) };
  }
  return { creation: vyperEntry(compiler, creation, lastTwoBytes(creation)), runtime: {} };
}

function lastTwoBytes(code: Uint8Array): number {
  return ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0);
}

function vyperEntry(compiler: CompilerIdentity, code: Uint8Array, length: number): AuxdataPositions {
  const offset = code.length - length;
  if (offset <= 0) return {};
  const value = code.subarray(offset);
  return isAuxdataOf(compiler, value) ? { '1': { value: toHex(value), offset } } : {};
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
