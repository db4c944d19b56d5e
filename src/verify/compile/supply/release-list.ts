import { isJsonObject } from '../../json-object.ts';
import { CompilerSourceError } from '../compiler-catalog.ts';

/** One build of a release list. */
export interface ReleaseBuild {
  /** File name; holds nothing that means something in a path. */
  readonly path: string;
  /** Full version such as `0.8.30+commit.73712a01`. */
  readonly longVersion: string;
  /** Hex without 0x. */
  readonly sha256: string;
  /** Hex without 0x; null when the list has none, as lists made by others than the official one. */
  readonly keccak256: string | null;
}

const FILE_NAME = /^[0-9A-Za-z][0-9A-Za-z._+-]{0,150}$/;
const HASH = /^(?:0x)?([0-9a-fA-F]{64})$/;

/**
 * Reads the text of a `list.json` in the form of the official releases; builds without SHA-256 are left out.
 *
 * @throws CompilerSourceError when the text has another form.
 * @see contracts/verification-engine.md section 2.2
 */
export function readReleaseList(text: string): readonly ReleaseBuild[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new CompilerSourceError(`its list.json is not JSON: ${(error as SyntaxError).message}`, error);
  }
  if (!isJsonObject(list) || !Array.isArray(list['builds'])) {
    throw new CompilerSourceError('its list.json has no array "builds"');
  }
  return list['builds'].flatMap((build: unknown): ReleaseBuild[] => {
    if (!isJsonObject(build)) return [];
    const { path, longVersion } = build;
    const sha256 = readHash(build['sha256']);
    const keccak256 = readHash(build['keccak256']);
    if (typeof path !== 'string' || !FILE_NAME.test(path) || sha256 === null) return [];
    return [{ path, longVersion: typeof longVersion === 'string' ? longVersion : '', sha256, keccak256 }];
  });
}

function readHash(value: unknown): string | null {
  return typeof value === 'string' ? (HASH.exec(value)?.[1]?.toLowerCase() ?? null) : null;
}
