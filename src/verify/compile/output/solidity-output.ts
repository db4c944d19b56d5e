import { bareHex } from '../../../values/hex.ts';
import { keccak256 } from '../../../values/keccak256.ts';
import { shortenList } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { readAssemblyAuxdata } from '../../match/auxdata/assembly-auxdata.ts';
import {
  type CodeRange,
  type CodeTraits,
  type ImmutableReferences,
  LIBRARY_GUARD,
  type LinkReferences,
} from '../../match/compiled-code.ts';
import { byFile, findLinkReferences } from '../../match/link-references.ts';
import { isBefore } from '../../match/version-order.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import type { Compilation, CompiledObject } from '../compiler.ts';
import { contractMissing } from './contract-candidates.ts';
import { type AssemblyItem, readFunctionPointers } from './function-pointers.ts';

/** What is kept of a compiler's answer: either messages of severity error, or the target contract. */
export type TargetOutput =
  | { readonly kind: 'errors'; readonly errors: readonly unknown[] }
  | { readonly kind: 'contract_missing'; readonly candidates: readonly string[] }
  | { readonly kind: 'no_output' }
  | { readonly kind: 'no_runtime' }
  /** The message says what came instead of an output. */
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'contract'; readonly contract: TargetContract };

/** The stored part of a compilation that only the compiler knows. */
type TargetContract = Omit<Compilation, 'compiler' | 'compilerName' | 'compilerKind' | 'target' | 'input'>;

/**
 * Picks the target contract out of the answer of a solc of the given version.
 *
 * @see contracts/verification-engine.md section 2.3
 */
export function readSolidityOutput(
  output: unknown,
  input: StandardJson,
  target: CompilationTarget,
  version: string,
): TargetOutput {
  if (!isJsonObject(output)) return { kind: 'no_output' };
  const errors = errorsOf(output);
  if (errors.length > 0) return { kind: 'errors', errors };
  const hasPaths = !isBefore(version, FIRST_WITH_PATHS);
  if (!hasPaths) {
    const files = filesThatDefine(target.name, output['sources'], input);
    if (files.length > 1) return { kind: 'unreadable', message: sameNameMessage(target.name, files) };
    if (!files.includes(target.path)) return contractMissing(input, target);
  }
  const found = findContract(output['contracts'], target, hasPaths);
  if (found === null) return contractMissing(input, target);
  const evm = objectAt(found, 'evm');
  // Yul below 0.6.9.
  if (!isJsonObject(evm['deployedBytecode'])) return { kind: 'no_runtime' };
  const bytecode = objectAt(evm, 'bytecode');
  const deployed = objectAt(evm, 'deployedBytecode');
  const metadata =
    typeof found['metadata'] === 'string' && found['metadata'] !== '' ? found['metadata'] : null;
  const ids = idsOf(output['contracts'], hasPaths);
  const creation = readCode(bytecode, ids);
  const runtime = readCode(deployed, ids);
  const immutableTailBytes = readEofTail(runtime.object);
  const immutableReferences = immutableTailBytes > 0 ? null : readImmutableReferences(deployed, input);
  const contract: TargetContract = {
    creation,
    runtime: { ...runtime, immutableReferences },
    ...(immutableTailBytes > 0 ? { immutableTailBytes } : {}),
    abi: input.language === 'Yul' ? null : (found['abi'] ?? null),
    userdoc: input.language === 'Yul' ? null : (found['userdoc'] ?? null),
    devdoc: input.language === 'Yul' ? null : (found['devdoc'] ?? null),
    storageLayout: found['storageLayout'] ?? null,
    transientStorageLayout: found['transientStorageLayout'] ?? null,
    metadata: input.language === 'Yul' ? null : metadata,
    sourceIds: input.language === 'Yul' ? null : readSourceIds(output['sources']),
    assembly: readAssemblyAuxdata(evm['legacyAssembly']),
    ...(input.language === 'Solidity'
      ? {
          traits: readCodeTraits({
            input,
            target,
            version,
            sources: output['sources'],
            legacyAssembly: evm['legacyAssembly'],
            creation: creation.object,
            immutableReferences,
          }),
        }
      : {}),
    sourceHashes: hashSources(input),
  };
  return { kind: 'contract', contract };
}

const FIRST_WITH_PATHS = '0.4.9';

function sameNameMessage(name: string, files: readonly string[]): string {
  const listed = shortenList(files);
  return `solc below ${FIRST_WITH_PATHS} compiles one contract of a name, but several files define ${name}: ${listed}. Submit only the file that the contract was compiled from.`;
}

function findContract(
  contracts: unknown,
  { path, name }: CompilationTarget,
  hasPaths: boolean,
): JsonObject | null {
  if (!isJsonObject(contracts)) return null;
  // Up to 0.4.8 all contracts stand under an empty path. Later an empty path is a source like any other, and
  // its contract must not pass for one of the same name elsewhere.
  for (const file of hasPaths ? [path] : ['', path]) {
    const contract = Object.hasOwn(contracts, file) ? objectAt(contracts, file) : {};
    if (Object.hasOwn(contract, name) && isJsonObject(contract[name])) return contract[name];
  }
  // From about 0.4.9 to 0.4.19 `path:Name` is cut at its first colon, also where that is the path's.
  const colon = path.indexOf(':');
  if (colon < 0) return null;
  const rest = `${path.slice(colon + 1)}:${name}`;
  const contract = objectAt(contracts, path.slice(0, colon))[rest];
  return isJsonObject(contract) ? contract : null;
}

const MIN_EOF_BYTES = 15;

/** Null for Yul without immutables, which mostly has none. */
function readImmutableReferences(
  deployed: JsonObject,
  { language }: StandardJson,
): ImmutableReferences | null {
  const references = objectAt(deployed, 'immutableReferences') as ImmutableReferences;
  return language === 'Yul' && Object.keys(references).length === 0 ? null : references;
}

/** Names of all contracts of an output as placeholders have them. */
function idsOf(contracts: unknown, hasPaths: boolean): readonly string[] {
  return Object.entries(isJsonObject(contracts) ? contracts : {}).flatMap(([file, named]) =>
    Object.keys(isJsonObject(named) ? named : {}).map((name) => (hasPaths ? `${file}:${name}` : name)),
  );
}

/**
 * Reads how many bytes the header of an EOF container announces beyond those that are there: RETURNCONTRACT appends the
 * immutables.
 *
 * @see https://eips.ethereum.org/EIPS/eip-3540
 */
function readEofTail(object: string): number {
  const code = Buffer.from(object.replaceAll(/[^0-9a-f]/g, '0'), 'hex');
  if (code[0] !== 0xef || code[1] !== 0 || code.length < MIN_EOF_BYTES) return 0;
  let [at, bytes] = [3, 0];
  const read = (length: number) => {
    const value = at + length <= code.length ? code.readUIntBE(at, length) : 0;
    at += length;
    return value;
  };
  const kinds = { types: 1, containers: 3 };
  for (let kind = read(1); kind >= kinds.types && kind <= kinds.containers; kind = read(1)) {
    for (let left = kind === kinds.types ? 1 : read(2); left > 0; left--) bytes += read(2);
  }
  bytes += read(2) + 1;
  return Math.max(0, at + bytes - code.length);
}

/** @param ids of contracts whose placeholders are searched where the compiler itself gives no references: below 0.4.11. */
function readCode(code: JsonObject, ids: readonly string[]): CompiledObject {
  const text = code['object'];
  const object = typeof text === 'string' ? text : '';
  const sourceMap = code['sourceMap'];
  const references = objectAt(code, 'linkReferences');
  const areGiven = Object.values(references).some(isJsonObject);
  return {
    object,
    sourceMap: typeof sourceMap === 'string' ? sourceMap : null,
    linkReferences: areGiven ? readLinkReferences(references) : findLinkReferences(object, ids),
  };
}

function objectAt(parent: JsonObject, member: string): JsonObject {
  const value = parent[member];
  return isJsonObject(value) ? value : {};
}

/**
 * Reads the link references of solc, in which up to 0.4.19 a path with a colon is cut there.
 *
 * @see contracts/verification-engine.md section 7.3
 */
export function readLinkReferences(references: JsonObject): LinkReferences {
  return byFile(
    Object.entries(references).flatMap(([key, libraries]) =>
      Object.entries(isJsonObject(libraries) ? libraries : {}).map(
        ([name, ranges]) => [`${key}:${name}`, ranges as readonly CodeRange[]] as const,
      ),
    ),
  );
}

/**
 * Lists the files that define a contract or library of a name.
 *
 * Up to 0.4.8 solc names contracts without their file: of two with one name it gives any. Its syntax trees tell the
 * files; a file without one is searched for the words.
 *
 * @param sources the member of the compiler's output.
 * @see contracts/verification-engine.md section 2.3
 */
export function filesThatDefine(name: string, sources: unknown, input: StandardJson): readonly string[] {
  const trees = isJsonObject(sources) ? sources : {};
  return Object.entries(input.sources).flatMap(([path, { content }]) => {
    const source = Object.hasOwn(trees, path) ? trees[path] : null;
    const tree = isJsonObject(source) ? source['legacyAST'] : null;
    const defines = isJsonObject(tree) ? definesInTree(tree, name) : definesInText(content, name);
    return defines ? [path] : [];
  });
}

/** The first is the name below 0.4. */
const DEFINITIONS: ReadonlySet<unknown> = new Set(['Contract', 'ContractDefinition']);

/** At any depth: below 0.4 what follows a definition stands inside its last node. */
function definesInTree(tree: JsonObject, name: string): boolean {
  const open: unknown[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isJsonObject(node)) continue;
    const { attributes, children } = node;
    if (DEFINITIONS.has(node['name']) && isJsonObject(attributes) && attributes['name'] === name) return true;
    if (Array.isArray(children)) for (const child of children) open.push(child);
  }
  return false;
}

/** Comments count as well: a name that is there twice in doubt is refused, not guessed. */
function definesInText(content: string, name: string): boolean {
  const words = content.split(/[^\w$]+/);
  return words.some((word, index) => word === name && /^(?:contract|library)$/.test(words[index - 1] ?? ''));
}

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
function readCodeTraits(answer: AnsweredContract): CodeTraits {
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

/**
 * Reads the ids that a compiler gave to its sources; old Solidity prints them as texts.
 *
 * @returns null when there are none, as in Solidity below 0.3.6.
 * @see contracts/verification-engine.md section 2.3
 */
export function readSourceIds(sources: unknown): Compilation['sourceIds'] {
  if (!isJsonObject(sources)) return null;
  const ids = Object.entries(sources).map(([path, source]): [string, { readonly id: number }] => [
    path,
    { id: Number(isJsonObject(source) ? source['id'] : Number.NaN) },
  ]);
  return ids.length === 0 || ids.some(([, { id }]) => !Number.isInteger(id)) ? null : Object.fromEntries(ids);
}

/** keccak256 of each source, hex without 0x. Slow in JavaScript, so large inputs are hashed in a worker. */
export function hashSources(input: StandardJson): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input.sources).map(([path, { content }]) => [
      path,
      bareHex(keccak256(Buffer.from(content, 'utf8'))),
    ]),
  );
}

/** The messages of standard JSON output that say why there is no contract; warnings are left out. */
export function errorsOf(output: JsonObject): readonly unknown[] {
  const messages: readonly unknown[] = Array.isArray(output['errors']) ? output['errors'] : [];
  return messages.filter((message) => isJsonObject(message) && message['severity'] === 'error');
}
