import type { CompilationTarget, StandardJson } from '../../standard-json.ts';
import { boundOutput } from './bound-output.ts';
import { type FeArtifacts, readFeOutput } from './fe-output.ts';
import { readSolidityOutput, type TargetOutput } from './solidity-output.ts';
import { readVyperOutput } from './vyper-output.ts';

/** What an executable gave, with all that is needed to find the target contract in it. */
export type CompilerOutput = CompiledInput &
  (
    | { readonly compiler: 'solc' | 'vyper'; readonly stdout: Uint8Array }
    | { readonly compiler: 'fe'; readonly artifacts: FeArtifacts }
  );

interface CompiledInput {
  readonly input: StandardJson;
  readonly target: CompilationTarget;
  readonly version: string;
}

const SHOWN_CHARACTERS = 200;

/** Finds the target contract. Takes long for large outputs and sources. */
export function readCompilerOutput(given: CompilerOutput): TargetOutput {
  return boundOutput(readWhole(given), given.input);
}

function readWhole(given: CompilerOutput): TargetOutput {
  const { compiler, input, target, version } = given;
  if (compiler === 'fe') return readFeOutput(given.artifacts, input, target);
  const text = Buffer.from(given.stdout).toString('utf8');
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch {
    // The parser's own words would say less than the text does.
    const shown = text.trim().slice(0, SHOWN_CHARACTERS);
    return { kind: 'unreadable', message: `The compiler did not print JSON: "${shown}"` };
  }
  return compiler === 'solc'
    ? readSolidityOutput(output, input, target, version)
    : readVyperOutput(output, input, target, version);
}
