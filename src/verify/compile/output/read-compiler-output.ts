import { isJsonObject } from '../../json-object.ts';
import type { CompilationTarget, StandardJson } from '../../standard-json.ts';
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

/**
 * What is kept of an output beside the code, in characters of JSON: so much, and so many times the sources, but never
 * more than every lookup can read. A source of a few lines can ask for an ABI of many megabytes by structs inside structs.
 */
const [BASE_CHARACTERS, TIMES_SOURCES, MAX_CHARACTERS] = [1_048_576, 4, 2_097_152];
/** Of each code. No network takes a fortieth of it, and to read its digits takes some hundredths of a second. */
const MAX_CODE_BYTES = 2_097_152;
/** Of a number, a truth value or the signs around a member. */
const OTHER_CHARACTERS = 5;

/** What may be left out, the most useful first, and how it is called. */
const OPTIONAL = {
  abi: 'ABI',
  metadata: 'metadata',
  storageLayout: 'storage layout',
  transientStorageLayout: 'transient storage layout',
  userdoc: 'user documentation',
  devdoc: 'developer documentation',
} as const;

/**
 * Leaves out what an input has no right to, and `leftOut` names it; refuses code too long for any chain. Fast also for
 * what is far too large.
 */
export function boundOutput(output: TargetOutput, { sources }: StandardJson): TargetOutput {
  if (output.kind !== 'contract') return output;
  const codeBytes =
    Math.max(output.contract.creation.object.length, output.contract.runtime.object.length) / 2;
  if (codeBytes > MAX_CODE_BYTES) {
    const message = `The compiled code has ${Math.ceil(codeBytes)} bytes; at most ${MAX_CODE_BYTES} are compared`;
    return { kind: 'unreadable', message };
  }
  let left = BASE_CHARACTERS;
  for (const { content } of Object.values(sources)) left += content.length * TIMES_SOURCES;
  left = Math.min(left, MAX_CHARACTERS);
  const leftOut: string[] = [];
  const take = <T>(value: T, name: string): T | null => {
    const size = charactersOf(value, left);
    if (size > left) {
      leftOut.push(name);
      return null;
    }
    left -= size;
    return value;
  };
  const contract = { ...output.contract };
  for (const [member, name] of Object.entries(OPTIONAL) as [keyof typeof OPTIONAL, string][]) {
    Object.assign(contract, { [member]: take(contract[member], name) });
  }
  const { creation, runtime } = contract;
  contract.runtime = { ...runtime, sourceMap: take(runtime.sourceMap, 'source map of the runtime code') };
  contract.creation = { ...creation, sourceMap: take(creation.sourceMap, 'source map of the creation code') };
  return { kind: 'contract', contract: leftOut.length === 0 ? contract : { ...contract, leftOut } };
}

/** About as many as JSON has, or any number above the limit. */
function charactersOf(value: unknown, limit: number): number {
  let count = 0;
  const open = [value];
  while (open.length > 0 && count <= limit) {
    const each = open.pop();
    if (each === null || each === undefined) continue;
    count += typeof each === 'string' ? each.length + 2 : OTHER_CHARACTERS;
    if (Array.isArray(each)) for (const entry of each) open.push(entry);
    else if (isJsonObject(each)) {
      for (const [name, member] of Object.entries(each)) {
        count += name.length + 2;
        open.push(member);
      }
    }
  }
  return count;
}
