import { failure, type JobFailure } from '../job-failure.ts';
import { isBefore } from '../match/version-order.ts';
import { shorten } from '../shorten.ts';
import type { CompileOutcome, CompileRequest, Compiler } from './compiler.ts';
import type { CompilerPool } from './compiler-pool.ts';
import type { CompilerLookup, CompilerStore } from './compiler-store.ts';
import type { RunResult } from './compiler-thread.ts';
import { MINIMUM_SOLIDITY, normaliseVersion } from './compiler-version.ts';
import { selectOutput } from './solidity-input.ts';

/** What the compiler of Solidity and Yul is made of. */
export interface SolidityCompilerParts {
  readonly store: CompilerStore;
  readonly pool: CompilerPool;
  /** Memory limit that the message of `compiler_out_of_memory` names, MiB. */
  readonly memoryLimitMiB: number;
  /** Time limit of a job that the message of `compiler_timeout` names, milliseconds. */
  readonly jobTimeoutMs: number;
}

/**
 * Compiles Solidity and Yul with solc from the store.
 *
 * @see contracts/verification-engine.md sections 2 and 3
 */
export function createSolidityCompiler(parts: SolidityCompilerParts): Compiler {
  return {
    async compile(request) {
      const version = normaliseVersion(request.version);
      if (isBefore(version, MINIMUM_SOLIDITY)) {
        const data = { compilerVersion: version, minimum: MINIMUM_SOLIDITY };
        return { kind: 'failed', failure: failure('unsupported_compiler_version', data), milliseconds: 0 };
      }
      const lookup = await findSolc(parts.store, version, request);
      if (lookup.kind === 'missing') {
        const { compilerErrorMessage } = lookup;
        const missing = failure('compiler_error', { compilerErrorMessage });
        return { kind: 'failed', failure: missing, milliseconds: 0 };
      }
      const { input, target, scope, timeoutMs, signal } = request;
      const task = { input: selectOutput(input, target, scope), target };
      const result = await parts.pool.run(lookup.executable, task, { timeoutMs, signal });
      return readResult(result, request, lookup.executable.version, parts);
    },
  };
}

type SolcLookup =
  | Extract<CompilerLookup, { readonly kind: 'found' }>
  | { readonly kind: 'missing'; readonly compilerErrorMessage: string };

async function findSolc(
  store: CompilerStore,
  version: string,
  { timeoutMs, signal }: CompileRequest,
): Promise<SolcLookup> {
  const wanted = { language: 'solc', version, kind: 'wasm' } as const;
  const lookup = await store.find(wanted, { patienceMs: timeoutMs, signal });
  if (lookup.kind === 'found') return lookup;
  const places = lookup.lookedIn.join('; ');
  return {
    kind: 'missing',
    compilerErrorMessage: `No compiler solc ${shorten(version)} was found. Looked in: ${places}.`,
  };
}

function readResult(
  result: RunResult,
  { input, target }: CompileRequest,
  version: string,
  parts: SolidityCompilerParts,
): CompileOutcome {
  const { milliseconds } = result;
  const failed = (reason: JobFailure): CompileOutcome => ({ kind: 'failed', failure: reason, milliseconds });
  if (result.kind !== 'result') return failed(faultFailure(result.kind, result.message, parts));
  const { output } = result;
  switch (output.kind) {
    case 'no_output':
      return failed(failure('no_compiler_output'));
    case 'contract_missing':
      return failed(failure('contract_not_found_in_compiler_output'));
    case 'errors':
      return failed(failure('compiler_error', { compilerErrors: output.errors }));
    case 'contract':
      return {
        kind: 'compiled',
        milliseconds,
        compilation: {
          ...output.contract,
          compiler: { language: input.language, version },
          compilerName: 'solc',
          target,
          input,
        },
      };
  }
}

function faultFailure(
  kind: Exclude<RunResult['kind'], 'result'>,
  compilerErrorMessage: string,
  { jobTimeoutMs, memoryLimitMiB }: SolidityCompilerParts,
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
