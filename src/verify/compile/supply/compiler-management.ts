import { access, copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type CompilerDownload,
  type CompilerExecutable,
  type CompilerLanguage,
  type CompilerSource,
  CompilerSourceError,
  type DownloadProgress,
  type ListedCompiler,
  listCompilers,
  type WantedBuild,
} from '../compiler-catalog.ts';
import { compilerFileName, type Platform, readCompilerFileName } from '../compiler-file-name.ts';
import { isSameVersion, type ReportedVersion } from '../compiler-version.ts';
import { digestFile } from '../copies/file-digest.ts';
import type { PrivateCopies } from '../copies/private-copies.ts';
import type { CompilerCache } from './compiler-cache.ts';

/** Where the operator may fetch compilers from. */
export type DownloadName = 'list' | 'registry';

/** What the operator gives along with a file whose name does not tell. */
interface AddedFile {
  readonly path: string;
  readonly language: CompilerLanguage | null;
  readonly version: string | null;
  /** Checksum that the file must have, hex; null when the operator vouches for the file as it is. */
  readonly sha256: string | null;
}

/** What the operator's compilers are managed with. */
interface SupplyParts {
  readonly sources: readonly CompilerSource[];
  readonly downloads: Readonly<Record<DownloadName, CompilerDownload>>;
  readonly cache: CompilerCache;
  readonly copies: PrivateCopies;
  readonly platform: Platform;
  /** Starts a compiler and reads its version. */
  readonly askVersion: (
    executable: CompilerExecutable,
    language: CompilerLanguage,
  ) => Promise<ReportedVersion>;
}

/** What the operator does with compilers. */
export type CompilerManagement = ReturnType<typeof createCompilerManagement>;

/** Makes the calls on the places and the kept compilers. */
export function createCompilerManagement(parts: SupplyParts) {
  const { sources, downloads, cache, copies, platform, askVersion } = parts;

  const findProblem = async (source: CompilerSource, compiler: ListedCompiler): Promise<string | null> => {
    const { language, version, kind } = compiler;
    try {
      const executable = await source.find({ language, version, kind });
      if (executable === null) return 'it is no longer offered';
      const reported = await askVersion(executable, language);
      return isSameVersion(reported, version) ? null : `it reports that it is ${reported}`;
    } catch (error) {
      return messageOf(error);
    }
  };

  return {
    /**
     * Fetches a compiler into the kept ones, unless it is present.
     *
     * @param from null for all places in order.
     * @returns where it was or came from.
     * @throws CompilerSourceError naming every place and its reason.
     */
    async fetch(
      wanted: WantedBuild,
      from: DownloadName | null,
      onProgress: (progress: DownloadProgress) => void,
    ) {
      for (const source of sources) {
        // A source that fails is no reason not to fetch; "compilers check" tells of it.
        const executable = await source.find(wanted).catch(() => null);
        if (executable !== null) return { executable, place: source.description, wasPresent: true };
      }
      const places = from === null ? [downloads.list, downloads.registry] : [downloads[from]];
      const reasons: string[] = [];
      for (const place of places) {
        try {
          const executable = await place.fetch(wanted, onProgress);
          if (executable !== null) return { executable, place: place.description, wasPresent: false };
          reasons.push(`${place.description} does not have it`);
        } catch (error) {
          reasons.push(`${place.description}: ${messageOf(error)}`);
        }
      }
      throw new CompilerSourceError(reasons.join('; '));
    },
    /** Asks all places at once what they offer, or why it cannot be asked. */
    offers() {
      return Promise.all(
        Object.values(downloads).map(async (place) => {
          try {
            return { place: place.description, offers: await place.offers(), problem: null };
          } catch (error) {
            return { place: place.description, offers: [], problem: messageOf(error) };
          }
        }),
      );
    },
    /**
     * Checks the bytes of each present compiler, starts it and compares the version that it tells. `problem` is null when it
     * may be used and says that it is what it should be, `compiler` when a place or a file that is no compiler is meant.
     */
    async *check() {
      for (const source of sources) {
        const { compilers, problems } = await listCompilers(source);
        for (const compiler of compilers) yield { compiler, problem: await findProblem(source, compiler) };
        for (const problem of problems) yield { compiler: null, problem };
      }
    },
    /**
     * Checks a file, starts it and puts a copy with its checksum into the kept ones.
     *
     * @throws CompilerSourceError when it is no compiler of the version that it should be.
     */
    add: (file: AddedFile): Promise<CompilerExecutable> =>
      cache.withScratch(async (scratch) => {
        const unreadable = (error: Error) => {
          throw new CompilerSourceError(`${file.path} cannot be read: ${error.message}`, error);
        };
        await access(file.path).catch(unreadable);
        const build = describeAdded(file, platform);
        const name = compilerFileName(build, platform);
        const path = join(scratch, name);
        await copyFile(file.path, path).catch(unreadable);
        const { sha256 } = await digestFile(path, { withKeccak: false });
        if (file.sha256 !== null && file.sha256 !== sha256) {
          throw new CompilerSourceError(`the SHA-256 of ${file.path} is ${sha256}, not ${file.sha256}`);
        }
        const runnable = build.kind === 'native' ? await copies.copy(path, sha256) : path;
        const { kind, version } = build;
        const reported = await askVersion({ kind, version, path: runnable, sha256 }, build.language);
        if (!isSameVersion(reported, version)) {
          throw new CompilerSourceError(`${file.path} reports that it is ${reported}, not ${version}`);
        }
        // Jobs name the release with its commit. Vyper prints fewer digits of it than the release has.
        if (reported.includes('+commit.') && !version.includes('+commit.')) {
          throw new CompilerSourceError(
            `${file.path} reports that it is ${reported}; give the full --version with the 8 digits of the commit`,
          );
        }
        return { kind, version, sha256, path: await cache.keep(path, name, sha256) };
      }),
  };
}

function describeAdded({ path, language, version }: AddedFile, platform: Platform): WantedBuild {
  const named = readCompilerFileName(basename(path), platform);
  const build =
    language !== null && version !== null
      ? ({ language, version, kind: path.endsWith('.js') ? 'wasm' : 'native' } as const)
      : named;
  // The name that it would be kept under must be understood again.
  if (build !== null && readCompilerFileName(compilerFileName(build, platform), platform) !== null)
    return build;
  throw new CompilerSourceError(
    `the name of ${path} does not show which compiler it is; give --language and the full --version`,
  );
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  throw error;
}
