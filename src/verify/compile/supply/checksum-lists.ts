import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompilerSourceError } from '../compiler-catalog.ts';
import type { Checksums } from '../copies/file-digest.ts';
import type { FileMemory } from '../copies/file-memory.ts';
import { readReleaseList } from './release-list.ts';

/** Checksum list in the form that `sha256sum` prints. */
export const CHECKSUM_FILE = 'SHA256SUMS';
/** Checksum list in the form of the official release list. */
export const RELEASE_LIST_FILE = 'list.json';
/** Ending of a file that holds the checksum of one other, as `sha256sum` prints it. */
export const CHECKSUM_ENDING = '.sha256';

/** File names with what one list says about them. */
export type ListEntries = readonly (readonly [string, Checksums])[];

/** The files of a folder that are no lists, sorted, and what its lists say about them. */
export interface CheckedFolder {
  readonly folder: string;
  readonly files: readonly string[];
  readonly checksums: ReadonlyMap<string, Checksums>;
}

const CHECKSUM_LINE = /^([0-9a-fA-F]{64}) [ *](.+)$/;

/**
 * Everything that a folder says about the checksums of its files, by file name.
 *
 * @throws CompilerSourceError when the folder cannot be read or a list has another form.
 */
export async function readChecksumLists(
  folder: string,
  memory: FileMemory<ListEntries>,
): Promise<CheckedFolder> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CompilerSourceError(`the folder cannot be read (${error.code ?? error.message})`, error);
  });
  const isList = (name: string) =>
    name === CHECKSUM_FILE || name === RELEASE_LIST_FILE || name.endsWith(CHECKSUM_ENDING);
  const checksums = new Map<string, Checksums>();
  for (const list of names.filter(isList)) {
    const entries = await readEntries(folder, list, memory);
    for (const [name, given] of entries) {
      const known = checksums.get(name) ?? { sha256: [], keccak256: [] };
      checksums.set(name, {
        sha256: [...known.sha256, ...given.sha256],
        keccak256: [...known.keccak256, ...given.keccak256],
      });
    }
  }
  return { folder, files: names.filter((name) => !isList(name)).sort(), checksums };
}

function releaseEntries(text: string): ListEntries {
  return readReleaseList(text).map(({ path, sha256, keccak256 }) => [
    path,
    { sha256: [sha256], keccak256: keccak256 === null ? [] : [keccak256] },
  ]);
}

function lineEntries(list: string, text: string): ListEntries {
  return text.split('\n').flatMap((line, index): [string, Checksums][] => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const match = CHECKSUM_LINE.exec(line.trimEnd());
    if (match === null) {
      throw new CompilerSourceError(
        `line ${index + 1} of its ${list} is not of the form "<64 hex digits>  <file name>"`,
      );
    }
    const [, sha256 = '', name = ''] = match;
    return [[name.replace(/^\.\//, ''), { sha256: [sha256.toLowerCase()], keccak256: [] }]];
  });
}

async function readEntries(
  folder: string,
  list: string,
  memory: FileMemory<ListEntries>,
): Promise<ListEntries> {
  const path = join(folder, list);
  try {
    return await memory.get(path, async () => {
      const text = await readFile(path, 'utf8');
      return list === RELEASE_LIST_FILE ? releaseEntries(text) : lineEntries(list, text);
    });
  } catch (error) {
    if (error instanceof CompilerSourceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CompilerSourceError(`its ${list} cannot be read (${code ?? message})`, error);
  }
}
