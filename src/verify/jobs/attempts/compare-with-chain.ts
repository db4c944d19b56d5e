import { setImmediate } from 'node:timers/promises';
import type { Hex } from '../../../values/hex.ts';
import type { ContractCreation } from '../../chain/contract-code-source.ts';
import type { Compilation } from '../../compile/compiler.ts';
import type { JsonObject } from '../../json-object.ts';
import { hasMetadataHash, splitTrailingAuxdata } from '../../match/auxdata/auxdata.ts';
import { type CodeSide, type FoundPositions, NO_POSITIONS } from '../../match/auxdata/auxdata-positions.ts';
import { hintAtSetting } from '../../match/describe-difference.ts';
import { hasExtraFileBug } from '../../match/extra-file-bug.ts';
import {
  explainMismatch,
  matchBothSides,
  type OnchainCode,
  type PreparedCode,
  type SideMatches,
} from '../../match/verify-bytecode.ts';
import { nameOnchainKind } from '../../mismatch/onchain-kind.ts';
import { failure, type JobFailure } from '../../model/job-failure.ts';
import { settingsOf } from '../../standard-json.ts';
import { prepareCode } from '../results/prepare-code.ts';
import type { AuxdataProof } from './prove-auxdata.ts';

/** The code on chain; the creation code may still be under way and is null when it is not known. */
export interface OnchainReader {
  /** Lower case. */
  readonly address: Hex;
  readonly runtime: Uint8Array;
  readonly creation: () => Promise<Pick<ContractCreation, 'creationCode' | 'life'> | null>;
}

/** A compilation that was compared with the chain; `refusal` tells why it does not match, null when it does. */
export interface ComparedAttempt {
  readonly kind: 'compared';
  readonly compilation: Compilation;
  readonly code: PreparedCode;
  readonly auxdata: FoundPositions;
  readonly matches: SideMatches;
  readonly refusal: JobFailure | null;
  /** True when immutables point to functions and no creation code shows to which. */
  readonly hasOpenPointers: boolean;
  /** Time that the compiler took, milliseconds. */
  readonly milliseconds: number;
}

/** The end of an attempt to find sources that give the code on chain. */
export type CompileAttempt =
  | ComparedAttempt
  | { readonly kind: 'failed'; readonly failure: JobFailure; readonly milliseconds: number };

const NO_MATCHES: SideMatches = { creation: null, runtime: null };
/** What matches is as long as the code on chain but for auxdata, of which a factory may have many. */
const [MAX_TIMES_LONGER, MAX_BYTES_LONGER] = [2, 65_536];
/** Twice what a chain takes of creation code: from here on a step takes milliseconds. */
const LONG_BYTES = 98_304;

/**
 * Compares a compilation with the chain.
 *
 * @param proofOf asked only when the lengths allow a match.
 * @throws MatchingError when code contradicts its own link references.
 * @see contracts/verification-engine.md section 1, steps 4 to 11
 */
export async function compareWithChain(
  compilation: Compilation,
  onchain: OnchainReader,
  proofOf: (code: PreparedCode) => AuxdataProof,
  milliseconds: number,
): Promise<CompileAttempt> {
  const code = prepareCode(compilation);
  if (code.runtime.length === 0 || code.creation.length === 0) {
    return { kind: 'failed', failure: failure('compiled_bytecode_is_zero'), milliseconds };
  }
  const compared = { kind: 'compared', compilation, code, milliseconds } as const;
  await othersTurn(code);
  const early = refuseByLength(code, onchain.runtime, compilation);
  if (early !== null)
    return {
      ...compared,
      auxdata: NO_POSITIONS,
      matches: NO_MATCHES,
      refusal: early,
      hasOpenPointers: false,
    };

  const { address, runtime } = onchain;
  const made = await onchain.creation();
  const sides: OnchainCode = { address, runtime, creation: made?.creationCode ?? null };
  await othersTurn(code);
  const mayMatch = isComparable(code.runtime, sides.runtime) || isComparable(code.creation, sides.creation);
  const found = mayMatch
    ? await matchByProof(code, sides, proofOf(code))
    : { auxdata: NO_POSITIONS, matches: NO_MATCHES };
  const { auxdata } = found;
  const isOfPresentLife = made?.life === 'present';
  const hasOpenPointers = hasPointers(code) && !(isOfPresentLife && found.matches.creation !== null);
  const weighed = hasOpenPointers ? withoutProof(found.matches) : found.matches;
  const matches = weighCreation(weighed, isOfPresentLife);
  const hasMatch = matches.creation !== null || matches.runtime !== null;
  if (!hasMatch) await othersTurn(code);
  const refusal = hasMatch ? null : refuseUnequal(code, onchain.runtime, compilation, auxdata);
  return { ...compared, auxdata, matches, refusal, hasOpenPointers };
}

/** Between two steps on long code. */
async function othersTurn({ creation, runtime }: PreparedCode): Promise<void> {
  if (creation.length + runtime.length > LONG_BYTES) await setImmediate();
}

/** Code that is far longer than what lies on chain is not looked at: a stranger's compiler may give any amount. */
function isComparable(recompiled: Uint8Array, onchain: Uint8Array | null): boolean {
  return onchain !== null && recompiled.length <= MAX_TIMES_LONGER * onchain.length + MAX_BYTES_LONGER;
}

function hasPointers({ traits }: PreparedCode): boolean {
  return Object.keys(traits?.functionPointers ?? {}).length > 0;
}

/** Which function an immutable points to is what the creation code stores there. */
function withoutProof({ creation, runtime }: SideMatches): SideMatches {
  return { creation, runtime: runtime === null ? null : { ...runtime, grade: 'match' } };
}

/**
 * Compares first with what one compilation proves: codes that are equal need nothing more. Edited sources are compiled
 * before anything counts that is equal only where auxdata were replaced.
 *
 * @see contracts/verification-engine.md section 6.3
 */
async function matchByProof(
  code: PreparedCode,
  sides: OnchainCode,
  { plan, byEditedSources }: AuxdataProof,
): Promise<{ readonly auxdata: FoundPositions; readonly matches: SideMatches }> {
  const matches = matchBothSides(code, sides, plan.known);
  const isOpen = (side: CodeSide) => {
    const need = plan.edited[side];
    if (need === 'without_match') return matches[side] === null && sides[side] !== null;
    return need === 'always' || (need === 'before_masking' && isMasked(matches[side]));
  };
  if (!isOpen('creation') && !isOpen('runtime')) return { auxdata: plan.known, matches };
  const edited = await byEditedSources();
  const auxdata = {
    creation: isOpen('creation') ? edited.creation : plan.known.creation,
    runtime: isOpen('runtime') ? edited.runtime : plan.known.runtime,
  };
  return { auxdata, matches: matchBothSides(code, sides, auxdata) };
}

function isMasked(match: SideMatches[CodeSide]): boolean {
  return match?.transformations.some(({ reason }) => reason === 'cborAuxdata') === true;
}

/**
 * What a creation is worth beside the runtime code, which is what lies there. One that may be that of an earlier
 * life of the address adds nothing to it.
 */
function weighCreation({ creation, runtime }: SideMatches, isOfPresentLife: boolean): SideMatches {
  if (creation === null || (isOfPresentLife && runtime !== null)) return { creation, runtime };
  if (runtime === null)
    return isOfPresentLife ? { creation: { ...creation, grade: 'match' }, runtime } : NO_MATCHES;
  return runtime.grade === 'exact_match'
    ? { creation, runtime }
    : { creation: { ...creation, grade: 'match' }, runtime };
}

/** Step 5: codes of different length that cannot match in any way. */
function refuseByLength(
  code: PreparedCode,
  onchain: Uint8Array,
  compilation: Compilation,
): JobFailure | null {
  const { language } = code.compiler;
  if (language === 'Vyper' && code.runtime.length > onchain.length) {
    return failure('bytecode_length_mismatch', differenceOf(code, onchain, NO_POSITIONS));
  }
  const length = code.runtime.length + (code.immutableTailBytes ?? 0);
  if (language !== 'Solidity' || length === onchain.length) return null;
  const data = differenceOf(code, onchain, NO_POSITIONS);
  if (isExtraFileBug(code, onchain, compilation, data)) return failure('extra_file_input_bug', data);
  const hasHash = hasMetadataHash(splitTrailingAuxdata(onchain)?.decoded);
  return hasHash ? failure('bytecode_length_mismatch', data) : null;
}

/** Step 8. A creation match shows that the compiler did its part, so the bug is only looked for without one. */
function refuseUnequal(
  code: PreparedCode,
  onchain: Uint8Array,
  compilation: Compilation,
  auxdata: FoundPositions,
): JobFailure {
  const data = differenceOf(code, onchain, auxdata);
  return failure(
    isExtraFileBug(code, onchain, compilation, data) ? 'extra_file_input_bug' : 'no_match',
    data,
  );
}

/** What people ask for most after a refusal. @see contracts/verification-api.md section 14 */
function differenceOf(code: PreparedCode, onchain: Uint8Array, auxdata: FoundPositions): JsonObject | null {
  const diff = explainMismatch(code, onchain, auxdata);
  if (diff === null) return null;
  const { compiler, runtime: recompiled } = code;
  const named = nameOnchainKind(onchain, recompiled);
  if (named !== null) return { diff, hint: named.words, onchainKind: named.kind };
  return { diff, hint: hintAtSetting({ compiler, recompiled, onchain, difference: diff }) };
}

/** @param data of the difference; code that is something else altogether has no such cause. */
function isExtraFileBug(
  code: PreparedCode,
  onchain: Uint8Array,
  { input }: Compilation,
  data: JsonObject | null,
): boolean {
  if (code.compiler.language !== 'Solidity' || data?.['onchainKind'] !== undefined) return false;
  return hasExtraFileBug(code.runtime, onchain, settingsOf(input));
}
