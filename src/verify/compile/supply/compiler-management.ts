import { access, copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../values/clock.ts';
import {
  type CompilerDownload,
  type CompilerExecutable,
  type CompilerKind,
  type CompilerLanguage,
  type CompilerSource,
  CompilerSourceError,
  type DownloadProgress,
  type ListedCompiler,
  listCompilers,
  type WantedBuild,
} from '../compiler-catalog.ts';
import { compilerFileName, type Platform, readCompilerFileName } from '../compiler-file-name.ts';
import { isBuildOf, isSameVersion, isShortVersion, type ReportedVersion } from '../compiler-version.ts';
import { digestFile } from '../copies/file-digest.ts';
import type { PrivateCopies } from '../copies/private-copies.ts';
import type { CompilerCache } from './compiler-cache.ts';

/** How soon a job can have a compiler: it is there, or it is fetched first. */
export type Availability = 'bundled' | 'folder' | 'kept' | 'fetchable';

/** One compiler that jobs can have. */
export interface StockedCompiler {
  readonly language: CompilerLanguage;
  /** With its commit where that is known. */
  readonly version: string;
  readonly kind: CompilerKind;
  readonly availability: Availability;
  /** Where it comes from, for people; never a path of this machine. */
  readonly from: string;
}

/** All compilers that jobs can have. */
export type CompilerStock = ReturnType<typeof createCompilerStock>;

/** What the stock is made of. */
interface CompilerStockParts {
  readonly sources: readonly {
    readonly source: CompilerSource;
    readonly availability: Availability;
    readonly from: string;
  }[];
  /** Places that jobs may download from. */
  readonly downloads: readonly { readonly download: CompilerDownload; readonly from: string }[];
  readonly clock: Clock;
}

const PRESENT_KEPT_MS = 5000;
const OFFERS_KEPT_MS = 600_000;
/** A page is not held longer by a list that is far away; the next one has it. */
const WAIT_TIMEOUT_MS = 1000;

/** Lists what all places have, asking disks every few seconds and servers every few minutes at most. */
export function createCompilerStock({ sources, downloads, clock }: CompilerStockParts) {
  let present: { readonly list: Promise<readonly StockedCompiler[]>; readonly at: number } | null = null;
  let offers: { readonly list: readonly StockedCompiler[]; readonly at: number } | null = null;
  let asking: Promise<void> | null = null;

  const readPresent = async (): Promise<readonly StockedCompiler[]> => {
    const lists = await Promise.all(
      sources.map(async ({ source, availability, from }) =>
        (await listCompilers(source)).compilers.map(({ language, version, kind, source: name }) => ({
          ...{ language, version, kind, availability },
          from: availability === 'bundled' ? name : from,
        })),
      ),
    );
    return lists.flat();
  };

  const ask = async (): Promise<void> => {
    const lists = await Promise.all(
      downloads.map(async ({ download, from }) =>
        (await offersOf(download)).map(({ language, version, kind }) => ({
          ...{ language, version, kind, from },
          availability: 'fetchable' as const,
        })),
      ),
    );
    offers = { list: lists.flat(), at: clock.now() };
  };

  return {
    /** Newest first. What a download offers is missing while it has not answered. */
    async list(): Promise<readonly StockedCompiler[]> {
      const now = clock.now();
      if (present === null || now - present.at >= PRESENT_KEPT_MS) present = { list: readPresent(), at: now };
      if (downloads.length > 0 && (offers === null || now - offers.at >= OFFERS_KEPT_MS)) {
        asking ??= ask().finally(() => {
          asking = null;
        });
        if (offers === null) await Promise.race([asking, pause(WAIT_TIMEOUT_MS, undefined, { ref: false })]);
      }
      return merge(await present.list, offers?.list ?? []);
    },
  };
}

/** One that does not answer offers nothing; jobs that need it, and `compilers check`, say why. */
async function offersOf(download: CompilerDownload): Promise<readonly WantedBuild[]> {
  try {
    // Native builds are never fetched for a job.
    return (await download.offers()).filter(({ kind }) => kind === 'wasm');
  } catch {
    return [];
  }
}

/** Leaves out offers of what is present; those tell the commit of packages that do not. */
function merge(
  present: readonly StockedCompiler[],
  offers: readonly StockedCompiler[],
): readonly StockedCompiler[] {
  const named = present.map((compiler) => {
    if (!isShortVersion(compiler.version)) return compiler;
    const full = offers.find((offer) => isSame(offer, compiler) && offer.version.includes('+'));
    return full === undefined ? compiler : { ...compiler, version: full.version };
  });
  const others = offers.filter(
    (offer, index) =>
      !named.some((compiler) => isSame(compiler, offer)) &&
      !offers.slice(0, index).some((earlier) => isSame(earlier, offer)),
  );
  return [...named, ...others].sort(newestFirst);
}

function isSame(left: WantedBuild, right: WantedBuild): boolean {
  return (
    left.language === right.language &&
    left.kind === right.kind &&
    (isBuildOf(left.version, right.version) || isBuildOf(right.version, left.version))
  );
}

const LANGUAGES: readonly CompilerLanguage[] = ['solc', 'vyper', 'fe'];

function newestFirst(left: StockedCompiler, right: StockedCompiler): number {
  const byLanguage = LANGUAGES.indexOf(left.language) - LANGUAGES.indexOf(right.language);
  return byLanguage || right.version.localeCompare(left.version, 'en', { numeric: true });
}

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
