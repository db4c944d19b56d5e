import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { type CodeTraits, LIBRARY_GUARD } from '../../match/code-traits.ts';
import type { ImmutableReferences } from '../../match/compiled-code.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import { type AssemblyItem, readFunctionPointers } from './function-pointers.ts';

/** The answer of solc, with the contract that is asked for. */
interface AnsweredContract {
  readonly input: StandardJson;
  readonly target: CompilationTarget;
  readonly version: string;
  /** The member `sources` of the answer. */
  readonly sources: unknown;
  readonly legacyAssembly: unknown;
  /** Hex, perhaps with placeholders of libraries. */
  readonly creation: string;
  readonly immutableReferences: ImmutableReferences | null;
}

/** Pushes the address at which the code will lie: the first instruction of a library, from 0.4.20. */
const PUSH_OWN_ADDRESS = 'PUSHDEPLOYADDRESS';
const ASSIGN_IMMUTABLE = 'ASSIGNIMMUTABLE';

/** Reads what assembly and syntax trees of Solidity tell of the code; without an assembly that is nothing. */
export function readCodeTraits(answer: AnsweredContract): CodeTraits {
  const { legacyAssembly, input, target, version, sources, immutableReferences } = answer;
  const creation = itemsOf(legacyAssembly);
  const data = isJsonObject(legacyAssembly) ? legacyAssembly['.data'] : null;
  const runtime = itemsOf(isJsonObject(data) ? data['0'] : null);
  const hasCallProtection = runtime[0]?.name === PUSH_OWN_ADDRESS;
  // By way of the IR the constructor of every library assigns it, also where nothing reads it.
  const assignsGuard = creation.some(
    ({ name, value }) => name === ASSIGN_IMMUTABLE && value === LIBRARY_GUARD,
  );
  const functionPointers = readFunctionPointers({
    version,
    target,
    usesIr: settingsOf(input)['viaIR'] === true,
    items: creation,
    creation: Buffer.from(answer.creation.replaceAll(/[^0-9a-f]/g, '0'), 'hex'),
    immutableReferences: immutableReferences ?? {},
    trees: isJsonObject(sources) ? treesOf(sources) : {},
  });
  return { isLibrary: hasCallProtection || assignsGuard, hasCallProtection, functionPointers };
}

function treesOf(sources: JsonObject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(sources).map(([path, source]) => [path, isJsonObject(source) ? source['ast'] : null]),
  );
}

function itemsOf(part: unknown): readonly AssemblyItem[] {
  const code = isJsonObject(part) ? part['.code'] : null;
  return Array.isArray(code) ? code.filter(isJsonObject) : [];
}
