import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../../../values/clock.ts';
import { withoutEnding } from '../../../../values/without-ending.ts';
import {
  type CompilerDownload,
  type CompilerExecutable,
  type CompilerKind,
  CompilerSourceError,
  type DownloadProgress,
  type WantedBuild,
} from '../../compiler-catalog.ts';
import {
  compilerFileName,
  type Platform,
  readCompilerFileName,
  solcPlatformName,
} from '../../compiler-file-name.ts';
import { isBuildOf } from '../../compiler-version.ts';
import { describeMismatch, type FileDigests, startDigest } from '../../copies/file-digest.ts';
import type { PrivateCopies } from '../../copies/private-copies.ts';
import type { CompilerCache } from '../compiler-cache.ts';
import { type ReleaseBuild, readReleaseList } from '../directory-compilers.ts';
import type { Downloader } from './download.ts';
import { createKeptList, type KeptList } from './kept-list.ts';

/** What the download from a release list is made of. */
interface ReleaseListParts {
  /** Address above the folders of the platforms. */
  readonly baseUrl: string;
  readonly downloader: Downloader;
  readonly cache: CompilerCache;
  readonly copies: PrivateCopies;
  readonly clock: Clock;
  readonly platform: Platform;
}

interface OfferedBuild extends WantedBuild {
  readonly build: ReleaseBuild;
}

/** Null when there is no such list. */
type Catalogue = readonly OfferedBuild[] | null;

/** WebAssembly first: asm.js, which `bin` has for the rest, is several times slower. */
const WASM_FOLDERS = ['emscripten-wasm32', 'bin'];
/** A list is asked for again after this long, a list without the wanted version sooner. */
const LIST_KEPT_MS = 600_000;
const LIST_KEPT_WHEN_MISSING_MS = 60_000;
/** A longer body is a compiler, not the name of another file. */
const MAX_ALIAS_BYTES = 256;

/**
 * Compilers of the official release list, or of a mirror of it.
 *
 * A file is kept only when both its SHA-256 and its keccak-256 agree with the list. A file whose body is the
 * name of another file of the same list stands for that one.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createReleaseListDownload(parts: ReleaseListParts): CompilerDownload {
  const { downloader, cache, copies, clock, platform } = parts;
  const catalogues = new Map<string, KeptList<Catalogue>>();
  const addressOf = (folder: string, name: string) =>
    new URL(`${withoutEnding(parts.baseUrl, '/')}/${folder}/${encodeURIComponent(name)}`);

  const catalogueOf = (folder: string): KeptList<Catalogue> => {
    const url = addressOf(folder, 'list.json');
    const read = async () => {
      const text = await downloader.text({ url });
      return text === null ? null : readReleaseList(text).flatMap((build) => offered(build, platform));
    };
    const catalogue = catalogues.get(folder) ?? createKeptList(url.href, read, clock);
    catalogues.set(folder, catalogue);
    return catalogue;
  };

  const lookUp = async (folder: string, wanted: WantedBuild) => {
    const choose = (builds: Catalogue) =>
      builds?.find(({ version, kind }) => kind === wanted.kind && isBuildOf(version, wanted.version));
    const catalogue = catalogueOf(folder);
    return (
      choose(await catalogue.get(LIST_KEPT_MS)) ?? choose(await catalogue.get(LIST_KEPT_WHEN_MISSING_MS))
    );
  };

  const obtain = async (
    folder: string,
    offer: OfferedBuild,
    onProgress?: (progress: DownloadProgress) => void,
  ) =>
    cache.withScratch(async (scratch) => {
      const path = join(scratch, 'file');
      const sha256 = await downloadChecked(folder, offer.build, path, onProgress);
      const kept = await cache.keep(path, compilerFileName(offer, platform), sha256);
      return { kind: offer.kind, version: offer.version, path: kept, sha256 };
    });

  const download = async (
    folder: string,
    { path: name }: ReleaseBuild,
    path: string,
    onProgress: ((progress: DownloadProgress) => void) | undefined,
  ): Promise<FileDigests> => {
    const url = addressOf(folder, name);
    let digest = startDigest({ withKeccak: true });
    const isThere = await downloader.file({ url, onProgress }, path, () => {
      digest = startDigest({ withKeccak: true });
      return (bytes) => digest.update(bytes);
    });
    if (!isThere)
      throw new CompilerSourceError(`${url.href} is in the list, but the server has no such file`);
    return digest.end();
  };

  const downloadChecked = async (
    folder: string,
    build: ReleaseBuild,
    path: string,
    onProgress: ((progress: DownloadProgress) => void) | undefined,
  ): Promise<string> => {
    let actual = await download(folder, build, path, onProgress);
    let mismatch = disagreement(build, actual);
    const alias = mismatch === null ? null : await readAlias(path);
    const target = catalogueOf(folder).latest?.find((offer) => offer.build.path === alias)?.build;
    if (target !== undefined) {
      actual = await download(folder, target, path, onProgress);
      mismatch = disagreement(target, actual);
    }
    if (mismatch === null) return actual.sha256;
    throw new CompilerSourceError(`${addressOf(folder, build.path).href} was not kept: ${mismatch}`);
  };

  return {
    description: `the release list ${parts.baseUrl}`,
    async fetch(wanted, onProgress): Promise<CompilerExecutable | null> {
      if (wanted.language !== 'solc') return null;
      const failures: CompilerSourceError[] = [];
      const folders = foldersOf(wanted.kind, platform);
      for (const folder of folders) {
        try {
          const offer = await lookUp(folder, wanted);
          if (offer === undefined) continue;
          const executable = await obtain(folder, offer, onProgress);
          if (offer.kind === 'wasm') return executable;
          return { ...executable, path: await copies.copy(executable.path, executable.sha256) };
        } catch (error) {
          if (!(error instanceof CompilerSourceError)) throw error;
          failures.push(error);
        }
      }
      if (failures.length === 0) {
        if (folders.some((folder) => catalogueOf(folder).latest !== null)) return null;
        throw new CompilerSourceError(`there is no list.json in ${folders.join(' or ')}`);
      }
      throw new CompilerSourceError(failures.map(({ message }) => message).join('; '), failures[0]);
    },
    async offers() {
      const versions = new Map<string, WantedBuild>();
      for (const folder of [...WASM_FOLDERS, solcPlatformName(platform)]) {
        const builds = await catalogueOf(folder).get(LIST_KEPT_MS);
        for (const { language, version, kind } of builds ?? []) {
          if (!version.includes('-')) versions.set(`${kind}/${version}`, { language, version, kind });
        }
      }
      return [...versions.values()];
    },
  };
}

function foldersOf(kind: CompilerKind, platform: Platform): readonly string[] {
  return kind === 'wasm' ? WASM_FOLDERS : [solcPlatformName(platform)];
}

function offered(build: ReleaseBuild, platform: Platform): readonly OfferedBuild[] {
  const named = readCompilerFileName(build.path, platform);
  return named?.language === 'solc' ? [{ ...named, build }] : [];
}

function disagreement({ sha256, keccak256 }: ReleaseBuild, actual: FileDigests): string | null {
  if (keccak256 === null) return 'the list has no keccak-256 of it';
  return describeMismatch({ sha256: [sha256], keccak256: [keccak256] }, actual);
}

/** The last part of the name that a short body holds; null when it holds something else. */
async function readAlias(path: string): Promise<string | null> {
  if ((await stat(path)).size > MAX_ALIAS_BYTES) return null;
  return basename((await readFile(path, 'utf8')).trim());
}
