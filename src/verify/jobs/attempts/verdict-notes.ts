import { type Hex, parseHex } from '../../../values/hex.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { compilerNamedIn } from '../../mismatch/compare-settings.ts';
import { shorten } from '../../shorten.ts';
import { settingsOf } from '../../standard-json.ts';
import type { ComparedAttempt } from './compare-with-chain.ts';

const MAX_UINT32 = 2 ** 32 - 1;
const MAX_NAMED = 5;

/** What a reader of a verdict should know that neither its grade nor its error says. */
export function notesOf(attempt: ComparedAttempt): readonly string[] {
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
    : [`The code on chain says that ${shorten(other)} made it; these sources were compiled with ${used}.`];
}

function releaseOf(version: string): string {
  return version.split(/[-+]/, 1)[0] ?? version;
}

/** @see contracts/verification-api.md section 14 */
function linkedLibraries({ compilation, code, matches }: ComparedAttempt): readonly string[] {
  const linked = { ...matches.creation?.values.libraries, ...matches.runtime?.values.libraries };
  const codes = [code.creation, code.runtime].map((each) => Buffer.from(each));
  const byCompiler = namedAddresses(settingsOf(compilation.input)['libraries']).filter(([, address]) => {
    const bytes = parseHex(address);
    return bytes !== null && bytes.length > 0 && codes.some((each) => each.includes(Buffer.from(bytes)));
  });
  const all = [...new Map([...byCompiler, ...Object.entries(linked)])];
  if (all.length === 0) return [];
  const named = all.slice(0, MAX_NAMED).map(([name, address]) => `${shorten(name)} at ${shorten(address)}`);
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return [`The code of linked libraries is not proven by this verification: ${named.join(', ')}${more}.`];
}

const POINTERS =
  'Immutables of this contract point to internal functions. Which ones is not proven, because the creation code was not compared; so this is no exact match. Name the creation transaction.';

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
