import { createHash } from 'node:crypto';
import { isJsonObject } from '../json-object.ts';

/** Settings of a compilation in words, in the order in which they are shown. */
export type NamedSettings = readonly (readonly [name: string, value: string])[];

const LONGEST_VALUE = 500;
const HASH_DIGITS = 16;

/**
 * What metadata say of the settings that change code, each with its default where it is not written.
 *
 * @param metadata as the compiler printed them
 * @returns null when these are no metadata of solc.
 */
export function settingsOfMetadata(metadata: string): NamedSettings | null {
  const document = parse(metadata);
  const { compiler, settings, sources } = document ?? {};
  if (!isJsonObject(settings) || !isJsonObject(compiler) || !isJsonObject(sources)) return null;
  const {
    compilationTarget,
    debug,
    evmVersion,
    libraries,
    metadata: own,
    optimizer,
    remappings,
    viaIR,
  } = settings;
  const { details, enabled, runs } = isJsonObject(optimizer) ? optimizer : {};
  const { appendCBOR, bytecodeHash, useLiteralContent } = isJsonObject(own) ? own : {};
  const isOptimized = enabled === true;
  const named: readonly (readonly [string, unknown])[] = [
    ['Compiler', compiler['version']],
    ['EVM version', evmVersion],
    ['Optimizer', isOptimized ? 'on' : 'off'],
    ['Runs', isOptimized ? (runs ?? 200) : null],
    ['Optimizer details', details],
    ['Through the IR pipeline', viaIR === true ? 'yes' : 'no'],
    ['Remappings', Array.isArray(remappings) && remappings.length > 0 ? remappings.join(', ') : null],
    ['Libraries', isJsonObject(libraries) ? assignments(libraries) : null],
    ['Metadata hash', bytecodeHash ?? 'ipfs'],
    ['Metadata at the end', appendCBOR === false ? 'no' : 'yes'],
    ['Sources in the metadata', useLiteralContent === true ? 'as text' : 'by hash'],
    ['Revert strings', isJsonObject(debug) ? debug['revertStrings'] : null],
    ['Contract', isJsonObject(compilationTarget) ? Object.entries(compilationTarget)[0]?.join(':') : null],
    ['Sources', Object.keys(sources).sort().join(', ')],
  ];
  return named.flatMap(([name, value]): NamedSettings => {
    const text = value === null || value === undefined || value === '' ? null : print(value);
    return text === null ? [] : [[name, text]];
  });
}

/** One setting of two compilations; null where it does not apply. */
interface SettingOfBoth {
  readonly name: string;
  readonly submitted: string | null;
  readonly original: string | null;
}

/** The settings of both in one list; those that agree are in it too. */
export function settingsOfBoth(submitted: NamedSettings, original: NamedSettings): readonly SettingOfBoth[] {
  const [ours, theirs] = [new Map(submitted), new Map(original)];
  const names = new Set([...theirs.keys(), ...ours.keys()]);
  return [...names].map((name) => ({
    name,
    submitted: ours.get(name) ?? null,
    original: theirs.get(name) ?? null,
  }));
}

function assignments(values: Readonly<Record<string, unknown>>): string {
  const each = Object.entries(values).map(([name, value]) => `${name} = ${String(value)}`);
  return each.sort().join(', ');
}

/** A long value ends in the hash of the whole, so that two of them are the same only when their texts are. */
function print(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text.length <= LONGEST_VALUE) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
  return `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters, SHA-256 ${hash}…)`;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
