import type { Hex } from '../../values/hex.ts';
import type { AssemblyAuxdata } from './auxdata/assembly-auxdata.ts';
import { vyperImmutableSize } from './auxdata/vyper-auxdata.ts';
import { type CodeTraits, NO_TRAITS } from './code-traits.ts';
import type {
  AuxdataPositions,
  CompilerIdentity,
  ImmutableReferences,
  LinkReferences,
} from './compiled-code.ts';
import { type CodeDifference, describeDifference } from './describe-difference.ts';
import { matchCreation } from './match-creation.ts';
import { matchRuntime, type SideMatch } from './match-runtime.ts';
import { MatchingError } from './matching-error.ts';
import { applyTransformations } from './transformations.ts';

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
          code.immutableReferences ?? vyperReferences(code, code.runtime.length, auxdata.creation),
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
    // Those of Vyper stand after the code and can only show as another length.
    immutableReferences: code.immutableReferences ?? {},
    auxdata: auxdata.runtime,
    hasCallProtection: code.traits?.hasCallProtection === true,
  });
}

/** Vyper appends its immutables to the runtime code. @see contracts/verification-engine.md section 4.4 */
export function vyperReferences(
  { compiler, immutableTailBytes = 0 }: Pick<PreparedCode, 'compiler' | 'immutableTailBytes'>,
  runtimeBytes: number,
  auxdata: AuxdataPositions,
): ImmutableReferences {
  if (compiler.language !== 'Vyper') return {};
  const length = vyperImmutableSize(compiler.version, auxdata['1']) ?? immutableTailBytes;
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
