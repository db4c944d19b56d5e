import type { TSchema } from '@sinclair/typebox';
import type { Hex } from '../../values/hex.ts';
import type { JsonKind } from '../bodies/prepared-body.ts';
import { isVersionText, normaliseVersion, VERSION_PATTERN } from '../compile/compiler-version.ts';
import { FE_SOURCE_FOLDER, feSourcePathProblem } from '../compile/fe/fe-source-paths.ts';
import { invalidParameter, shorten } from '../errors.ts';
import { findExcess } from '../json-excess.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { Language } from '../match/compiled-code.ts';
import type { ContractMetadata } from '../metadata/contract-metadata.ts';
import type { ListedSource } from '../metadata/find-files.ts';
import type {
  MetadataSubmission,
  SimilaritySubmission,
  StandardJsonSubmission,
  Submission,
} from '../model/submission.ts';
import { ImportRequest, MetadataRequest, SimilarityRequest, SubmissionRequest } from '../schemas.ts';
import type { CompilationTarget, SourceFile, StandardJson } from '../standard-json.ts';

/** The languages that a submission may name; Yul goes to solc. */
const LANGUAGES: readonly Language[] = ['Solidity', 'Yul', 'Vyper', 'Fe'];

/** The body of a submission after its schema was checked. */
interface SubmissionBody {
  readonly stdJsonInput: JsonObject;
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
  readonly creationTransactionHash?: string;
}

/**
 * Checks what the schema cannot say, in the order of the contract, and normalises Fe paths.
 *
 * @throws VerifyRequestError `invalid_parameter`
 * @see contracts/verification-api.md section 3.2
 */
export function readSubmission(body: SubmissionBody): StandardJsonSubmission {
  if (!isVersionText(body.compilerVersion)) {
    throw invalidParameter(`request/body/compilerVersion must match pattern "${VERSION_PATTERN}"`);
  }
  const language = body.stdJsonInput['language'];
  if (typeof language !== 'string' || language === '') {
    throw invalidParameter('Standard JSON input must contain a language field.');
  }
  const sources = readSources(body.stdJsonInput['sources']);
  if (!isLanguage(language)) {
    throw invalidParameter(
      `The language "${shorten(language)}" is not supported. Use ${LANGUAGES.join(', ')}.`,
    );
  }
  const excess = findExcess(body.stdJsonInput);
  if (excess !== null) {
    throw invalidParameter(`request/body/stdJsonInput must NOT ${excess}`);
  }
  const { settings } = body.stdJsonInput;
  if (settings !== undefined && !isJsonObject(settings)) {
    throw invalidParameter('request/body/stdJsonInput/settings must be object');
  }
  const input = { ...body.stdJsonInput, language, sources } as StandardJson;
  const isFe = language === 'Fe';
  const target = isFe
    ? readFeIdentifier(body.contractIdentifier, sources)
    : readIdentifier(body.contractIdentifier);
  return {
    kind: 'standard_json',
    input: isFe ? withFePrefix(input) : input,
    compilerVersion: normaliseVersion(body.compilerVersion),
    target,
    creationTransactionHash: (body.creationTransactionHash ?? null) as Hex | null,
  };
}

function readSources(sources: unknown): Readonly<Record<string, SourceFile>> {
  if (sources === undefined || sources === null) {
    throw invalidParameter('Standard JSON input must contain a sources field.');
  }
  if (!isJsonObject(sources)) throw invalidParameter('request/body/stdJsonInput/sources must be object');
  const paths = Object.keys(sources);
  if (paths.length === 0) throw invalidParameter('Standard JSON input must contain a sources field.');
  for (const path of paths) {
    const excess = excessOfPath(path);
    if (excess !== null) throw invalidParameter(`request/body/stdJsonInput/sources must NOT ${excess}`);
    const source = sources[path];
    if (!isJsonObject(source)) {
      throw invalidParameter(`request/body/stdJsonInput/sources/${shorten(path)} must be object`);
    }
    if (typeof source['content'] !== 'string') {
      throw invalidParameter('Standard JSON input must contain a content field for each source.');
    }
  }
  return sources as Readonly<Record<string, SourceFile>>;
}

/** Every library is named with the path of its file. */
const MAX_PATH_LENGTH = 1024;

function excessOfPath(path: string): string | null {
  return path.length <= MAX_PATH_LENGTH
    ? null
    : `have paths of more than ${MAX_PATH_LENGTH} characters: ${shorten(path)}`;
}

/** Splits at the last colon: paths may hold colons, names may not. */
function readIdentifier(identifier: string): CompilationTarget {
  const colon = identifier.lastIndexOf(':');
  if (colon < 0) {
    throw invalidParameter(
      "The contractIdentifier must consist of the file path and the contract name separated by a ':'.",
    );
  }
  return { path: identifier.slice(0, colon), name: identifier.slice(colon + 1) };
}

function readFeIdentifier(
  identifier: string,
  sources: Readonly<Record<string, SourceFile>>,
): CompilationTarget {
  const prefixed = Object.keys(sources).filter((path) => path.startsWith(FE_SOURCE_FOLDER)).length;
  if (prefixed !== 0 && prefixed !== Object.keys(sources).length) {
    throw invalidParameter(
      'Fe sources must either all have a "src/" prefix or none. Mixed paths are not allowed.',
    );
  }
  const colon = identifier.lastIndexOf(':');
  if (colon < 0) {
    throw invalidParameter(
      'For Fe contracts, contractIdentifier must include the source file path, e.g. "src/lib.fe:Counter" or "src/counter.fe:Counter".',
    );
  }
  const path = identifier.slice(0, colon);
  if (!path.endsWith('.fe')) {
    throw invalidParameter(
      'For Fe contracts, contractIdentifier path must be a "src/**/*.fe" path (e.g. "src/lib.fe:Counter" or "src/counter.fe:Counter").',
    );
  }
  return {
    path: path.startsWith(FE_SOURCE_FOLDER) ? path : FE_SOURCE_FOLDER + path,
    name: identifier.slice(colon + 1),
  };
}

function withFePrefix(input: StandardJson): StandardJson {
  const sources = Object.entries(input.sources).map(([path, source]): [string, SourceFile] => [
    path.startsWith(FE_SOURCE_FOLDER) ? path : FE_SOURCE_FOLDER + path,
    source,
  ]);
  const problem = feSourcePathProblem(sources.map(([path]) => path));
  if (problem !== null) throw invalidParameter(problem);
  return { ...input, sources: Object.fromEntries(sources) };
}

function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}

/** Reads the body of `POST /v2/verify/similarity/…`. @see contracts/verification-api.md section 7.2 */
export function readSimilaritySubmission(body: {
  readonly creationTransactionHash?: string;
}): SimilaritySubmission {
  return {
    kind: 'similarity',
    creationTransactionHash: (body.creationTransactionHash ?? null) as Hex | null,
  };
}

/** The body of `POST /v2/verify/metadata/…` after its schema was checked. */
interface MetadataBody {
  readonly sources: Readonly<Record<string, string>>;
  readonly metadata: JsonObject;
  readonly creationTransactionHash?: string;
}

const KECCAK = /^0x[0-9a-f]{64}$/i;

/**
 * Checks what the schema cannot say, in the order of the contract.
 *
 * @throws VerifyRequestError `invalid_parameter`
 * @see contracts/verification-api.md section 7.1
 */
export function readMetadataSubmission(body: MetadataBody): MetadataSubmission {
  const { metadata } = body;
  if (metadata === undefined) throw invalidParameter('Metadata is required.');
  const compiler = required(metadata, 'compiler');
  const version = required(compiler, 'version', 'compiler');
  const language = required(metadata, 'language');
  const settings = required(metadata, 'settings');
  required(settings, 'compilationTarget', 'settings');
  const sources = required(metadata, 'sources');

  if (typeof version !== 'string' || !isVersionText(version)) {
    throw wrong(`compiler/version must match pattern "${VERSION_PATTERN}"`);
  }
  if (language !== 'Solidity' && language !== 'Yul') {
    const named = typeof language === 'string' ? ` "${shorten(language)}"` : '';
    throw invalidParameter(`The language${named} has no metadata that can be verified. Use Solidity or Yul.`);
  }
  if (!isJsonObject(settings)) throw wrong('settings must be object');
  if (!isJsonObject(sources)) throw wrong('sources must be object');
  const excess = findExcess(metadata);
  if (excess !== null) throw wrong(`must NOT ${excess}`);
  const read: ContractMetadata = {
    language,
    compilerVersion: normaliseVersion(version),
    settings,
    sources: Object.fromEntries(
      Object.entries(sources).map(([path, source]) => [path, readSource(path, source)]),
    ),
  };
  return {
    kind: 'metadata',
    metadata: read,
    files: body.sources,
    creationTransactionHash: (body.creationTransactionHash ?? null) as Hex | null,
  };
}

/** Null and an empty text count as absent. */
function required(parent: unknown, member: string, parentName?: string): unknown {
  const value = isJsonObject(parent) ? parent[member] : undefined;
  if (value !== undefined && value !== null && value !== '') return value;
  const name = parentName === undefined ? member : `${parentName}.${member}`;
  throw invalidParameter(`Metadata must contain a ${name} field.`);
}

function readSource(path: string, source: unknown): ListedSource {
  const place = `sources/${shorten(path)}`;
  const excess = excessOfPath(path);
  if (excess !== null) throw wrong(`sources must NOT ${excess}`);
  if (!isJsonObject(source)) throw wrong(`${place} must be object`);
  const { keccak256, content, urls } = source;
  if (typeof keccak256 !== 'string' || !KECCAK.test(keccak256)) {
    throw wrong(`${place}/keccak256 must match pattern "^0x[0-9a-f]{64}$"`);
  }
  if (content !== undefined && typeof content !== 'string') throw wrong(`${place}/content must be string`);
  return {
    keccak256: keccak256.toLowerCase(),
    ...(content === undefined ? {} : { content }),
    urls: Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [],
  };
}

function wrong(text: string) {
  const separator = text.startsWith('must') ? ' ' : '/';
  return invalidParameter(`request/body/metadata${separator}${text}`);
}

/** What a route does with its body in JSON. */
interface KindOfBody {
  readonly schema: TSchema;
  /** Null when nothing is submitted. @throws VerifyRequestError `invalid_parameter` */
  readonly read: ((body: never) => Submission) | null;
}

/** Bodies in JSON, which are checked and read in the body thread when they are large. */
export const JSON_BODIES = {
  standard_json: { schema: SubmissionRequest, read: readSubmission },
  metadata: { schema: MetadataRequest, read: readMetadataSubmission },
  similarity: { schema: SimilarityRequest, read: readSimilaritySubmission },
  import: { schema: ImportRequest, read: null },
} as const satisfies Readonly<Record<JsonKind, KindOfBody>>;
