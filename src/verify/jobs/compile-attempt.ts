import { bareHex } from '../../values/hex.ts';
import type { Compilation, Compiler, OutputScope } from '../compile/compiler.ts';
import { failure, type JobFailure } from '../job-failure.ts';
import { hasMetadataHash, splitTrailingAuxdata } from '../match/auxdata.ts';
import {
  type FoundPositions,
  placeByEditedSource,
  planAuxdataPositions,
} from '../match/auxdata-positions.ts';
import { hasExtraFileBug } from '../match/extra-file-bug.ts';
import { readLinkableCode } from '../match/link-references.ts';
import { MatchingError } from '../match/matching-error.ts';
import {
  matchBothSides,
  type OnchainCode,
  type PreparedCode,
  type SideMatches,
} from '../match/verify-bytecode.ts';
import { settingsOf, withEditedSources } from '../standard-json.ts';
import type { Submission } from '../submission.ts';

/** The compilations of one job together may take this long. */
export interface CompileBudget {
  /** Fires when the job is cancelled. */
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  readonly spend: (milliseconds: number) => void;
}

/** A compilation that was compared with the chain; `refusal` tells why it does not match, null when it does. */
export interface ComparedAttempt {
  readonly kind: 'compared';
  readonly compilation: Compilation;
  readonly code: PreparedCode;
  readonly auxdata: FoundPositions;
  readonly matches: SideMatches;
  readonly refusal: JobFailure | null;
  readonly milliseconds: number;
}

export type CompileAttempt =
  | ComparedAttempt
  | { readonly kind: 'failed'; readonly failure: JobFailure; readonly milliseconds: number };

const NO_MATCHES: SideMatches = { creation: null, runtime: null };
const NO_POSITIONS: FoundPositions = { creation: {}, runtime: {} };

/** Tells whether a compilation is worth comparing; false for one that was compared already. */
export type IsNews = (compilation: Compilation) => boolean;

/**
 * Compiles once with the given output selection and compares the result with the chain.
 *
 * @returns null when `isNews` says that the same code was compared before.
 * @see contracts/verification-engine.md section 1, steps 2 to 11
 */
export async function attemptCompilation(
  compiler: Compiler,
  submission: Submission,
  scope: OutputScope,
  onchain: { readonly runtime: Uint8Array; readonly creation: () => Promise<Uint8Array | null> },
  budget: CompileBudget,
  isNews: IsNews = () => true,
): Promise<CompileAttempt | null> {
  const run = async (input: Submission['input']) => {
    const { compilerVersion: version, target } = submission;
    const outcome = await compiler.compile({
      input,
      version,
      target,
      scope,
      timeoutMs: budget.remainingMs(),
      signal: budget.signal,
    });
    budget.spend(outcome.milliseconds);
    return outcome;
  };

  const outcome = await run(submission.input);
  if (outcome.kind === 'failed') return outcome;
  const { compilation, milliseconds } = outcome;
  if (!isNews(compilation)) return null;
  const code = prepareCode(compilation);
  const refused = (refusal: JobFailure): ComparedAttempt => ({
    kind: 'compared',
    compilation,
    code,
    auxdata: NO_POSITIONS,
    matches: NO_MATCHES,
    refusal,
    milliseconds,
  });
  if (code.runtime.length === 0 || code.creation.length === 0) {
    return { kind: 'failed', failure: failure('compiled_bytecode_is_zero'), milliseconds };
  }
  const early = refuseByLength(code, onchain.runtime, compilation);
  if (early !== null) return refused(early);

  const auxdata = await findAuxdata(code, async () => {
    const edited = await run(withEditedSources(submission.input));
    return edited.kind === 'compiled' ? edited.compilation : null;
  });
  const sides: OnchainCode = { runtime: onchain.runtime, creation: await onchain.creation() };
  const matches = matchBothSides(code, sides, auxdata);
  const hasMatch = matches.creation !== null || matches.runtime !== null;
  const refusal = hasMatch ? null : refuseUnequal(code, onchain.runtime, compilation);
  return { kind: 'compared', compilation, code, auxdata, matches, refusal, milliseconds };
}

/** Step 5: codes of different length that cannot match in any way. */
function refuseByLength(
  code: PreparedCode,
  onchain: Uint8Array,
  compilation: Compilation,
): JobFailure | null {
  const { language } = code.compiler;
  if (language === 'Vyper' && code.runtime.length > onchain.length)
    return failure('bytecode_length_mismatch');
  if (language !== 'Solidity' || code.runtime.length === onchain.length) return null;
  if (isExtraFileBug(code, onchain, compilation)) return failure('extra_file_input_bug');
  const hasHash = hasMetadataHash(splitTrailingAuxdata(onchain)?.decoded);
  return hasHash ? failure('bytecode_length_mismatch') : null;
}

/** Step 8. A creation match shows that the compiler did its part, so the bug is only looked for without one. */
function refuseUnequal(code: PreparedCode, onchain: Uint8Array, compilation: Compilation): JobFailure {
  return failure(isExtraFileBug(code, onchain, compilation) ? 'extra_file_input_bug' : 'no_match');
}

function isExtraFileBug(code: PreparedCode, onchain: Uint8Array, { input }: Compilation): boolean {
  return code.compiler.language === 'Solidity' && hasExtraFileBug(code.runtime, onchain, settingsOf(input));
}

/** Puts zeros in the places of libraries; a code that contradicts its own references counts as absent. */
function prepareCode(compilation: Compilation): PreparedCode {
  const { creation, runtime, compiler, assembly, abi } = compilation;
  return {
    compiler,
    assembly,
    abi,
    creation: readLinkableCode(creation.object, creation.linkReferences ?? {}),
    runtime: readLinkableCode(runtime.object, runtime.linkReferences ?? {}),
    creationLinkReferences: creation.linkReferences,
    runtimeLinkReferences: runtime.linkReferences,
    immutableReferences: runtime.immutableReferences,
  };
}

/** Step 6. Positions that cannot be found leave an empty list, not an error. */
async function findAuxdata(
  code: PreparedCode,
  compileEdited: () => Promise<Compilation | null>,
): Promise<FoundPositions> {
  try {
    const plan = planAuxdataPositions(code);
    const { creation, runtime } = plan.unresolved;
    if (!creation && !runtime) return plan.known;
    const edited = await compileEdited();
    if (edited === null) return plan.known;
    const editedCode = prepareCode(edited);
    const place = (original: Uint8Array, other: Uint8Array) =>
      placeByEditedSource({
        original: bareHex(original),
        edited: bareHex(other),
        originalAuxdata: code.assembly.all,
        editedAuxdata: edited.assembly.all,
      });
    return {
      creation: creation ? place(code.creation, editedCode.creation) : plan.known.creation,
      runtime: runtime ? place(code.runtime, editedCode.runtime) : plan.known.runtime,
    };
  } catch (error) {
    if (error instanceof MatchingError) return NO_POSITIONS;
    throw error;
  }
}
