import { bareHex, bufferOf, type Hex, parseHex } from '../../values/hex.ts';
import { joinSignals } from '../../values/joined-signal.ts';
import {
  ChainUnavailableError,
  type ContractCodeSource,
  type ContractCreation,
  type PresentContract,
} from '../chain/contract-code-source.ts';
import { shorten } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { compilerNamedIn } from '../mismatch/compare-settings.ts';
import { settingsOfMetadata } from '../mismatch/metadata-settings.ts';
import { delegationTarget, nameOnchainKind } from '../mismatch/onchain-kind.ts';
import { failure } from '../model/job-failure.ts';
import type { JobProgress } from '../model/job-progress.ts';
import type { Submission } from '../model/submission.ts';
import { settingsOf } from '../standard-json.ts';
import type { AttemptContext, CompileBudget } from './attempts/attempt-compilation.ts';
import { attemptSubmission } from './attempts/attempt-submission.ts';
import type { ComparedAttempt, CompileAttempt } from './attempts/compare-with-chain.ts';
import { type JobBytecodes, NO_BYTECODES, type VerificationResult } from './results/verification-result.ts';

/** What a verification needs of the world. */
interface VerificationParts extends Omit<AttemptContext, 'onchain' | 'budget' | 'progress'> {
  /** Processor time of all compilations of one job together, milliseconds. */
  readonly compileTimeoutMs: number;
  /** Reading the creation transaction that the client named may take this long, milliseconds. */
  readonly creationReadMs: number;
  /** Searching a creation transaction that nobody named may take this long, milliseconds. */
  readonly creationSearchMs: number;
  /** Told when no source gave the runtime code; the job ends with `cannot_fetch_bytecode`. */
  readonly onCodeUnavailable: (error: ChainUnavailableError) => void;
  /** Told when the creation could not be read; the job continues without it. */
  readonly onCreationUnavailable: (error: unknown) => void;
}

/**
 * Verifies one contract: reads the chain, compiles, compares.
 *
 * The creation transaction is read or searched while the compiler works.
 *
 * @param address lower case
 * @see contracts/verification-engine.md section 1
 */
export async function runVerification(
  source: ContractCodeSource,
  address: Hex,
  submission: Submission,
  parts: VerificationParts,
  progress: JobProgress,
): Promise<VerificationResult> {
  progress.enter('fetching');
  let runtime: Uint8Array;
  try {
    runtime = await source.runtimeCode(address, progress.signal);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    parts.onCodeUnavailable(error);
    if (error.advice !== null) progress.warn(error.advice);
    return { kind: 'failed', failure: failure('cannot_fetch_bytecode'), bytecodes: NO_BYTECODES };
  }
  if (runtime.length === 0) {
    return { kind: 'failed', failure: failure('contract_not_deployed'), bytecodes: NO_BYTECODES };
  }
  const account = delegationTarget(runtime) === null ? null : nameOnchainKind(runtime, null);
  if (account !== null) {
    const reason = failure('no_match', { hint: account.words, onchainKind: account.kind });
    return { kind: 'failed', failure: reason, bytecodes: { ...NO_BYTECODES, onchainRuntime: runtime } };
  }

  const contract = { address, runtimeCode: runtime };
  const creation = readCreation(source, contract, submission.creationTransactionHash, parts, progress);
  const attempt = await attemptSubmission(submission, {
    ...parts,
    onchain: { address, runtime, creation: () => creation },
    budget: budgetOf(parts.compileTimeoutMs),
    progress,
  });
  if (attempt.kind === 'compared') {
    if (attempt.refusal === null && attempt.matches.runtime === null) progress.warn(OTHER_RUNTIME);
    for (const note of notesOf(attempt)) progress.warn(note);
  }
  return conclude(attempt, runtime, await creation);
}

const OTHER_RUNTIME =
  'Only the creation code matches: the code at the address is not what these sources produce, so this is not an exact match. The constructor may have returned other code.';
const EARLIER_LIFE =
  'The creation transaction is that of an earlier contract at this address: the code after its block is not the present code. The creation code was not compared.';

function conclude(
  attempt: CompileAttempt,
  onchainRuntime: Uint8Array,
  creation: ContractCreation | null,
): VerificationResult {
  const onchain: JobBytecodes = {
    ...NO_BYTECODES,
    onchainRuntime,
    onchainCreation: creation?.creationCode ?? null,
    creationTransactionHash: creation?.transactionHash ?? null,
  };
  if (attempt.kind === 'failed') return { kind: 'failed', failure: attempt.failure, bytecodes: onchain };
  const { code, compilation, auxdata, matches, refusal, milliseconds } = attempt;
  if (refusal !== null) {
    const bytecodes = {
      ...onchain,
      recompiledCreation: code.creation,
      recompiledRuntime: code.runtime,
      recompiledSettings: compilation.metadata === null ? null : settingsOfMetadata(compilation.metadata),
    };
    return { kind: 'failed', failure: refusal, bytecodes };
  }
  return {
    kind: 'matched',
    compilation,
    recompiledCreation: code.creation,
    recompiledRuntime: code.runtime,
    auxdata,
    matches,
    onchainRuntime,
    creation: creation?.life === 'unknown' && matches.creation === null ? null : creation,
    compilationMs: milliseconds,
  };
}

/** Whatever goes wrong here leaves the creation unknown; the runtime code can still match. */
async function readCreation(
  source: ContractCodeSource,
  contract: PresentContract,
  hash: Hex | null,
  parts: VerificationParts,
  progress: JobProgress,
): Promise<ContractCreation | null> {
  const { end, signal } = joinSignals(progress.signal);
  const timer = setTimeout(() => end(), hash === null ? parts.creationSearchMs : parts.creationReadMs);
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    const creation = await Promise.race([source.creation(contract, hash, signal), aborted]);
    if (creation === null && hash !== null) progress.warn(notTheCreation(hash, signal.aborted));
    if (creation?.life !== 'earlier') return creation;
    progress.warn(EARLIER_LIFE);
    return null;
  } catch (error) {
    parts.onCreationUnavailable(error);
    if (hash === null) return null;
    progress.warn(notTheCreation(hash, true));
    if (error instanceof ChainUnavailableError && error.advice !== null) progress.warn(error.advice);
    return null;
  } finally {
    clearTimeout(timer);
    end();
  }
}

function notTheCreation(hash: Hex, isUnread: boolean): string {
  return isUnread
    ? `The creation transaction ${hash} could not be read from the chain; the creation code was not compared.`
    : `The transaction ${hash} did not create this contract; the creation code was not compared.`;
}

function budgetOf(totalMs: number): CompileBudget {
  let spentMs = 0;
  return {
    totalMs,
    remainingMs: () => Math.max(1, totalMs - spentMs),
    spend: (milliseconds) => {
      spentMs += milliseconds;
    },
  };
}

const MAX_UINT32 = 2 ** 32 - 1;
const MAX_NAMED = 5;

/** What a reader of a verdict should know that neither its grade nor its error says. */
function notesOf(attempt: ComparedAttempt): readonly string[] {
  const { optimizer } = settingsOf(attempt.compilation.input);
  const notes = isJsonObject(optimizer) && Number(optimizer['runs']) > MAX_UINT32 ? [RUNS] : [];
  if (attempt.refusal !== null) return notes;
  return [
    ...notes,
    ...leftOut(attempt),
    ...otherCompiler(attempt),
    ...linkedLibraries(attempt),
    ...(attempt.hasOpenPointers ? [POINTERS] : []),
  ];
}

const RUNS = `settings.optimizer.runs is above ${MAX_UINT32}: the WebAssembly build of solc writes it modulo 2^32 into the metadata, so their hash may differ from that of another build.`;

function leftOut({ compilation }: ComparedAttempt): readonly string[] {
  const names = compilation.leftOut ?? [];
  return names.length === 0
    ? []
    : [`Too large for these sources, and not stored: ${names.join(', ')}. The code was compared in full.`];
}

/** Releases that differ may well give the same code, but not the same metadata. */
function otherCompiler({ compilation, matches }: ComparedAttempt): readonly string[] {
  const { compilerName, compiler } = compilation;
  const used = `${compilerName} ${releaseOf(compiler.version)}`;
  const auxdata = [matches.runtime, matches.creation].flatMap((match) =>
    Object.values(match?.values.cborAuxdata ?? {}),
  );
  const other = auxdata
    .map((value) => compilerNamedIn(parseHex(value) ?? new Uint8Array()))
    .find((named) => named !== null && releaseOf(named) !== used);
  return other === undefined || other === null
    ? []
    : [
        `According to the code on chain it was compiled with ${shorten(other)}; these sources were compiled with ${used}.`,
      ];
}

function releaseOf(version: string): string {
  return version.split(/[-+]/, 1)[0] ?? version;
}

const PUSH20 = 0x73;
const ADDRESS_BYTES = 20;
/** Of code. No network takes as much: of what is longer every library that the settings list counts as linked. */
const MAX_SEARCHED_BYTES = 131_072;

/** What code pushes, bare hex: one pass for any number of libraries. */
function pushedAddresses(code: Buffer): ReadonlySet<string> {
  const pushed = new Set<string>();
  for (let at = code.indexOf(PUSH20); at >= 0; at = code.indexOf(PUSH20, at + 1)) {
    pushed.add(code.toString('hex', at + 1, at + 1 + ADDRESS_BYTES));
  }
  return pushed;
}

/** @see contracts/verification-api.md section 14 */
function linkedLibraries({ compilation, code, matches }: ComparedAttempt): readonly string[] {
  const linked = { ...matches.creation?.values.libraries, ...matches.runtime?.values.libraries };
  const listed = namedAddresses(settingsOf(compilation.input)['libraries']);
  const codes = listed.length === 0 ? [] : [code.creation, code.runtime].map(bufferOf);
  const isLong = codes.some(({ length }) => length > MAX_SEARCHED_BYTES);
  const pushed = isLong ? [] : codes.map(pushedAddresses);
  const byCompiler = listed.filter(([, address]) => {
    const bytes = parseHex(address);
    if (bytes === null || bytes.length === 0) return false;
    const digits = bareHex(bytes).padStart(2 * ADDRESS_BYTES, '0');
    return isLong || pushed.some((each) => each.has(digits));
  });
  const all = [...new Map([...byCompiler, ...Object.entries(linked)])];
  if (all.length === 0) return [];
  const named = all.slice(0, MAX_NAMED).map(([name, address]) => `${shorten(name)} at ${shorten(address)}`);
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return [`The code of linked libraries is not proven by this verification: ${named.join(', ')}${more}.`];
}

const POINTERS =
  'Immutables of this contract point to internal functions. Which ones is not proven, because the creation code was not compared, so this is not an exact match. Specify the creation transaction.';

/** By file and name; old compilers take names alone. */
function namedAddresses(libraries: unknown): readonly (readonly [string, Hex])[] {
  const entriesOf = (object: JsonObject, file: string): readonly (readonly [string, Hex])[] =>
    Object.entries(object).flatMap(([name, value]) => {
      const id = file === '' ? name : `${file}:${name}`;
      if (typeof value === 'string') return [[id, value as Hex] as const];
      return file === '' && isJsonObject(value) ? entriesOf(value, name) : [];
    });
  return isJsonObject(libraries) ? entriesOf(libraries, '') : [];
}
