import { isJsonObject } from '../../json-object.ts';
import { isBefore } from '../../match/version-order.ts';
import { failure } from '../../model/job-failure.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import { failedAtOnce, type NativeCompilerParts, runAgain, toOutcome } from '../compile-outcome.ts';
import type { CompileRequest, Compiler } from '../compiler.ts';
import type { CompilerExecutable } from '../compiler-catalog.ts';
import { vyperSemver } from '../compiler-version.ts';
import { lastPart, type NativeExit } from '../native/native-process.ts';
import type { NativeTask } from '../native/native-runner.ts';
import type { TargetOutput } from '../output/solidity-output.ts';
import type { RunLimits, RunResult } from '../pool/compiler-thread.ts';
import { findCompiler } from '../supply/find-compiler.ts';

/** How documents that fail show: among the errors, or as the end of the compiler. */
const MAY_BE_DOCUMENTS: ReadonlySet<TargetOutput['kind']> = new Set(['errors', 'unreadable']);

/**
 * Compiles Vyper with an executable that reads and prints standard JSON.
 *
 * @see contracts/verification-engine.md section 4
 */
export function createVyperCompiler(parts: NativeCompilerParts): Compiler {
  return {
    async compile(request) {
      const { version } = request;
      if (vyperSemver(version) === null) return failedAtOnce(failure('invalid_compiler_version'));
      const found = await findCompiler(parts.catalog, { language: 'vyper', version }, request);
      if (found.kind === 'missing') return failedAtOnce(found.failure);
      const { executable } = found;
      const run = (withDocuments: boolean, limits: RunLimits) =>
        runVyper(executable, request, withDocuments, limits, parts);
      const first = await run(true, request);
      // Line ends of Windows and names of parameters that are not there make only the documents fail.
      const isWorthMore = first.kind === 'result' && MAY_BE_DOCUMENTS.has(first.output.kind);
      const again = isWorthMore ? await runAgain(first, request, (limits) => run(false, limits)) : first;
      // Without documents it says what else is wrong with the sources; how it ended without says nothing new.
      const result = hasAnswered(again) ? again : { ...first, milliseconds: again.milliseconds };
      return toOutcome(result, request, 'vyper', executable, parts);
    },
  };
}

function hasAnswered(result: RunResult): boolean {
  return result.kind === 'result' && (result.output.kind === 'contract' || result.output.kind === 'errors');
}

async function runVyper(
  { path, version }: CompilerExecutable,
  request: CompileRequest,
  withDocuments: boolean,
  limits: RunLimits,
  { runner, reader }: NativeCompilerParts,
): Promise<RunResult> {
  const { input, target, submittedPath } = withPlainPaths(request.input, request.target);
  const task: NativeTask = {
    path,
    arguments: () => ['--standard-json'],
    stdin: JSON.stringify(selectVyperOutput(input, target, version, withDocuments)),
    async read(exit) {
      const output = await reader(
        { compiler: 'vyper', stdout: exit.stdout, input, target, version },
        limits.signal,
      );
      // What was printed counts, whatever else the compiler has to say.
      if (output.kind === 'contract' || output.kind === 'errors') return named(output, submittedPath);
      const message = complaint(exit);
      return message === null ? output : { kind: 'unreadable', message };
    },
  };
  return runner.run(task, limits);
}

/** Under the paths that were submitted. */
function named(output: TargetOutput, submittedPath: (path: string) => string): TargetOutput {
  if (output.kind !== 'contract') return output;
  const rename = <T>(byPath: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(byPath).map(([path, value]) => [submittedPath(path), value]));
  const { sourceIds, sourceHashes } = output.contract;
  const contract = {
    ...output.contract,
    sourceIds: sourceIds === null ? null : rename(sourceIds),
    sourceHashes: rename(sourceHashes),
  };
  return { kind: 'contract', contract };
}

/** Why there is no output: what stands on stderr, unless it is a warning. */
function complaint({ exitCode, stderr }: NativeExit): string | null {
  const text = stderr.trim();
  if (exitCode !== 0) return `The compiler exited with code ${exitCode}. ${lastPart(text)}`.trim();
  return text === '' || text.startsWith('Warning:') ? null : lastPart(text);
}

/** Members of an input whose keys are paths; `sources` is one too. */
const BY_PATH = ['interfaces', 'storage_layout_overrides'] as const;

/**
 * Writes paths as Vyper prints them: it reads `./a.vy` as `a.vy`, and then does not find the selected `./a.vy`.
 *
 * Two paths that mean the same file are left as they are: the compiler says so. `submittedPath` leads back.
 */
function withPlainPaths(input: StandardJson, target: CompilationTarget) {
  const submitted = Object.keys(input.sources);
  const back = new Map(submitted.map((path) => [plainPath(path), path]));
  const isAmbiguous = back.size < submitted.length;
  if (isAmbiguous || submitted.every((path) => path === plainPath(path))) {
    return { input, target, submittedPath: (path: string) => path };
  }
  const others = BY_PATH.flatMap((member) => {
    const value = input[member];
    return isJsonObject(value) ? [[member, renamed(value)] as const] : [];
  });
  return {
    input: { ...input, ...Object.fromEntries(others), sources: renamed(input.sources) },
    target: { ...target, path: plainPath(target.path) },
    submittedPath: (path: string) => back.get(path) ?? path,
  };
}

/** @example `./a//b/./c.vy` → `a/b/c.vy` */
function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

function renamed<T>(byPath: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(byPath).map(([path, value]) => [plainPath(path), value]));
}

const CODE_OUTPUTS: readonly string[] = [
  'evm.bytecode.object',
  'evm.bytecode.opcodes',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.opcodes',
  'evm.deployedBytecode.sourceMap',
  'evm.methodIdentifiers',
];

const FIRST_WITH_DOCUMENTS = '0.2.0';
const FIRST_WITH_LAYOUT = '0.4.1';
const FIRST_WITH_CREATION_MAP = '0.4.0';
/** Those of it before rc4. */
const WITHOUT_CREATION_MAP = /^0\.4\.0(?:[ab]\d+|rc[123])(?!\d)/;
/** Older ones compile every source and want to be told what to print of each. */
const FIRST_WITH_ONE_TARGET = '0.4.0';
const MIN_OUTPUTS: readonly string[] = ['abi'];

/** Replaces the output selection of a submission: Vyper wants a list for each file and knows no `*` for contracts. */
function selectVyperOutput(
  input: StandardJson,
  { path }: CompilationTarget,
  version: string,
  withDocuments: boolean,
): StandardJson {
  const namesAll = isBefore(version, FIRST_WITH_ONE_TARGET) && Object.hasOwn(input.sources, path);
  const others = namesAll ? Object.keys(input.sources).map((each) => [each, MIN_OUTPUTS] as const) : [];
  const outputSelection = { ...Object.fromEntries(others), [path]: vyperOutputs(version, withDocuments) };
  return { ...input, settings: { ...settingsOf(input), outputSelection } };
}

/**
 * The outputs that a version has.
 *
 * @param withDocuments whether `userdoc` and `devdoc` are asked for: comments that are no proper documents make them fail.
 * @see contracts/verification-engine.md section 4.1
 */
export function vyperOutputs(version: string, withDocuments: boolean): readonly string[] {
  const hasDocuments = withDocuments && !isBefore(version, FIRST_WITH_DOCUMENTS);
  const hasMap = !isBefore(version, FIRST_WITH_CREATION_MAP) && !WITHOUT_CREATION_MAP.test(version);
  return [
    ...['abi', 'ast', 'interface', 'ir'],
    ...(hasDocuments ? ['userdoc', 'devdoc'] : []),
    ...CODE_OUTPUTS,
    ...(hasMap ? ['evm.bytecode.sourceMap'] : []),
    ...(isBefore(version, FIRST_WITH_LAYOUT) ? [] : ['layout']),
  ];
}
