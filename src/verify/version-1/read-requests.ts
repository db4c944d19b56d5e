import { isAddress } from '../address.ts';
import { type FormBody, fieldText } from '../bodies/form-body.ts';
import type { FormKind } from '../bodies/prepared-body.ts';
import { invalidParameter, shorten, VerifyRequestError } from '../errors.ts';
import { quoteLargeRuns } from '../exact-runs.ts';
import { contractIdentifierOf } from '../forms/find-contract-path.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../json-object.ts';
import type { Submission } from '../model/submission.ts';
import { readMetadataSubmission, readSubmission } from '../submissions/read-submission.ts';

/** What a request of version 1 asks for. */
export interface Version1Request {
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash: string | undefined;
  /** @throws VerifyRequestError */
  readonly read: () => Submission;
}

const CHAIN_ID = /^\d{1,20}$/;

/** Reads `POST /` and `/verify`: metadata and sources. @throws VerifyRequestError */
function readVerify(body: FormBody): Version1Request {
  return readRequest(body, (hash) => {
    const { metadata, sources } = findContracts(filesOf(body));
    const chosen = fieldText(body, 'chosenContract');
    if (metadata.length === 0) {
      throw invalidParameter('Metadata file not found. Did you include "metadata.json"?');
    }
    if (metadata.length > 1 && chosen === null) throw new SeveralContractsError(metadata.map(nameOfMetadata));
    const one = metadata[chosen === null ? 0 : Number(chosen)];
    if (one === undefined) {
      throw invalidParameter(
        `request/body/chosenContract must be one of 0 to ${metadata.length - 1}, not "${shorten(chosen ?? '')}"`,
      );
    }
    return readMetadataSubmission({ metadata: one, sources, ...hash });
  });
}

/** Reads `POST /verify/solc-json`: one standard JSON input and the name of a contract. @throws VerifyRequestError */
function readSolcJson(body: FormBody): Version1Request {
  return readRequest(body, (hash) => {
    const files = filesOf(body);
    const [file] = files;
    if (file === undefined || files.length > 1) {
      throw invalidParameter('Only one Solidity JSON Input file at a time is allowed');
    }
    const stdJsonInput = parseInput(file);
    const compilerVersion = requireText(body, 'compilerVersion');
    const contractIdentifier = contractIdentifierOf(stdJsonInput, requireText(body, 'contractName'));
    return readSubmission({ stdJsonInput, compilerVersion, contractIdentifier, ...hash });
  });
}

/** Reads `POST /verify/vyper`: sources, their compiler and its settings. @throws VerifyRequestError */
function readVyper(body: FormBody): Version1Request {
  return readRequest(body, (hash) => {
    const sources = filesOf(body).map(({ path, text }) => [path, { content: text }] as const);
    const settings = body.fields.get('compilerSettings');
    if (settings !== undefined && !isJsonObject(settings)) {
      throw invalidParameter('request/body/compilerSettings must be object');
    }
    return readSubmission({
      stdJsonInput: { language: 'Vyper', sources: Object.fromEntries(sources), settings: settings ?? {} },
      compilerVersion: requireText(body, 'compilerVersion'),
      contractIdentifier: `${requireText(body, 'contractPath')}:${requireText(body, 'contractName')}`,
      ...hash,
    });
  });
}

/** How the forms of version 1 are read. */
export const FORM_KINDS = {
  version_1_verify: readVerify,
  version_1_solc_json: readSolcJson,
  version_1_vyper: readVyper,
} as const satisfies Readonly<Record<FormKind, (form: FormBody) => Version1Request>>;

function readRequest(
  body: FormBody,
  read: (hash: { readonly creationTransactionHash?: string }) => Submission,
): Version1Request {
  const address = requireText(body, 'address');
  if (!isAddress(address)) throw invalidParameter('request/body/address must be 0x and 40 hex digits');
  const chainId = requireText(body, 'chain');
  if (!CHAIN_ID.test(chainId)) throw invalidParameter('request/body/chain must be a decimal chain id');
  const hash = fieldText(body, 'creatorTxHash')?.toLowerCase() || undefined;
  return {
    chainId,
    address,
    creationTransactionHash: hash,
    read: () => read(hash === undefined ? {} : { creationTransactionHash: hash }),
  };
}

function requireText(body: FormBody, name: string): string {
  const text = fieldText(body, name);
  if (text === null || text === '')
    throw invalidParameter(`request/body must have required property '${name}'`);
  return text;
}

/** Files of the form, or the member `files` of JSON: texts by path. @throws VerifyRequestError */
function filesOf(body: FormBody): readonly SentFile[] {
  const sent = body.files.map(({ name, text }) => ({ path: name, text }));
  const member = body.fields.get('files');
  if (member !== undefined && !isJsonObject(member))
    throw invalidParameter('request/body/files must be object');
  for (const [path, text] of Object.entries(member ?? {})) {
    if (typeof text !== 'string') {
      throw invalidParameter(`request/body/files/${shorten(path)} must be string`);
    }
    sent.push({ path, text });
  }
  if (sent.length > 0) return sent;
  throw new VerifyRequestError(
    'invalid_parameter',
    "Couldn't extract files from the request. Please make sure you have added files",
  );
}

function parseInput({ path, text }: SentFile) {
  const value = parseJsonObject(quoteLargeRuns(text));
  if (value !== null) return value;
  throw invalidParameter(
    `Couldn't parse JSON ${shorten(path)}. Make sure the contents of the file are syntaxed correctly.`,
  );
}

/** The files are about several contracts, and the request does not say which one is meant. */
class SeveralContractsError extends VerifyRequestError {
  override readonly more: Readonly<Record<string, unknown>>;

  /** @param contracts in the order in which `chosenContract` counts them. */
  constructor(contracts: readonly { readonly name: string; readonly path: string }[]) {
    super(
      'invalid_parameter',
      `Detected ${contracts.length} contracts (${contracts.map(({ name }) => name).join(', ')}), but can only ` +
        'verify 1 at a time. Name one by its number, from 0 on, as chosenContract.',
    );
    this.more = { contractsToChoose: contracts };
  }
}

/** A file as it was sent. */
interface SentFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Sorts files into metadata and sources. What Hardhat keeps of a compilation (`input` and `output` in one file) gives the
 * metadata of all its contracts and their sources. The path of a source counts only when two files have the same text.
 */
export function findContracts(files: readonly SentFile[]) {
  const metadata: JsonObject[] = [];
  const sources = new Map<string, string>();
  for (const { path, text } of files) {
    const value = parseObject(text);
    if (value !== null && isMetadata(value)) metadata.push(value);
    else if (value !== null && isBuild(value)) takeBuild(value, metadata, sources);
    else sources.set(path, text);
  }
  return { metadata, sources: Object.fromEntries(sources) };
}

/** Path and name of the contract that metadata are about; empty when they do not say. */
function nameOfMetadata(metadata: JsonObject): { readonly path: string; readonly name: string } {
  const settings = metadata['settings'];
  const target = isJsonObject(settings) ? settings['compilationTarget'] : undefined;
  const [entry] = isJsonObject(target) ? Object.entries(target) : [];
  return { path: entry?.[0] ?? '', name: typeof entry?.[1] === 'string' ? entry[1] : '' };
}

function isMetadata(value: JsonObject): boolean {
  const { compiler, settings, sources } = value;
  return (
    isJsonObject(compiler) &&
    isJsonObject(sources) &&
    isJsonObject(settings) &&
    'compilationTarget' in settings
  );
}

function isBuild({ input, output }: JsonObject): boolean {
  return isJsonObject(input) && isJsonObject(input['sources']) && isJsonObject(output);
}

function takeBuild(
  { input, output }: JsonObject,
  metadata: JsonObject[],
  sources: Map<string, string>,
): void {
  for (const [path, source] of membersOf(memberOf(input, 'sources')))
    if (isJsonObject(source) && typeof source['content'] === 'string') sources.set(path, source['content']);
  for (const [, contracts] of membersOf(memberOf(output, 'contracts'))) {
    for (const [, contract] of membersOf(contracts)) {
      const text = isJsonObject(contract) ? contract['metadata'] : undefined;
      const value = typeof text === 'string' ? parseObject(text) : null;
      if (value !== null && isMetadata(value)) metadata.push(value);
    }
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Null for anything but a JSON object, such as a source that begins with a brace. */
function parseObject(text: string): JsonObject | null {
  return /^\s*\{/.test(text) ? parseJsonObject(quoteLargeRuns(text)) : null;
}
