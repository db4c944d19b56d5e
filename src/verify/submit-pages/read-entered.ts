import { type FormBody, fieldText } from '../bodies/form-body.ts';
import { shorten, shortenList, VerifyRequestError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { Submission } from '../model/submission.ts';
import type { EnteredOutcome, FieldFault, SubmittedForm } from '../model/submitted-form.ts';
import { namesInSource } from '../names-in-source.ts';
import {
  readMetadataSubmission,
  readSimilaritySubmission,
  readSubmission,
} from '../submissions/read-submission.ts';
import { parse, readCompilerJson } from './read-compiler-json.ts';
import { MAX_PASTED, readSingleSources, readSources } from './read-single-sources.ts';

/** The page with a larger choice of contracts would not come back through forms of some browsers. Characters. */
const MAX_CARRIED_LENGTH = 8_388_608;
const COMPILER_VERSION = /^v?\d+\.\d+\.\d+/;

/** Reads a form of the verification page: a submission, a choice to make, or everything that is wrong. */
export function readEntered(form: FormBody): SubmittedForm {
  const faults = [...faultsOfPlace(form)];
  const read = READERS.get(fieldText(form, 'kind') ?? 'json') ?? readJson;
  const outcome = read(form, faults);
  const found: EnteredOutcome = faults.length > 0 ? { kind: 'faulty', faults } : outcome;
  return { ...keptValues(form), outcome: found };
}

type Reader = (form: FormBody, faults: FieldFault[]) => EnteredOutcome;

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['json', readJson],
  ['files', readFiles],
  ['metadata', readMetadata],
  ['similarity', readSimilarity],
]);

function readSimilarity(form: FormBody): EnteredOutcome {
  return { kind: 'ready', submission: readSimilaritySubmission(creationOf(form)), target: null };
}

const NOTHING: EnteredOutcome = { kind: 'faulty', faults: [] };

/** A fault of a field, for which there is no outcome. */
function faulty(faults: FieldFault[], field: string, text: string): EnteredOutcome {
  faults.push({ field, text });
  return NOTHING;
}

function* faultsOfPlace(form: FormBody): Generator<FieldFault> {
  const chainId = trimmed(form, 'chainId');
  if (!/^\d{1,20}$/.test(chainId)) yield { field: 'chainId', text: 'Choose the chain of the contract.' };
  if (!/^0x[0-9a-fA-F]{40}$/.test(trimmed(form, 'address'))) {
    const text = 'The address of a contract is 0x and 40 hexadecimal digits.';
    yield { field: 'address', text };
  }
  const hash = trimmed(form, 'creationTransactionHash');
  if (hash !== '' && !/^0x[0-9a-fA-F]{64}$/.test(hash)) {
    const text = 'A transaction hash is 0x and 64 hexadecimal digits. It is optional.';
    yield { field: 'creationTransactionHash', text };
  }
}

function readJson(form: FormBody, faults: FieldFault[]): EnteredOutcome {
  const text = fileOrText(form, 'standardJsonFile', 'standardJson');
  if (text.trim() === '') {
    return faulty(faults, 'standardJson', 'Choose or paste standard JSON input or a build-info file.');
  }
  const json = readCompilerJson(text);
  if ('problem' in json) return faulty(faults, 'standardJson', json.problem);
  const contracts = json.compiled ?? listContracts(json.input);
  return settle(form, faults, json.input, json.compilerVersion, ownFirst(contracts), 'standardJson');
}

function readFiles(form: FormBody, faults: FieldFault[]): EnteredOutcome {
  const { input, faults: ofSources } = readSingleSources(form);
  faults.push(...ofSources);
  return settle(form, faults, input, null, listContracts(input), 'sources');
}

function readMetadata(form: FormBody, faults: FieldFault[]): EnteredOutcome {
  const text = fileOrText(form, 'metadataFile', 'metadata');
  if (text.trim() === '') {
    return faulty(faults, 'metadata', 'Choose or paste the metadata.json of the contract.');
  }
  const metadata = parse(text);
  if ('problem' in metadata && typeof metadata['problem'] === 'string' && !('compiler' in metadata)) {
    return faulty(faults, 'metadata', metadata['problem']);
  }
  const sources = readSources(form, 'metadataSources');
  return submitted(faults, 'metadata', null, () =>
    readMetadataSubmission({ metadata: metadata as JsonObject, sources, ...creationOf(form) }),
  );
}

/** Decides on version and contract of an input. */
function settle(
  form: FormBody,
  faults: FieldFault[],
  input: JsonObject,
  foundVersion: string | null,
  contracts: readonly string[],
  field: string,
): EnteredOutcome {
  const version = trimmed(form, 'compilerVersion') || (foundVersion ?? '');
  if (!COMPILER_VERSION.test(version)) {
    const text = 'Enter the compiler version, such as 0.8.30+commit.73712a01 or 0.8.30.';
    faults.push({ field: 'compilerVersion', text });
  }
  if (faults.length > 0) return NOTHING;
  const wanted = trimmed(form, 'contract');
  const named = wanted === '' ? contracts : contractsOfName(wanted, contracts);
  const [target] = named;
  if (target === undefined) {
    const known = contracts.length === 0 ? '' : ` It defines ${shortenList(contracts)}.`;
    const text =
      wanted === ''
        ? 'No contract found in the sources. Enter it below as path:Name.'
        : `The input does not define “${shorten(wanted)}”.${known} Write path:Name.`;
    return faulty(faults, 'contract', text);
  }
  if (named.length > 1) return choose(faults, named, input, version);
  return submitted(faults, field, target, () =>
    readSubmission({
      stdJsonInput: input,
      compilerVersion: version,
      contractIdentifier: target,
      ...creationOf(form),
    }),
  );
}

/** A path with a name counts as it is: a compiler may define what a look at the texts misses. */
function contractsOfName(wanted: string, contracts: readonly string[]): readonly string[] {
  return wanted.includes(':') ? [wanted] : contracts.filter((each) => each.endsWith(`:${wanted}`));
}

function choose(
  faults: FieldFault[],
  contracts: readonly string[],
  input: JsonObject,
  compilerVersion: string,
): EnteredOutcome {
  const standardJson = JSON.stringify(withoutSelection(input));
  if (standardJson.length <= MAX_CARRIED_LENGTH)
    return { kind: 'choose', contracts, standardJson, compilerVersion };
  const text = `The input defines several contracts: ${shortenList(contracts)}. Write path:Name of the one at the address.`;
  return faulty(faults, 'contract', text);
}

/** The server sets what the compiler shall print. */
function withoutSelection(input: JsonObject): JsonObject {
  if (!isJsonObject(input['settings'])) return input;
  const { outputSelection: _, ...settings } = input['settings'];
  return { ...input, settings };
}

function submitted(
  faults: FieldFault[],
  field: string,
  target: string | null,
  read: () => Submission,
): EnteredOutcome {
  try {
    return { kind: 'ready', submission: read(), target };
  } catch (error) {
    if (!(error instanceof VerifyRequestError)) throw error;
    return faulty(faults, field, error.message);
  }
}

function creationOf(form: FormBody): { readonly creationTransactionHash?: string } {
  const hash = trimmed(form, 'creationTransactionHash').toLowerCase();
  return hash === '' ? {} : { creationTransactionHash: hash };
}

function fileOrText(form: FormBody, fileField: string, textField: string): string {
  const file = form.files.find(({ field, name }) => field === fileField && name !== '');
  return file?.text ?? fieldText(form, textField) ?? '';
}

function trimmed(form: FormBody, name: string): string {
  return (fieldText(form, name) ?? '').trim();
}

/** What a form shows again, all fields together. Characters. */
const MAX_KEPT = 1_048_576;

/** Files that come back as text, since no page may fill a field for files. */
const TEXT_FIELD_OF: ReadonlyMap<string, string> = new Map([
  ['standardJsonFile', 'standardJson'],
  ['metadataFile', 'metadata'],
]);

/** The texts of a form, to show them again beside what is wrong; files become pasted texts. */
function keptValues({ fields, files }: FormBody): Pick<SubmittedForm, 'values' | 'isCut'> {
  const values = new Map<string, string>();
  let room = MAX_KEPT;
  let isCut = false;
  const keep = (name: string, text: string): boolean => {
    if (text.length > room) {
      isCut = true;
      return false;
    }
    room -= text.length;
    values.set(name, text);
    return true;
  };
  for (const [name, value] of fields) if (typeof value === 'string') keep(name, value);
  let slot = 0;
  for (const { field, name, text } of files) {
    if (name === '') continue;
    const single = TEXT_FIELD_OF.get(field);
    if (single !== undefined) {
      keep(single, text);
      continue;
    }
    while (slot < MAX_PASTED && (values.get(`source${slot}`) ?? '').trim() !== '') slot += 1;
    if (slot === MAX_PASTED) isCut = true;
    else if (keep(`source${slot}`, text)) keep(`sourceName${slot}`, name);
  }
  return { values: Object.fromEntries(values), isCut };
}

/** Where package managers put what others wrote. */
const FOREIGN = /^(?:@|npm\/|lib\/|node_modules\/|project\/node_modules\/)/;

/**
 * The contracts that may be deployed, `path:Name`, as far as the texts tell without compiling: abstract ones and
 * interfaces are left out, and those of the project stand before those of its libraries.
 *
 * @param input standard JSON, unchecked.
 */
function listContracts(input: JsonObject): readonly string[] {
  const { language, sources } = input;
  const texts = Object.entries(isJsonObject(sources) ? sources : {}).flatMap(([path, source]) =>
    isJsonObject(source) && typeof source['content'] === 'string' ? [[path, source['content']] as const] : [],
  );
  return ownFirst(
    texts.flatMap(([path, text]) => namesInSource(path, text, language).map((name) => `${path}:${name}`)),
  );
}

/** Puts the contracts of the project first, else leaves the order as it is. */
function ownFirst(contracts: readonly string[]): readonly string[] {
  return contracts.toSorted((left, right) => Number(FOREIGN.test(left)) - Number(FOREIGN.test(right)));
}
