import type { Hex } from '../../values/hex.ts';
import { isVersionText, normaliseVersion, VERSION_PATTERN } from '../compile/compiler-version.ts';
import { invalidParameter } from '../errors.ts';
import { isNestedTooDeep, MAX_NESTING } from '../json-depth.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { ContractMetadata } from '../metadata/contract-metadata.ts';
import type { ListedSource } from '../metadata/find-files.ts';
import type { MetadataSubmission } from '../model/submission.ts';
import { shorten } from '../shorten.ts';

/** The body of `POST /v2/verify/metadata/…` after its schema was checked. */
export interface MetadataBody {
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
  if (isNestedTooDeep(metadata)) throw wrong(`must NOT be nested deeper than ${MAX_NESTING} levels`);
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
