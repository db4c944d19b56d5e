import { parseHex } from '../../values/hex.ts';
import { splitTrailingAuxdata } from './auxdata/auxdata.ts';
import { isAuxdataOf } from './auxdata/auxdata-form.ts';
import type { CompilerIdentity } from './compiled-code.ts';
import { LIBRARY_ADDRESS_BYTES, libraryPlaces } from './link-references.ts';
import type { RuntimeSides } from './match-runtime.ts';

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
export interface DifferingSides extends Omit<RuntimeSides, 'compiler' | 'address' | 'traits'> {
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
  const values = { library: new Map<string, Uint8Array>(), immutable: new Map<string, Uint8Array>() };
  for (const { region, id, start, length } of places) {
    const value = onchain.subarray(start, start + length);
    const known = values[region].get(id) ?? value;
    if (Buffer.compare(known, value) !== 0) return { offset: start, region };
    values[region].set(id, known);
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

/** Two runtime codes that do not match. */
interface UnequalCodes {
  readonly compiler: CompilerIdentity;
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  readonly difference: CodeDifference;
}

/**
 * Tells people where to look first when their contract does not match: one sentence.
 *
 * @see contracts/verification-api.md section 14
 */
export function hintAtSetting(codes: UnequalCodes): string {
  const { compiler, difference } = codes;
  switch (difference.region) {
    case 'library':
      return 'Check the code on chain: it contains two addresses of one library.';
    case 'immutable':
      return 'Check the code on chain: it contains two values of one immutable.';
    default:
      return compiler.language === 'Solidity' ? hintForSolidity(codes) : hintFor(codes);
  }
}

function hintForSolidity(codes: UnequalCodes): string {
  const { compiler, recompiled, onchain } = codes;
  const [ours, theirs] = [metadataOf(compiler, recompiled), metadataOf(compiler, onchain)];
  const release = releaseOf(theirs?.decoded);
  if (release !== null && !compiler.version.startsWith(`${release}+`)) {
    return `Check compilerVersion: the code on chain names solc ${release}.`;
  }
  const [ourBody, theirBody] = [bodyLength(recompiled, ours), bodyLength(onchain, theirs)];
  if (ours?.value.length !== theirs?.value.length && ourBody === theirBody) {
    return 'Check settings.metadata (bytecodeHash, appendCBOR): the code on chain has other metadata.';
  }
  return hintFor(codes);
}

function hintFor({ compiler, recompiled, onchain, difference }: UnequalCodes): string {
  const [ours, theirs] = [usedOpcodes(recompiled), usedOpcodes(onchain)];
  const telling = NEWER_OPCODES.find(([opcode]) => ours.has(opcode) !== theirs.has(opcode));
  if (telling !== undefined) {
    const [opcode, name] = telling;
    const where = theirs.has(opcode) ? 'only the code on chain' : 'only the recompiled code';
    return `Check settings.evmVersion: ${where} uses ${name}.`;
  }
  if (difference.recompiledLength === difference.onchainLength) {
    return 'Check the sources: codes of equal length mostly differ in a constant or a few lines.';
  }
  return compiler.language === 'Vyper'
    ? 'Check compilerVersion, settings.optimize and settings.evmVersion.'
    : 'Check settings.optimizer (enabled, runs), settings.viaIR and settings.evmVersion, then at compilerVersion.';
}

function metadataOf(compiler: CompilerIdentity, code: Uint8Array) {
  const trailing = splitTrailingAuxdata(code);
  const bytes = trailing === null ? null : parseHex(trailing.value);
  return bytes !== null && isAuxdataOf(compiler, bytes) ? trailing : null;
}

function bodyLength(code: Uint8Array, metadata: ReturnType<typeof metadataOf>): number {
  // The compiler puts one INVALID before its metadata, and none without them.
  return metadata === null ? code.length : code.length - (metadata.value.length / 2 - 1) - 1;
}

/** `0.8.30`, null where the metadata do not say. */
function releaseOf(decoded: unknown): string | null {
  const release: unknown = decoded instanceof Map ? decoded.get('solc') : null;
  return release instanceof Uint8Array ? [...release].join('.') : null;
}

/** Opcodes that came with a version of the EVM. */
const NEWER_OPCODES: readonly (readonly [opcode: number, name: string])[] = [
  [0x5f, 'PUSH0, which came with shanghai'],
  [0x5e, 'MCOPY, which came with cancun'],
];
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const INVALID = 0xfe;
/** No network takes as much: what is longer only costs time. */
const MAX_LOOKED_AT = 262_144;

/** Opcodes up to the first INVALID, after which data begin. */
export function usedOpcodes(code: Uint8Array): ReadonlySet<number> {
  const used = new Set<number>();
  const end = Math.min(code.length, MAX_LOOKED_AT);
  for (let offset = 0; offset < end; offset++) {
    const opcode = code[offset] ?? 0;
    if (opcode === INVALID) break;
    used.add(opcode);
    if (opcode >= PUSH1 && opcode <= PUSH32) offset += opcode - PUSH1 + 1;
  }
  return used;
}
