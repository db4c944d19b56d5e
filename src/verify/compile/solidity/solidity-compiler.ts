import { printInput } from '../../exact-runs.ts';
import { isBefore } from '../../match/version-order.ts';
import { failure } from '../../model/job-failure.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import { failedAtOnce, type NativeCompilerParts, runAgain, toOutcome } from '../compile-outcome.ts';
import type { Compiler, OutputScope } from '../compiler.ts';
import type { CompilerExecutable } from '../compiler-catalog.ts';
import { MINIMUM_SOLIDITY, normaliseVersion } from '../compiler-version.ts';
import { lastPart } from '../native/native-process.ts';
import type { TargetOutput } from '../output/solidity-output.ts';
import type { CompilerPool } from '../pool/compiler-pool.ts';
import type { RunLimits, RunResult } from '../pool/compiler-thread.ts';
import { findCompiler } from '../supply/find-compiler.ts';

/** What the compiler of Solidity and Yul is made of. */
export interface SolidityCompilerParts extends NativeCompilerParts {
  /** Runs the builds for WebAssembly and asm.js. */
  readonly pool: CompilerPool;
}

/**
 * Compiles Solidity and Yul with solc from the catalog.
 *
 * The catalog gives a native build when it has one, so the memory of WebAssembly limits only servers without.
 *
 * @see contracts/verification-engine.md sections 2, 3 and 13
 */
export function createSolidityCompiler(parts: SolidityCompilerParts): Compiler {
  return {
    async compile(request) {
      const version = normaliseVersion(request.version);
      if (isBefore(version, MINIMUM_SOLIDITY)) {
        const data = { compilerVersion: version, minimum: MINIMUM_SOLIDITY };
        return failedAtOnce(failure('unsupported_compiler_version', data));
      }
      const { target, scope, kind } = request;
      const wanted = { language: 'solc', version } as const;
      const found = await findCompiler(
        parts.catalog,
        kind === undefined ? wanted : { ...wanted, kind },
        request,
      );
      if (found.kind === 'missing') return failedAtOnce(found.failure);
      const { executable } = found;
      const run = (selected: OutputScope, limits: RunLimits) =>
        runSolc(executable, selectOutput(request.input, target, selected), target, limits, parts);
      const first = await run(scope, request);
      // With one contract selected solc may fail on what compiles as a whole: imports in a circle, contracts that are
      // created in a base contract, a library or a free function (seen 0.4.18 to 0.8.37).
      const isWorthMore = scope === 'target' && first.kind === 'result' && first.output.kind === 'errors';
      const result = isWorthMore ? await runAgain(first, request, (limits) => run('all', limits)) : first;
      return toOutcome(result, request, 'solc', executable, parts);
    },
  };
}

async function runSolc(
  executable: CompilerExecutable,
  input: StandardJson,
  target: CompilationTarget,
  limits: RunLimits,
  { pool, runner, reader }: SolidityCompilerParts,
): Promise<RunResult> {
  if (executable.kind === 'wasm') return pool.run(executable, { input, target }, limits);
  const { path, version } = executable;
  const result = await runner.run(
    {
      path,
      arguments: () => ['--standard-json'],
      stdin: printInput(input),
      async read({ exitCode, stdout, stderr }) {
        if (stdout.length === 0 && exitCode !== 0) {
          return {
            kind: 'unreadable',
            message: `The compiler exited with code ${exitCode}. ${lastPart(stderr)}`,
          };
        }
        return reader({ compiler: 'solc', stdout, input, target, version }, limits.signal);
      },
    },
    limits,
  );
  if (result.kind !== 'result' || !hasRunOutOfMemory(result.output)) return result;
  const { milliseconds } = result;
  return { kind: 'out_of_memory', message: 'The compiler could not allocate more memory', milliseconds };
}

/** solc reports a refused allocation as an error of the sources. */
function hasRunOutOfMemory(output: TargetOutput): boolean {
  return output.kind === 'errors' && JSON.stringify(output.errors).includes('std::bad_alloc');
}

/** What the engine needs of a contract. @see contracts/verification-engine.md section 2.1 */
const OUTPUTS = [
  'abi',
  'devdoc',
  'userdoc',
  'storageLayout',
  'transientStorageLayout',
  'evm.legacyAssembly',
  'evm.bytecode.object',
  'evm.bytecode.sourceMap',
  'evm.bytecode.linkReferences',
  'evm.bytecode.generatedSources',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.sourceMap',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
  'metadata',
] as const;

/**
 * Replaces the output selection of a submission by our own.
 *
 * `target` asks for one contract, which saves most of the output of large inputs; `all` is what the reference
 * asks for and what counts when known compiler bugs make code depend on the selection.
 */
export function selectOutput(
  input: StandardJson,
  target: CompilationTarget,
  scope: OutputScope,
): StandardJson {
  const settings = settingsOf(input);
  // solc has no such assembly for EOF, and refuses to be asked for it.
  const names =
    settings['eofVersion'] === undefined ? OUTPUTS : OUTPUTS.filter((name) => name !== 'evm.legacyAssembly');
  const outputs = scope === 'all' ? { '*': { '*': names } } : selectContract(target, names);
  const outputSelection = mayStorePointers(input) ? withTrees(outputs) : outputs;
  return { ...input, settings: { ...settings, outputSelection } };
}

/** Up to 0.4.19 a path with a colon is cut there, in 0.4.19 in the selection too. */
function selectContract({ path, name }: CompilationTarget, names: readonly string[]): Record<string, object> {
  const colon = path.indexOf(':');
  const cut = colon < 0 ? {} : { [path.slice(0, colon)]: { [`${path.slice(colon + 1)}:${name}`]: names } };
  return { ...cut, [path]: { [name]: names } };
}

/** Syntax trees, of all files: a contract inherits immutables. */
function withTrees(outputs: Readonly<Record<string, object>>): object {
  return { ...outputs, '*': { ...outputs['*'], '': ['ast'] } };
}

/** Whether some file may declare an immutable that points to an internal function; only syntax trees say which does. */
function mayStorePointers({ language, sources }: StandardJson): boolean {
  return (
    language === 'Solidity' &&
    Object.values(sources).some(({ content }) => content.includes('immutable') && FUNCTION_TYPE.test(content))
  );
}

/** A function without a name; a comment may stand before its parameters. */
const FUNCTION_TYPE = /\bfunction\s*(?:\(|\/[*/])/;
