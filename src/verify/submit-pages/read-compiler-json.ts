import { parseBody } from '../bodies/parse-body.ts';
import { VerifyRequestError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';

/** Compiler input that people have at hand, in one form. */
interface CompilerJson {
  /** Standard JSON: `language`, `sources`, `settings` and what else compilers read. */
  readonly input: JsonObject;
  /** Full or short; null when the file does not tell. */
  readonly compilerVersion: string | null;
  /** Contracts with code, `path:Name`, as the output beside the input lists them; null without output. */
  readonly compiled: readonly string[] | null;
}

/** Why a text is no compiler input, with what to do. */
interface UnusableJson {
  readonly problem: string;
}

/** Members of an input that compilers read. Foundry adds others for itself, such as `allowPaths`. */
const MEMBERS_OF_INPUT = ['language', 'sources', 'settings', 'interfaces', 'storage_layout_overrides'];

/**
 * Reads standard JSON, or a build-info file of Hardhat 2, Hardhat 3 or Foundry.
 *
 * Text from Etherscan, which has its braces twice, is standard JSON too.
 */
export function readCompilerJson(text: string): CompilerJson | UnusableJson {
  const value = parse(text);
  if ('problem' in value) return value as unknown as UnusableJson;
  const inner = value['input'];
  if (isJsonObject(inner) && isJsonObject(inner['sources'])) {
    return {
      input: Object.fromEntries(
        MEMBERS_OF_INPUT.filter((name) => inner[name] !== undefined).map((name) => [name, inner[name]]),
      ),
      compilerVersion: firstText(value['solcLongVersion'], value['solcVersion'], inner['version']),
      compiled: contractsWithCode(value['output']),
    };
  }
  const problem = problemOf(value);
  return problem === null ? { input: value, compilerVersion: null, compiled: null } : { problem };
}

/** Parses what should be one JSON object. */
export function parse(text: string): JsonObject | UnusableJson {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const isDoubled = trimmed.startsWith('{{') && trimmed.endsWith('}}');
  try {
    const value = parseBody(Buffer.from(isDoubled ? trimmed.slice(1, -1) : trimmed));
    return isJsonObject(value) && trimmed !== ''
      ? value
      : { problem: 'This is not a JSON object. Paste or choose the whole file, from { to }.' };
  } catch (error) {
    if (!(error instanceof VerifyRequestError)) throw error;
    return { problem: `Invalid JSON: ${error.message}. Paste or choose the whole file.` };
  }
}

/** Names the files that are mistaken for compiler input. */
function problemOf(value: JsonObject): string | null {
  const { compiler, settings, language, sources } = value;
  if (isJsonObject(compiler) && isJsonObject(settings) && 'compilationTarget' in settings)
    return 'This is the metadata of a contract. Choose “Metadata and sources” above and add it there.';
  if (isJsonObject(sources) && typeof language === 'string') return null;
  if ('source_id_to_path' in value)
    return 'This build-info file has no compiler input. Run “forge build --build-info --force” and take the file in out/build-info.';
  if ('abi' in value)
    return 'This is an artifact: it has an ABI and bytecode but no sources. Take the file in the folder build-info, or the standard JSON input.';
  if (isJsonObject(value['output']) || isJsonObject(value['contracts']))
    return 'This is the output of a compiler. Take the input: with Hardhat 3 the build-info file whose name does not end in .output.json.';
  return 'This is neither standard JSON, which has the members “language” and “sources”, nor a build-info file, which has them in “input”.';
}

function contractsWithCode(output: unknown): readonly string[] | null {
  const files = isJsonObject(output) ? output['contracts'] : null;
  if (!isJsonObject(files)) return null;
  return Object.entries(files).flatMap(([path, contracts]) =>
    Object.entries(isJsonObject(contracts) ? contracts : {})
      .filter(([, contract]) => hasCode(contract))
      .map(([name]) => `${path}:${name}`),
  );
}

function hasCode(contract: unknown): boolean {
  const evm = isJsonObject(contract) ? contract['evm'] : null;
  const bytecode = isJsonObject(evm) ? evm['bytecode'] : null;
  const object = isJsonObject(bytecode) ? bytecode['object'] : null;
  return typeof object === 'string' && object !== '' && object !== '0x';
}

function firstText(...values: readonly unknown[]): string | null {
  const found = values.find((value) => typeof value === 'string' && value !== '');
  return found === undefined ? null : String(found);
}
