import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CompilerSource, CompilerSourceError, type WantedBuild } from '../compiler-catalog.ts';
import { type Platform, readCompilerFileName, thisPlatform } from '../compiler-file-name.ts';
import { isBuildOf } from '../compiler-version.ts';
import {
  type Checksums,
  createFileMemory,
  describeMismatch,
  digestFile,
  type FileDigests,
} from '../copies/file-digest.ts';
import { type PrivateCopies, RUN_FOLDER } from '../copies/private-copies.ts';
import {
  CHECKSUM_ENDING,
  CHECKSUM_FILE,
  type CheckedFolder,
  type ListEntries,
  RELEASE_LIST_FILE,
  readChecksumLists,
} from './checksum-lists.ts';

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
