import { type Hex, toHex } from '../../values/hex.ts';
import { provesSources } from './auxdata/auxdata.ts';
import { replaceAuxdata } from './auxdata/auxdata-transformation.ts';
import {
  type AuxdataPositions,
  type CodeTraits,
  type CompilerIdentity,
  type ImmutableReferences,
  LIBRARY_GUARD,
  type LinkReferences,
  type MatchGrade,
} from './compiled-code.ts';
import { fillLibraries } from './link-references.ts';
import {
  type ReplacedCode,
  splice,
  type Transformation,
  type TransformationValues,
} from './transformations.ts';

/** The grade of one side and the record that explains every difference. */
export interface SideMatch {
  readonly grade: MatchGrade;
  readonly transformations: readonly Transformation[];
  readonly values: TransformationValues;
}

/** Recompiled runtime code with its artifacts, and the code on chain. */
export interface RuntimeSides {
  readonly compiler: CompilerIdentity;
  /** Placeholders of libraries and immutables are zeros. */
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  /** Where the code on chain lies. */
  readonly address: Hex;
  readonly traits: CodeTraits;
  readonly immutableReferences: ImmutableReferences;
  readonly linkReferences: LinkReferences;
  readonly auxdata: AuxdataPositions;
}

const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;

/**
 * Compares recompiled runtime code with the code on chain.
 *
 * @returns null when they do not match.
 * @see contracts/verification-engine.md section 7.1
 */
export function matchRuntime(sides: RuntimeSides): SideMatch | null {
  const { compiler, onchain, auxdata } = sides;
  const protection = fillCallProtection(sides);
  const immutables = fillImmutables(protection.code, sides);
  if (immutables === null) return null;
  const libraries = fillLibraries(immutables.code, onchain, sides.linkReferences);
  if (libraries === null) return null;

  const transformations = [
    ...protection.transformations,
    ...immutables.transformations,
    ...libraries.transformations,
  ];
  const values = { ...protection.values, ...immutables.values, ...libraries.values };
  if (areEqual(libraries.code, onchain)) {
    const grade = isForeign(values, sides) ? 'match' : gradeEqualCode(auxdata, compiler);
    return { grade, transformations, values };
  }
  if (Object.keys(auxdata).length === 0) return null;
  const replaced = replaceAuxdata(libraries.code, onchain, auxdata, compiler);
  if (replaced === null || !areEqual(replaced.code, onchain)) return null;
  return {
    grade: 'match',
    transformations: [...transformations, ...replaced.transformations],
    values: { ...values, ...replaced.values },
  };
}

/**
 * With another address than its own a library takes direct calls, which its sources forbid. What EOF appends is not
 * told apart, so it may be that address, or a function.
 */
function isForeign(
  { callProtection, immutables }: TransformationValues,
  { compiler, address, immutableReferences, recompiled }: RuntimeSides,
): boolean {
  if (compiler.language === 'Solidity' && immutableReferences['0']?.[0]?.start === recompiled.length)
    return true;
  if (callProtection !== undefined && callProtection !== address) return true;
  const guard = compiler.language === 'Solidity' ? immutables?.[LIBRARY_GUARD] : undefined;
  return guard !== undefined && guard !== `0x${address.slice(2).padStart(2 * WORD_BYTES, '0')}`;
}

/** A deployed library begins with PUSH20 of its own address, for which the compiler leaves zeros. */
function fillCallProtection({ recompiled, onchain, traits }: RuntimeSides): ReplacedCode {
  const address = onchain.subarray(1, 1 + ADDRESS_BYTES);
  if (!traits.hasCallProtection || address.length < ADDRESS_BYTES) {
    return { code: recompiled, transformations: [], values: {} };
  }
  const code = Uint8Array.from(recompiled);
  code.set(address, 1);
  return {
    code,
    transformations: [{ type: 'replace', reason: 'callProtection', offset: 1 }],
    values: { callProtection: toHex(address) },
  };
}

/**
 * All places of one immutable must hold the same value, otherwise the record could not reproduce the code. One that
 * points to an internal function holds what the constructor can store; anything else is a jump into other code.
 */
function fillImmutables(recompiled: Uint8Array, sides: RuntimeSides): ReplacedCode | null {
  const { onchain, immutableReferences, traits } = sides;
  let code = Uint8Array.from(recompiled);
  const transformations: Transformation[] = [];
  const values: [string, Hex][] = [];
  for (const [id, ranges] of Object.entries(immutableReferences)) {
    const allowed = traits.functionPointers[id];
    if (ranges.some(({ start, length }) => start + length > onchain.length)) return null;
    const [first, ...others] = new Set(
      ranges.map(({ start, length }) => toHex(onchain.subarray(start, start + length))),
    );
    if (first === undefined) continue;
    if (others.length > 0) return null;
    if (allowed?.some((value) => BigInt(value) === BigInt(first)) === false) return null;
    for (const { start, length } of ranges) {
      const isInsert = start === recompiled.length;
      const bytes = onchain.subarray(start, start + length);
      if (start > code.length) return null;
      if (isInsert) code = splice(code, start, 0, bytes);
      else if (start + length > code.length) return null;
      else code.set(bytes, start);
      transformations.push({
        type: isInsert ? 'insert' : 'replace',
        reason: 'immutable',
        offset: start,
        id,
      });
    }
    values.push([id, first]);
  }
  return {
    code,
    transformations,
    values: values.length === 0 ? {} : { immutables: Object.fromEntries(values) },
  };
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

/**
 * Grades code that is equal without any change of auxdata.
 *
 * Equal bytes prove the sources only when every auxdata in them carries a hash of the sources.
 *
 * @see contracts/verification-engine.md section 7.2
 */
export function gradeEqualCode(auxdata: AuxdataPositions, compiler: CompilerIdentity): MatchGrade {
  const entries = Object.values(auxdata);
  const isProven = entries.length > 0 && entries.every(({ value }) => provesSources(value, compiler));
  return isProven ? 'exact_match' : 'match';
}
