import type { Hex } from '../../values/hex.ts';

/** The languages that a submission may name. `Yul` is compiled by solc. */
export type Language = 'Solidity' | 'Yul' | 'Vyper' | 'Fe';

/** A run of bytes in code. */
export interface CodeRange {
  readonly start: number;
  readonly length: number;
}

/** Places of library addresses: file → library → ranges of 20 bytes. */
export type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly CodeRange[]>>>>;

/** Places of immutable values in runtime code: AST id → ranges. */
export type ImmutableReferences = Readonly<Record<string, readonly CodeRange[]>>;

/** One auxdata (CBOR metadata with its length bytes) and the byte offset at which it begins. */
export interface AuxdataEntry {
  readonly value: Hex;
  readonly offset: number;
}

/** Auxdata of one code, keyed "1", "2", … in the order of the compiler's assembly. */
export type AuxdataPositions = Readonly<Record<string, AuxdataEntry>>;

/** What both sides of a comparison need to know about the compiler. */
export interface CompilerIdentity {
  readonly language: Language;
  /** Without `v`, for example `0.8.30+commit.73712a01`. */
  readonly version: string;
}

/** Grade of one side. @see contracts/verification-engine.md section 7.2 */
export type MatchGrade = 'exact_match' | 'match';

/** The overall grade of two sides: the better one. @see contracts/verification-api.md section 5.2 */
export function overallMatch(creation: MatchGrade | null, runtime: MatchGrade | null): MatchGrade | null {
  if (creation === 'exact_match' || runtime === 'exact_match') return 'exact_match';
  return creation ?? runtime;
}

/** The name that solc gives to the immutable in which a library compiled by way of its IR keeps its own address. */
export const LIBRARY_GUARD = 'library_deploy_address';

/**
 * What the compiler says of a contract's code beside the code: bytes alone may be a literal of the sources.
 *
 * @see contracts/verification-engine.md section 7.1
 */
export interface CodeTraits {
  /** True for a library of Solidity from 0.4.20. */
  readonly isLibrary: boolean;
  /** True when the code begins with a PUSH20 into which the deployment puts the address of the code. */
  readonly hasCallProtection: boolean;
  /** Immutables that point to internal functions, by AST id: the values that the constructor can store. */
  readonly functionPointers: Readonly<Record<string, readonly number[]>>;
}

/** Nothing is known. */
export const NO_TRAITS: CodeTraits = { isLibrary: false, hasCallProtection: false, functionPointers: {} };

/** How the stored traits of a library begin. */
export const LIBRARY_TRAITS = JSON.stringify({ ...NO_TRAITS, isLibrary: true }).split(',')[0] ?? '';
