import { failure, type JobFailure } from '../model/job-failure.ts';
import type { CompileOutcome, CompileRequest } from './compiler.ts';
import type { CompilerCatalog, CompilerExecutable } from './compiler-catalog.ts';
import type { NativeRunner } from './native/native-runner.ts';
import type { OutputReader } from './output/output-reader.ts';
import type { RunLimits, RunResult } from './pool/compiler-thread.ts';

/** Limits that messages name. */
interface NamedLimits {
  /** Of one compiler, MiB. */
  readonly memoryLimitMiB: number;
  /** Of all compilations of a job, milliseconds. */
  readonly jobTimeoutMs: number;
}

/** A run that did not begin. */
export function failedAtOnce(reason: JobFailure): CompileOutcome {
  return { kind: 'failed', failure: reason, milliseconds: 0 };
}

/**
 * Turns the end of a run into what a job continues with.
 *
 * @see contracts/verification-api.md section 8.2
 */
export function toOutcome(
  result: RunResult,
  { input, scope, target }: CompileRequest,
  compilerName: 'solc' | 'vyper' | 'fe',
  { version, kind: compilerKind }: CompilerExecutable,
  limits: NamedLimits,
): CompileOutcome {
  const { milliseconds } = result;
  const failed = (reason: JobFailure): CompileOutcome => ({ kind: 'failed', failure: reason, milliseconds });
  if (result.kind !== 'result') return failed(faultFailure(result.kind, result.message, limits));
  const { output } = result;
  switch (output.kind) {
    case 'no_output':
      return failed(failure('no_compiler_output'));
    case 'no_runtime':
      return failed(failure('runtime_bytecode_not_found_in_compiler_output'));
    case 'unreadable':
      return failed(failure('compiler_error', { compilerErrorMessage: output.message }));
    case 'contract_missing':
      return failed(
        failure(
          'contract_not_found_in_compiler_output',
          output.candidates.length === 0 ? null : { candidates: output.candidates },
        ),
      );
    case 'errors':
      return failed(failure('compiler_error', { compilerErrors: output.errors }));
    case 'contract': {
      const compiler = { language: input.language, version };
      const compilation = { ...output.contract, compiler, compilerName, compilerKind, scope, target, input };
      return { kind: 'compiled', milliseconds, compilation };
    }
  }
}

function faultFailure(
  kind: Exclude<RunResult['kind'], 'result'>,
  compilerErrorMessage: string,
  { jobTimeoutMs, memoryLimitMiB }: NamedLimits,
): JobFailure {
  switch (kind) {
    case 'timeout':
      return failure('compiler_timeout', { seconds: Math.ceil(jobTimeoutMs / 1000) });
    case 'out_of_memory':
      return failure('compiler_out_of_memory', { mebibytes: memoryLimitMiB });
    case 'crashed':
      return failure('compiler_error', { compilerErrorMessage });
  }
}

/** Repeats a run in another way, with the time that is left. The time of both counts. */
export async function runAgain(
  { milliseconds }: RunResult,
  { timeoutMs, signal }: RunLimits,
  run: (limits: RunLimits) => Promise<RunResult>,
): Promise<RunResult> {
  const again = await run({ timeoutMs: Math.max(1, timeoutMs - milliseconds), signal });
  return { ...again, milliseconds: milliseconds + again.milliseconds };
}

/** What a compiler that is always an executable is made of. */
export interface NativeCompilerParts extends NamedLimits {
  readonly catalog: CompilerCatalog;
  readonly runner: NativeRunner;
  readonly reader: OutputReader;
}
