import { parseBody } from '../bodies/parse-body.ts';
import { EVM_VERSIONS } from '../compile/evm-versions.ts';
import { invalidParameter, shorten, VerifyRequestError } from '../errors.ts';
import { exactRuns } from '../exact-runs.ts';
import { contractIdentifierOf } from '../forms/find-contract-path.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { Submission } from '../model/submission.ts';
import { readSubmission } from '../submissions/read-submission.ts';
import type { EtherscanCall } from './etherscan-call.ts';

const LARGEST_LIBRARY_NUMBER = 10;
const HEX = /^(?:[0-9a-f]{2})*$/;

/** Reads what `verifysourcecode` and `verifyvyper` submit. @throws VerifyRequestError `invalid_parameter` */
export function readSourceCode(call: EtherscanCall): Submission {
  const compilerVersion = required(call, 'compilerversion').trim();
  const isVyper = compilerVersion.startsWith('vyper:') || call.action === 'verifyvyper';
  const name = required(call, 'contractname');
  const sourceCode = required(call, 'sourceCode');
  const target = isSingleFile(call)
    ? readFile(call, sourceCode, name, isVyper)
    : readInput(parseInput(sourceCode), name, isVyper);
  return readSubmission({ ...target, compilerVersion: compilerVersion.replace(/^vyper:/, '') });
}

/** What is compiled, and the contract in it. */
interface CompiledContract {
  readonly stdJsonInput: JsonObject;
  readonly contractIdentifier: string;
}

function readInput(stdJsonInput: JsonObject, name: string, isVyper: boolean): CompiledContract {
  return { stdJsonInput, contractIdentifier: contractIdentifierOf(stdJsonInput, name, isVyper) };
}

/** The arguments that the client says the constructor got: hex in lower case without 0x, empty when it names none. */
export function readConstructorArguments(call: EtherscanCall): string {
  // The first is how the original spells it.
  const text = call
    .text('constructorArguements', 'constructorArguments')
    .trim()
    .replace(/^0x/i, '')
    .toLowerCase();
  if (HEX.test(text)) return text;
  throw invalidParameter('constructorArguments must be hex digits, two for each byte');
}

/** Without a format, sources tell by their first character: standard JSON is an object. */
function isSingleFile(call: EtherscanCall): boolean {
  const format = call.text('codeformat');
  if (format === '') return !call.text('sourceCode').trimStart().startsWith('{');
  if (format.endsWith('-single-file')) return true;
  if (format === 'solidity-standard-json-input' || format === 'vyper-json') return false;
  throw invalidParameter(
    `codeformat must be solidity-standard-json-input, solidity-single-file or vyper-json, not "${shorten(format)}"`,
  );
}

function parseInput(sourceCode: string): JsonObject {
  // Explorers show standard JSON between two pairs of braces, and people copy it from there.
  const text = sourceCode.trim().replace(/^\{(\{[\s\S]*\})\}$/, '$1');
  let value: unknown = null;
  try {
    value = parseBody(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof VerifyRequestError) || error.code !== 'invalid_json') throw error;
  }
  if (isJsonObject(value)) return value;
  throw invalidParameter('sourceCode must be a standard JSON input of the compiler');
}

/** A file of a name that nobody knows: its metadata differ from the original's, its code does not. */
function readFile(
  call: EtherscanCall,
  content: string,
  contract: string,
  isVyper: boolean,
): CompiledContract {
  const evmVersion = readEvmVersion(call.text('evmversion', 'evmVersion'));
  const common = evmVersion === null ? {} : { evmVersion };
  if (isVyper) {
    // The name may be one that an explorer shows, such as "Vyper_contract" or "Pool: 3 coins".
    const [named] = /^.+\.vy(?=:|$)/.exec(contract) ?? [];
    const path = named ?? `${contract.replace(/[^\w.-]+/g, '_')}.vy`;
    return readInput(
      { language: 'Vyper', sources: { [path]: { content } }, settings: common },
      path,
      isVyper,
    );
  }
  const colon = contract.lastIndexOf(':');
  const path = colon < 0 ? `${contract}.sol` : contract.slice(0, colon);
  const settings = { ...solidityOptions(call, path), ...common };
  return {
    stdJsonInput: { language: 'Solidity', sources: { [path]: { content } }, settings },
    contractIdentifier: colon < 0 ? `${path}:${contract}` : contract,
  };
}

/** Null for what the compiler takes by itself, as forms have it in their lists: "default (compiler defaults)". */
function readEvmVersion(text: string): string | null {
  const name = text.trim();
  if (name === '' || /\bdefaults?\b/i.test(name)) return null;
  return EVM_VERSIONS.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name.toLowerCase();
}

function solidityOptions(call: EtherscanCall, path: string): JsonObject {
  const runs = call.text('runs').trim() || '200';
  if (!/^\d{1,20}$/.test(runs)) throw invalidParameter('runs must be a whole number of up to 20 digits');
  const libraries = librariesOf(call);
  return {
    optimizer: { enabled: readFlag(call, 'optimizationUsed'), runs: exactRuns(runs) },
    ...(readFlag(call, 'viaIR') ? { viaIR: true } : {}),
    ...(Object.keys(libraries).length === 0 ? {} : { libraries: { [path]: libraries } }),
  };
}

function readFlag(call: EtherscanCall, name: string): boolean {
  const text = call.text(name).trim();
  if (/^(?:1|true|yes)$/i.test(text)) return true;
  if (/^(?:0|false|no|)$/i.test(text)) return false;
  throw invalidParameter(`${name} must be 1, true or yes, or 0, false or no, not "${shorten(text)}"`);
}

function librariesOf(call: EtherscanCall): Record<string, string> {
  const libraries: Record<string, string> = {};
  for (let number = 1; number <= LARGEST_LIBRARY_NUMBER; number += 1) {
    const name = call.text(`libraryname${number}`).trim();
    if (name === '') continue;
    const [, digits] = /^(?:0x)?([0-9a-f]{40})$/i.exec(call.text(`libraryaddress${number}`).trim()) ?? [];
    if (digits === undefined) {
      throw invalidParameter(`libraryaddress${number} must be 40 hex digits, with or without 0x`);
    }
    // The single file has all libraries, whatever path stands before the name.
    libraries[name.slice(name.lastIndexOf(':') + 1)] = `0x${digits}`;
  }
  return libraries;
}

function required(call: EtherscanCall, name: string): string {
  const value = call.text(name);
  if (value !== '') return value;
  throw invalidParameter(`Missing ${name}`);
}
