import { toHex } from '../../values/hex.ts';
import { replaceAuxdata } from './auxdata/auxdata-transformation.ts';
import type { AuxdataPositions, CompilerIdentity, LinkReferences, MatchGrade } from './compiled-code.ts';
import { areConstructorArguments } from './constructor-arguments.ts';
import { gradeEqualCode } from './grade.ts';
import { fillLibraries } from './library-transformation.ts';
import type { SideMatch } from './match-runtime.ts';
import type { Transformation, TransformationValues } from './transformations.ts';

/** Recompiled creation code with its artifacts, and the code that the creation transaction carried. */
interface CreationSides {
  readonly compiler: CompilerIdentity;
  /** Placeholders of libraries are zeros. */
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  readonly linkReferences: LinkReferences;
  readonly auxdata: AuxdataPositions;
  /** Tells which constructor arguments may follow the code. */
  readonly abi: unknown;
}

/**
 * Compares recompiled creation code with that of the creation transaction.
 *
 * What follows the recompiled code on chain must be the canonical encoding of the constructor's arguments.
 *
 * @returns null when they do not match.
 * @see contracts/verification-engine.md section 7.5
 */
export function matchCreation(sides: CreationSides): SideMatch | null {
  const { compiler, onchain, auxdata } = sides;
  const libraries = fillLibraries(sides.recompiled, onchain, sides.linkReferences);
  if (libraries === null) return null;
  if (startsWith(onchain, libraries.code)) {
    const grade = gradeEqualCode(auxdata, compiler);
    return withArguments(sides, libraries.code, grade, libraries.transformations, libraries.values);
  }
  if (Object.keys(auxdata).length === 0) return null;
  const replaced = replaceAuxdata(libraries.code, onchain, auxdata, compiler);
  if (replaced === null || !startsWith(onchain, replaced.code)) return null;
  return withArguments(
    sides,
    replaced.code,
    'match',
    [...libraries.transformations, ...replaced.transformations],
    { ...libraries.values, ...replaced.values },
  );
}

function withArguments(
  { onchain, abi }: CreationSides,
  code: Uint8Array,
  grade: MatchGrade,
  transformations: readonly Transformation[],
  values: TransformationValues,
): SideMatch | null {
  const rest = onchain.subarray(code.length);
  if (rest.length === 0) return { grade, transformations, values };
  if (!areConstructorArguments(abi, rest)) return null;
  return {
    grade,
    transformations: [
      ...transformations,
      { type: 'insert', reason: 'constructorArguments', offset: code.length },
    ],
    values: { ...values, constructorArguments: toHex(rest) },
  };
}

function startsWith(code: Uint8Array, prefix: Uint8Array): boolean {
  return code.length >= prefix.length && Buffer.compare(code.subarray(0, prefix.length), prefix) === 0;
}
