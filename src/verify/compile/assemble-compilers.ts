import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../values/clock.ts';
import { hostOf } from '../chain/json-rpc-client.ts';
import type { Fetch } from '../chain/json-rpc-endpoint.ts';
import type { VerifySettings } from '../verify-options.ts';
import {
  type CompilerExecutable,
  type CompilerLanguage,
  type CompilerSource,
  CompilerSourceError,
  createCompilerCatalog,
  type DownloadObserver,
} from './compiler-catalog.ts';
import { thisPlatform } from './compiler-file-name.ts';
import { type ReportedVersion, readPrintedVersion } from './compiler-version.ts';
import { createPrivateCopies, RUN_FOLDER } from './copies/private-copies.ts';
import { sweepAbandonedRuns } from './native/abandoned-runs.ts';
import { lastPart, runNativeProcess } from './native/native-process.ts';
import { createPrivateFolders, type PrivateFolders } from './native/private-folder.ts';
import type { CompilerPool } from './pool/compiler-pool.ts';
import { createBundledCompilers, installedPackagesFolder } from './supply/bundled-compilers.ts';
import { CompilerCache } from './supply/compiler-cache.ts';
import { createCompilerManagement, createCompilerStock } from './supply/compiler-management.ts';
import { createDirectoryCompilers } from './supply/directory-compilers.ts';
import { createDownloader } from './supply/downloads/download.ts';
import { readNpmRegistry, systemNpm } from './supply/downloads/npm-registry.ts';
import { createRegistryDownload } from './supply/downloads/registry-download.ts';
import { createReleaseListDownload } from './supply/downloads/release-list-download.ts';
import { packedCompilersFolder, readPackedCompilers } from './supply/packed-compilers.ts';

/** What the compilers of the server are made of. */
interface CompilerParts {
  readonly pool: CompilerPool;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options: Pick<
    VerifySettings,
    'compilerDir' | 'compilerCacheDir' | 'compilerListUrl' | 'compilerRegistry' | 'compilerMemoryMiB'
  >;
  readonly observer: DownloadObserver;
}

/** Where the Solidity project publishes its compilers; the operator's commands use it when none is configured. */
const OFFICIAL_RELEASE_LIST = 'https://binaries.soliditylang.org';

const VERSION_TIMEOUT_MS = 30_000;

/**
 * Puts sources and downloads into their order: bundled packages, the operator's folder, kept compilers, the
 * release list, the registry.
 *
 * @returns the compilers of the server, for jobs and for the operator.
 * @see design/architecture.md section 3
 */
export function assembleCompilers(parts: CompilerParts) {
  const { pool, clock, options } = parts;
  const { compilerDir: folder, compilerCacheDir, compilerListUrl } = options;
  const platform = thisPlatform;
  const cache = new CompilerCache(compilerCacheDir);
  const copies = createPrivateCopies(() => cache.folder());
  const folders = createPrivateFolders(async () => join(await cache.folder(), RUN_FOLDER));
  const downloader = createDownloader(parts.fetch);
  const bundled = createBundledCompilers(
    installedPackagesFolder(),
    (path) => pool.version(path),
    readPackedCompilers(packedCompilersFolder()),
  );
  const own =
    folder === null
      ? null
      : createDirectoryCompilers({ folder: () => folder, description: `the folder ${folder}`, copies });
  const kept = createDirectoryCompilers({
    folder: () => cache.path,
    mayBeMissing: true,
    description: `the compilers stored in ${cache.path ?? 'a temporary folder'}`,
    copies,
  });
  const sources: readonly CompilerSource[] = [bundled, ...(own === null ? [] : [own]), kept];
  const baseUrl = compilerListUrl ?? OFFICIAL_RELEASE_LIST;
  const list = createReleaseListDownload({ baseUrl, downloader, cache, copies, clock, platform });
  const registry = createRegistryDownload({
    registry: () => readNpmRegistry(systemNpm(parts.environment)),
    downloader,
    cache,
    probe: (path, sha256) => pool.version(path, sha256, false),
    clock,
  });
  const allowed = [
    ...(compilerListUrl === null
      ? []
      : [{ download: list, from: `release list of ${hostOf(compilerListUrl)}` }]),
    ...(options.compilerRegistry ? [{ download: registry, from: 'npm registry' }] : []),
  ];
  const stock = createCompilerStock({
    sources: [
      { source: bundled, availability: 'bundled', from: 'npm package' },
      ...(own === null
        ? []
        : [{ source: own, availability: 'folder' as const, from: 'folder of the operator' }]),
      { source: kept, availability: 'kept', from: 'fetched or added earlier' },
    ],
    downloads: allowed,
    clock,
  });
  return {
    catalog: createCompilerCatalog(
      sources,
      allowed.map(({ download }) => download),
      parts.observer,
    ),
    /** What jobs can have, for those who submit them. */
    stock,
    management: createCompilerManagement({
      sources,
      downloads: { list, registry },
      cache,
      copies,
      platform,
      askVersion: (executable, language) => askVersion(executable, language, folders, parts),
    }),
    /** Where executables work. */
    folders,
    /** Ends and removes what servers that were killed left of their executables. */
    sweep: () =>
      sweepAbandonedRuns(
        compilerCacheDir === null ? tmpdir() : join(compilerCacheDir, RUN_FOLDER),
        clock.now(),
      ),
    /** Removes temporary files. */
    close: () => cache.close(),
  };
}

async function askVersion(
  { kind, path, sha256 }: CompilerExecutable,
  language: CompilerLanguage,
  folders: PrivateFolders,
  { pool, options: { compilerMemoryMiB: memoryLimitMiB } }: CompilerParts,
): Promise<ReportedVersion> {
  if (kind === 'wasm') return readPrintedVersion(language, await pool.version(path, sha256, false));
  const end = await folders.with((folder) =>
    runNativeProcess({
      path,
      arguments: ['--version'],
      folder,
      stdin: '',
      timeoutMs: VERSION_TIMEOUT_MS,
      memoryLimitMiB,
      signal: new AbortController().signal,
    }),
  );
  if (end.kind !== 'exited') throw new CompilerSourceError(`it does not start: ${end.message}`);
  if (end.exitCode !== 0) {
    throw new CompilerSourceError(`"--version" exits with code ${end.exitCode}: ${lastPart(end.stderr)}`);
  }
  return readPrintedVersion(language, end.stdout.toString('utf8'));
}
