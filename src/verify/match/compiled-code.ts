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
