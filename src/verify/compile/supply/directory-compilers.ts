import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isJsonObject } from '../../json-object.ts';
import { type CompilerSource, CompilerSourceError, type WantedBuild } from '../compiler-catalog.ts';
import { type Platform, readCompilerFileName, thisPlatform } from '../compiler-file-name.ts';
import { isBuildOf } from '../compiler-version.ts';
import {
  type Checksums,
  createFileMemory,
  describeMismatch,
  digestFile,
  type FileDigests,
  type FileMemory,
} from '../copies/file-digest.ts';
import { type PrivateCopies, RUN_FOLDER } from '../copies/private-copies.ts';

/** What a folder of compilers is made of. */
interface DirectoryParts {
  /** Null: there is none yet. */
  readonly folder: () => string | null;
  /** For messages, for example `the folder /opt/compilers`. */
  readonly description: string;
  /** Whether a folder that is not there counts as an empty one. Default false: it is a mistake. */
  readonly mayBeMissing?: boolean;
  /** Where executables are run from. */
  readonly copies: PrivateCopies;
  readonly platform?: Platform;
}

interface PresentFile extends WantedBuild {
  readonly path: string;
  readonly checksums: Checksums | undefined;
}

/**
 * A folder of compilers under the names of their releases, with checksums in `SHA256SUMS`, `list.json` or one
 * `<file>.sha256` each.
 *
 * Every checksum that is given for a file must agree with its bytes, and at least one must be given. The folder
 * is read anew each time, its files only when they changed.
 *
 * @see contracts/verification-engine.md sections 2.2, 4.2 and 5
 */
export function createDirectoryCompilers(parts: DirectoryParts): CompilerSource {
  const { description, copies, platform = thisPlatform } = parts;
  const lists = createFileMemory<ListEntries>();
  const plain = createFileMemory<FileDigests>();
  const withBoth = createFileMemory<FileDigests>();
  const read = async () => {
    const folder = parts.folder();
    if (folder === null || (parts.mayBeMissing === true && !existsSync(folder))) return EMPTY;
    return readChecksumLists(folder, lists);
  };

  return {
    description,
    async find(wanted) {
      const file = choose(present(await read(), platform), wanted);
      if (file === undefined) return null;
      const { path, kind, version, checksums } = file;
      if (checksums === undefined) throw new CompilerSourceError(withoutChecksum(path));
      const withKeccak = checksums.keccak256.length > 0;
      const actual = await readable(path, () =>
        (withKeccak ? withBoth : plain).get(path, () => digestFile(path, { withKeccak })),
      );
      const mismatch = describeMismatch(checksums, actual);
      if (mismatch !== null) throw new CompilerSourceError(`${path}: ${mismatch}; the file is not run`);
      const { sha256 } = actual;
      return { kind, version, sha256, path: kind === 'native' ? await copies.copy(path, sha256) : path };
    },
    async list() {
      const checked = await read();
      const files = present(checked, platform);
      const understood = new Set(files.map(({ path }) => path));
      const strange = checked.files.filter((name) => !understood.has(join(checked.folder, name)));
      return {
        compilers: files.flatMap(({ checksums, ...file }) =>
          checksums === undefined
            ? []
            : [{ ...file, sha256: checksums.sha256[0] ?? null, source: description }],
        ),
        problems: [
          ...files.flatMap(({ checksums, path }) => (checksums === undefined ? [withoutChecksum(path)] : [])),
          ...strange
            .filter(isMeant)
            .map((name) => `${join(checked.folder, name)} is not used: ${EXPECTED_NAMES}`),
        ],
      };
    },
  };
}

const EMPTY: CheckedFolder = { folder: '', files: [], checksums: new Map() };

const EXPECTED_NAMES =
  'its name is not one of soljson-v<version>.js, solc-<platform>-v<version>, vyper.<version>.<platform>, fe_<platform>-v<version> for this platform';

/** Hidden files and folders are nobody's compilers. */
function isMeant(name: string): boolean {
  return !name.startsWith('.') && name !== RUN_FOLDER;
}

function withoutChecksum(path: string): string {
  return `${path} is not run: neither ${CHECKSUM_FILE} nor ${RELEASE_LIST_FILE} nor ${basename(path)}${CHECKSUM_ENDING} beside it names its checksum ("ledgerlens compilers add" writes one)`;
}

function present(checked: CheckedFolder, platform: Platform): readonly PresentFile[] {
  return checked.files.flatMap((name): PresentFile[] => {
    const build = readCompilerFileName(name, platform);
    return build === null
      ? []
      : [{ ...build, path: join(checked.folder, name), checksums: checked.checksums.get(name) }];
  });
}

/** The exact version goes before a release that a short version means, a file with checksum before one without. */
function choose(files: readonly PresentFile[], wanted: WantedBuild): PresentFile | undefined {
  const fitting = files.filter(
    ({ language, kind, version }) =>
      language === wanted.language && kind === wanted.kind && isBuildOf(version, wanted.version),
  );
  return fitting.find(({ checksums }) => checksums !== undefined) ?? fitting[0];
}

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CompilerSourceError(`${path} cannot be read (${code ?? message})`, error);
  }
}

/** Checksum list in the form that `sha256sum` prints. */
export const CHECKSUM_FILE = 'SHA256SUMS';
/** Checksum list in the form of the official release list. */
const RELEASE_LIST_FILE = 'list.json';
/** Ending of a file that holds the checksum of one other, as `sha256sum` prints it. */
export const CHECKSUM_ENDING = '.sha256';

/** File names with what one list says about them. */
type ListEntries = readonly (readonly [string, Checksums])[];

/** The files of a folder that are no lists, sorted, and what its lists say about them. */
interface CheckedFolder {
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
async function readChecksumLists(folder: string, memory: FileMemory<ListEntries>): Promise<CheckedFolder> {
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
