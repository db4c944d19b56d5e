import { type Hex, toHex } from '../../values/hex.ts';
import { isJsonObject } from '../json-object.ts';
import type { AssemblyAuxdata } from './auxdata/assembly-auxdata.ts';
import { vyperImmutableSize } from './auxdata/auxdata-positions.ts';
import { replaceAuxdata } from './auxdata/auxdata-transformation.ts';
import { type AbiParameter, isCanonicalEncoding } from './canonical-arguments.ts';
import {
  type AuxdataPositions,
  type CodeTraits,
  type CompilerIdentity,
  type ImmutableReferences,
  type LinkReferences,
  type MatchGrade,
  NO_TRAITS,
} from './compiled-code.ts';
import { type CodeDifference, describeDifference } from './describe-difference.ts';
import { fillLibraries } from './link-references.ts';
import { gradeEqualCode, matchRuntime, type RuntimeSides, type SideMatch } from './match-runtime.ts';
import {
  applyTransformations,
  MatchingError,
  type Transformation,
  type TransformationValues,
} from './transformations.ts';

/** A compilation prepared for the comparison: placeholders are zeros. */
export interface PreparedCode {
  readonly compiler: CompilerIdentity;
  readonly creation: Uint8Array;
  readonly runtime: Uint8Array;
  readonly creationLinkReferences: LinkReferences | null;
  readonly runtimeLinkReferences: LinkReferences | null;
  readonly immutableReferences: ImmutableReferences | null;
  /** Bytes of immutables after the runtime code of Vyper below 0.3.10; later auxdata tell them. */
  readonly immutableTailBytes?: number;
  readonly traits?: CodeTraits;
  readonly assembly: readonly AssemblyAuxdata[];
  /** True when the settings leave auxdata out. */
  readonly hasNoAuxdata?: boolean;
  readonly abi: unknown;
}

/** The code on chain; creation is null when its transaction is not known. */
export interface OnchainCode {
  /** Lower case. */
  readonly address: Hex;
  readonly runtime: Uint8Array;
  readonly creation: Uint8Array | null;
}

/** The result of both sides; null is no match, or nothing to compare with. */
export interface SideMatches {
  readonly creation: SideMatch | null;
  readonly runtime: SideMatch | null;
}

/**
 * Compares both codes with the chain.
 *
 * A side whose artifacts contradict its code counts as no match; the other side is not affected. The record of
 * each match is applied before it is given out: what is stored always gives the code on chain.
 *
 * @throws Error when a record does not give the code on chain, which is a fault of the matcher.
 * @see contracts/verification-engine.md section 1, steps 7 and 10, and section 8
 */
export function matchBothSides(
  code: PreparedCode,
  onchain: OnchainCode,
  auxdata: { readonly creation: AuxdataPositions; readonly runtime: AuxdataPositions },
): SideMatches {
  const { compiler } = code;
  const { creation } = onchain;
  return {
    runtime: provenMatch(code.runtime, onchain.runtime, () =>
      matchRuntime({
        compiler,
        recompiled: code.runtime,
        onchain: onchain.runtime,
        address: onchain.address,
        traits: code.traits ?? NO_TRAITS,
        immutableReferences:
          code.immutableReferences ?? tailReferences(code, code.runtime.length, auxdata.creation),
        linkReferences: code.runtimeLinkReferences ?? {},
        auxdata: auxdata.runtime,
      }),
    ),
    creation:
      creation === null || code.creation.length === 0
        ? null
        : provenMatch(code.creation, creation, () =>
            matchCreation({
              compiler,
              recompiled: code.creation,
              onchain: creation,
              linkReferences: code.creationLinkReferences ?? {},
              auxdata: auxdata.creation,
              abi: code.abi,
            }),
          ),
  };
}

/**
 * Tells where the runtime codes differ when neither side matched.
 *
 * @returns null when they do not differ.
 * @see contracts/verification-api.md section 14
 */
export function explainMismatch(
  code: PreparedCode,
  onchainRuntime: Uint8Array,
  auxdata: { readonly runtime: AuxdataPositions },
): CodeDifference | null {
  return describeDifference({
    recompiled: code.runtime,
    onchain: onchainRuntime,
    linkReferences: code.runtimeLinkReferences ?? {},
    // Those of a tail stand after the code and can only show as another length.
    immutableReferences: code.immutableReferences ?? {},
    auxdata: auxdata.runtime,
    hasCallProtection: code.traits?.hasCallProtection === true,
  });
}

/** Vyper and EOF append immutables to the runtime code. @see contracts/verification-engine.md section 4.4 */
export function tailReferences(
  { compiler, immutableTailBytes = 0 }: Pick<PreparedCode, 'compiler' | 'immutableTailBytes'>,
  runtimeBytes: number,
  auxdata: AuxdataPositions,
): ImmutableReferences {
  const isVyper = compiler.language === 'Vyper';
  const length =
    (isVyper ? vyperImmutableSize(compiler.version, auxdata['1']) : undefined) ?? immutableTailBytes;
  return length === 0 ? {} : { '0': [{ start: runtimeBytes, length }] };
}

function provenMatch(
  recompiled: Uint8Array,
  onchain: Uint8Array,
  compare: () => SideMatch | null,
): SideMatch | null {
  let match: SideMatch | null;
  try {
    match = compare();
  } catch (error) {
    if (error instanceof MatchingError) return null;
    throw error;
  }
  if (match === null) return null;
  const rebuilt = applyTransformations(recompiled, match.transformations, match.values);
  if (Buffer.compare(rebuilt, onchain) !== 0) {
    throw new Error('The record of a match does not give the code on chain');
  }
  return match;
}

/** Recompiled creation code with its artifacts, and the code that the creation transaction carried. */
interface CreationSides extends Omit<RuntimeSides, 'address' | 'traits' | 'immutableReferences'> {
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

/** Types of the constructor's parameters; empty when the contract has no constructor or no ABI. */
function constructorInputs(abi: unknown): readonly AbiParameter[] {
  if (!Array.isArray(abi)) return [];
  const item: unknown = abi.find((entry: unknown) => isJsonObject(entry) && entry['type'] === 'constructor');
  const inputs = isJsonObject(item) ? item['inputs'] : undefined;
  return Array.isArray(inputs) ? inputs.filter(isParameter) : [];
}

/**
 * Checks that bytes are exactly the canonical encoding of constructor arguments.
 *
 * @see contracts/verification-engine.md section 7.5
 */
export function areConstructorArguments(abi: unknown, bytes: Uint8Array): boolean {
  const inputs = constructorInputs(abi);
  return inputs.length === 0 ? bytes.length === 0 : isCanonicalEncoding(inputs, bytes);
}

function isParameter(value: unknown): value is AbiParameter {
  return isJsonObject(value) && typeof value['type'] === 'string';
}
