import { parseHex } from '../../../src/values/hex.ts';
import { NO_TRAITS } from '../../../src/verify/match/compiled-code.ts';
import { readLinkableCode } from '../../../src/verify/match/link-references.ts';
import type { SideMatch } from '../../../src/verify/match/match-runtime.ts';
import { matchBothSides, type PreparedCode } from '../../../src/verify/match/verify-bytecode.ts';
import type { RecordedVector } from './vector-recording.ts';

/** A verification vector. @see contracts/verification-engine.md section 14 */
export interface MatchableVector extends RecordedVector {
  readonly onchain: { readonly creationBytecode: string; readonly deployedBytecode: string };
}

/** One side in the words of the vectors; all three are null when it does not match. */
export type JudgedSide =
  | {
      readonly grade: SideMatch['grade'];
      readonly transformations: SideMatch['transformations'];
      readonly values: SideMatch['values'];
    }
  | { readonly grade: null; readonly transformations: null; readonly values: null };

/** What a verdict over HTTP says of the creation: alone it is never exact, which older cases do not know. */
export function expectedCreationMatch(verification: {
  readonly [member: string]: unknown;
  readonly creationMatch?: unknown;
  readonly runtimeMatch?: unknown;
}): unknown {
  const { creationMatch, runtimeMatch } = verification;
  return runtimeMatch === null && creationMatch !== null ? 'match' : creationMatch;
}

/** The compilation that a vector stores, ready for the matcher. */
export function preparedCodeOf({ input, output, verification }: MatchableVector): PreparedCode {
  const { creationCodeArtifacts: creation, runtimeCodeArtifacts: runtime } = output;
  return {
    compiler: { language: input.stdJsonInput.language, version: input.compilerVersion },
    creation: readLinkableCode(output.creationBytecode, creation.linkReferences ?? {}),
    runtime: readLinkableCode(output.deployedBytecode, runtime.linkReferences ?? {}),
    creationLinkReferences: creation.linkReferences,
    runtimeLinkReferences: runtime.linkReferences,
    immutableReferences: runtime.immutableReferences,
    // Vectors store no assembly, which would say so.
    traits: { ...NO_TRAITS, hasCallProtection: verification?.runtimeValues?.callProtection !== undefined },
    assembly: [],
    abi: output.compilationArtifacts.abi,
  };
}

/** Compares the stored compilation of a vector with its code on chain: the matcher without any compiler. */
export function matchVector(vector: MatchableVector): {
  readonly creation: JudgedSide;
  readonly runtime: JudgedSide;
} {
  const { onchain, output } = vector;
  const { creation, runtime } = matchBothSides(
    preparedCodeOf(vector),
    {
      address: vector.verification?.runtimeValues?.callProtection ?? `0x${'0'.repeat(40)}`,
      creation: parseHex(onchain.creationBytecode),
      runtime: parseHex(onchain.deployedBytecode) ?? new Uint8Array(),
    },
    {
      creation: output.creationCodeArtifacts.cborAuxdata,
      runtime: output.runtimeCodeArtifacts.cborAuxdata,
    },
  );
  return { creation: judged(creation), runtime: judged(runtime) };
}

function judged(side: SideMatch | null): JudgedSide {
  return side ?? { grade: null, transformations: null, values: null };
}
