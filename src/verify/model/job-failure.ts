import { isJsonObject, type JsonObject } from '../json-object.ts';

/** The end of a job without a match: a code and the data that its message needs. */
export interface JobFailure {
  readonly code: JobErrorCode;
  /** Published as `errorData`; null when the code has none. Holds neither chain nor address. */
  readonly data: JsonObject | null;
}

/** Builds a failure; data without bounds, such as what a compiler says, is cut. */
export function failure(code: JobErrorCode, data: JsonObject | null = null): JobFailure {
  return { code, data: data === null ? null : boundFailureData(data) };
}

/** Chain and address that some messages name. `address` is checksummed. */
interface FailureSubject {
  readonly chainId: string;
  readonly address: string;
}

/** The text of a failure. */
type Message = (data: JsonObject | null, subject: FailureSubject) => string;

/**
 * How a verification can end without a match, with the text that goes with it. Clients show it, none parses it.
 *
 * @see contracts/verification-api.md section 8.2
 */
const MESSAGES = {
  cannot_fetch_bytecode: (_, { chainId, address }) =>
    `Cannot fetch bytecode for chain #${chainId} and address ${address}.`,
  contract_not_deployed: (_, { chainId, address }) =>
    `Chain #${chainId} does not have a contract deployed at ${address}.`,
  compiler_error: (data) => `Compiler error. ${compilerErrorText(data)}`,
  no_compiler_output: () => 'Compiler output is undefined.',
  contract_not_found_in_compiler_output: (data) =>
    `Contract not found in compiler output.${data === null ? '' : ` The input has ${list(data, 'candidates')}.`}`,
  runtime_bytecode_not_found_in_compiler_output: () =>
    'The compiler output has no runtime bytecode for this contract. solc gives that of Yul from 0.6.9 on, for an object with exactly one inner object.',
  compiled_bytecode_is_zero: () =>
    'The compiled contract bytecode is "0x". Are you trying to verify an abstract contract?',
  bytecode_length_mismatch: (data) =>
    `The recompiled bytecode length doesn't match the onchain bytecode length.${whereText(data)}`,
  no_match: (data) => `The deployed and recompiled bytecode don't match.${whereText(data)}`,
  extra_file_input_bug: (data) =>
    'The metadata hashes agree but the bytecodes differ: with this compiler version unrelated input ' +
    `files can change the code. Submit the original standard JSON with all its files.${placeText(data)}`,
  already_verified: () => "The contract is already verified and the job didn't yield a better match.",
  no_similar_match_found: (data) =>
    `No similar verified contracts were found in the database.${whereText(data)}`,
  missing_source: (data) =>
    'One or more sources are mentioned in the metadata but are not provided or could not be fetched. ' +
    `Missing sources: ${list(data, 'missingSources')}`,
  missing_or_invalid_source: (data) =>
    'One or more sources are mentioned in the metadata but are missing or are invalid. ' +
    `Missing sources: ${list(data, 'missingSources')}; Invalid sources: ${list(data, 'invalidSources')}`,
  invalid_compilation_target: (data) =>
    'More than one compilationTarget in the metadata, or the compilationTarget is invalid. ' +
    `compilationTarget: ${list(data, 'compilationTargets')}`,
  invalid_compiler_version: () => 'Invalid compiler version.',
  unsupported_compiler_version: (data) =>
    `The compiler version ${text(data, 'compilerVersion')} is not supported; the lowest is ${text(data, 'minimum')}.`,
  compiler_timeout: (data) => `The compilation took longer than ${text(data, 'seconds')} s and was stopped.`,
  compiler_out_of_memory: (data) =>
    `The compiler needed more than ${text(data, 'mebibytes')} MiB of memory and was stopped.`,
  job_cancelled: () => 'The verification was cancelled.',
  job_abandoned: () => 'The verification was interrupted three times and was given up. Submit it again.',
  internal_error: () => 'The server encountered an unexpected error.',
} satisfies Readonly<Record<string, Message>>;

/** A code of them. */
export type JobErrorCode = keyof typeof MESSAGES;

/** All codes. */
export const JOB_ERROR_CODES = Object.keys(MESSAGES) as readonly JobErrorCode[];

/** The text of a failure, with chain and address where it names them. */
export function failureMessage({ code, data }: JobFailure, subject: FailureSubject): string {
  const message: Message = MESSAGES[code];
  return message(data, subject);
}

/** The first error as the compiler words it; the others are in the data. */
function compilerErrorText(data: JsonObject | null): string {
  const errors: unknown = data?.['compilerErrors'];
  if (!Array.isArray(errors)) return text(data, 'compilerErrorMessage');
  const [first] = errors;
  const words: unknown = isJsonObject(first) ? (first['formattedMessage'] ?? first['message']) : first;
  const more = errors.length - 1 + Number(data?.['omittedCompilerErrors'] ?? 0);
  return `${String(words ?? '').trim()}${more > 0 ? ` (and ${more} more)` : ''}`;
}

/** Where the codes differ first and which setting may be the reason; clients print the message alone. */
function whereText(data: JsonObject | null): string {
  return data?.['hint'] === undefined ? placeText(data) : `${placeText(data)} ${text(data, 'hint')}`;
}

function placeText(data: JsonObject | null): string {
  const diff: unknown = data?.['diff'];
  if (!isJsonObject(diff)) return '';
  const { offset, region, recompiledLength, onchainLength } = diff;
  const place =
    region === 'length' ? `at byte ${offset}, where one of them ends` : `at byte ${offset} (${region})`;
  return ` They differ first ${place}; recompiled ${recompiledLength} bytes, on chain ${onchainLength}.`;
}

function list(data: JsonObject | null, member: string): string {
  const entries: unknown = data?.[member];
  return Array.isArray(entries) ? entries.join(', ') : '';
}

function text(data: JsonObject | null, member: string): string {
  return String(data?.[member] ?? '');
}

/** Together the texts of a failure take no more than this, so that no source can fill the database. Characters. */
const TOTAL_TEXT = 65_536;
const MAX_TEXT_LENGTH = 4_000;
const MAX_ENTRIES = 50;

/**
 * Keeps the data of a failure small: long texts are cut, and of long lists the first entries stay.
 *
 * Data that is small already stays as it is. Of compiler errors that were left out the number is told as
 * `omittedCompilerErrors`.
 */
export function boundFailureData(data: JsonObject): JsonObject {
  const bounded = bound(data, { left: TOTAL_TEXT }) as JsonObject;
  const { compilerErrors } = data;
  const kept = bounded['compilerErrors'];
  if (!Array.isArray(compilerErrors) || !Array.isArray(kept) || kept.length === compilerErrors.length) {
    return bounded;
  }
  return { ...bounded, omittedCompilerErrors: compilerErrors.length - kept.length };
}

function bound(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') return cut(value, budget);
  if (Array.isArray(value)) {
    const entries: unknown[] = [];
    for (const entry of value.slice(0, MAX_ENTRIES)) {
      // The first entry always stays: an empty list would say that there was nothing.
      if (budget.left <= 0 && entries.length > 0) break;
      entries.push(bound(entry, budget));
    }
    return entries;
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bound(member, budget)]));
}

function cut(text: string, budget: { left: number }): string {
  const length = Math.max(0, Math.min(text.length, MAX_TEXT_LENGTH, budget.left));
  budget.left -= length;
  return length === text.length ? text : `${text.slice(0, length)}…`;
}
