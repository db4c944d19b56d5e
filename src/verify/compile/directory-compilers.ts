import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompilerSource } from './compiler-store.ts';
import { isShortVersion, releaseOf } from './compiler-version.ts';

/** Checksum list in the form that `sha256sum` prints. */
export const CHECKSUM_FILE = 'SHA256SUMS';
/** Checksum list in the form of the official release list. */
export const RELEASE_LIST_FILE = 'list.json';

const SOLJSON_FILE = /^soljson-v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?\+commit\.[0-9a-f]{8})\.js$/;
const CHECKSUM_LINE = /^([0-9a-fA-F]{64}) [ *](.+)$/;

interface CheckedFile {
  readonly version: string;
  readonly path: string;
  readonly sha256: string;
}

/**
 * A folder with files `soljson-v<version>.js` and a checksum list (`SHA256SUMS` or `list.json`).
 *
 * A file that the list does not name is not offered; the bytes are compared with the list when they are loaded.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createDirectoryCompilers(folder: string): CompilerSource {
  return {
    description: `the folder ${folder} (files soljson-v<version>.js that ${CHECKSUM_FILE} or ${RELEASE_LIST_FILE} names)`,
    async find({ language, version }) {
      if (language !== 'solc') return null;
      const files = await checkedFiles(folder);
      const file =
        files.find((candidate) => candidate.version === version) ??
        (isShortVersion(version) ? files.find((candidate) => isRelease(candidate, version)) : undefined);
      return file === undefined ? null : { kind: 'wasm', ...file };
    },
    async list() {
      const files = await checkedFiles(folder);
      return files.map(({ version, path }) => ({
        language: 'solc',
        version,
        kind: 'wasm',
        path,
        source: `folder ${folder}`,
      }));
    },
  };
}

function isRelease({ version }: CheckedFile, wanted: string): boolean {
  return releaseOf(version) === wanted && !version.includes('-');
}

async function checkedFiles(folder: string): Promise<readonly CheckedFile[]> {
  const checksums = { ...(await readReleaseList(folder)), ...(await readChecksumFile(folder)) };
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const version = SOLJSON_FILE.exec(name)?.[1];
    const sha256 = checksums[name];
    return version === undefined || sha256 === undefined
      ? []
      : [{ version, path: join(folder, name), sha256 }];
  });
}

async function readChecksumFile(folder: string): Promise<Record<string, string>> {
  const text = await readIfPresent(join(folder, CHECKSUM_FILE));
  const entries = (text ?? '').split('\n').flatMap((line): [string, string][] => {
    const match = CHECKSUM_LINE.exec(line.trimEnd());
    return match === null ? [] : [[match[2] ?? '', (match[1] ?? '').toLowerCase()]];
  });
  return Object.fromEntries(entries);
}

async function readReleaseList(folder: string): Promise<Record<string, string>> {
  const text = await readIfPresent(join(folder, RELEASE_LIST_FILE));
  if (text === null) return {};
  const list = JSON.parse(text) as { readonly builds?: readonly { path?: unknown; sha256?: unknown }[] };
  const entries = (list.builds ?? []).flatMap(({ path, sha256 }): [string, string][] =>
    typeof path === 'string' && typeof sha256 === 'string'
      ? [[path, sha256.replace(/^0x/, '').toLowerCase()]]
      : [],
  );
  return Object.fromEntries(entries);
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
