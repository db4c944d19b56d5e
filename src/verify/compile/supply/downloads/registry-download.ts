import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Clock } from '../../../../values/clock.ts';
import { isJsonObject, type JsonObject } from '../../../json-object.ts';
import {
  type CompilerDownload,
  type CompilerExecutable,
  CompilerSourceError,
  type DownloadProgress,
  type WantedBuild,
} from '../../compiler-catalog.ts';
import { compilerFileName, thisPlatform } from '../../compiler-file-name.ts';
import { isBuildOf, normaliseVersion, readReportedVersion, releaseOf } from '../../compiler-version.ts';
import { soljsonOf } from '../bundled-compilers.ts';
import type { CompilerCache } from '../compiler-cache.ts';
import { DOWNLOAD_LIMITS, type Downloader } from './download.ts';
import { createKeptList } from './kept-list.ts';
import type { NpmRegistry } from './npm-registry.ts';

/** Asks a soljson file with the given SHA-256 for its own version text by starting it in a thread. */
type CheckedVersionProbe = (path: string, sha256: string) => Promise<string>;

/** What the download from a registry is made of. */
interface RegistryParts {
  /** Asked once, at the first download. */
  readonly registry: () => Promise<NpmRegistry>;
  readonly downloader: Downloader;
  readonly cache: CompilerCache;
  readonly probe: CheckedVersionProbe;
  readonly clock: Clock;
}

interface PublishedPackage {
  readonly release: string;
  readonly tarball: string;
  /** Base64 SHA-512 values, of which one must be that of the tarball. */
  readonly sha512: readonly string[];
}

const PACKAGE = 'solc';
const PACKAGES_KEPT_MS = 60_000;
/** The short form of a package document, which has all that is needed. */
const SHORT_DOCUMENT = 'application/vnd.npm.install-v1+json';

/**
 * Compilers in the packages `solc` of the registry that npm is configured for.
 *
 * The SHA-512 of the package is checked before it is unpacked. A package does not tell its commit, so its
 * compiler is started once and asked; it is kept under the version that it names.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createRegistryDownload(parts: RegistryParts): CompilerDownload {
  const { downloader, cache, probe, clock } = parts;
  let known: Promise<NpmRegistry> | null = null;
  const registry = () => {
    known ??= parts.registry();
    // npm may be installed or configured before the next job.
    known.catch(() => {
      known = null;
    });
    return known;
  };

  const readPackages = async (): Promise<readonly PublishedPackage[]> => {
    const { url, headers } = await registry();
    const text = await downloader.text({
      url: new URL(PACKAGE, url),
      headers: { ...headers, accept: SHORT_DOCUMENT },
    });
    if (text === null) throw new CompilerSourceError(`${url.origin} has no package ${PACKAGE}`);
    return readDocument(text);
  };
  const published = createKeptList('the list of the registry', readPackages, clock);

  const obtain = (
    { release, tarball, sha512 }: PublishedPackage,
    onProgress: ((progress: DownloadProgress) => void) | undefined,
  ): Promise<CompilerExecutable> =>
    cache.withScratch(async (scratch) => {
      const { url: base, headers } = await registry();
      const url = tarballAddress(tarball, release, base);
      const packed = join(scratch, 'package.tgz');
      let digest = createHash('sha512');
      const isThere = await downloader.file({ url, headers, onProgress }, packed, () => {
        digest = createHash('sha512');
        return (bytes) => digest.update(bytes);
      });
      if (!isThere) throw new CompilerSourceError(`the registry has no file ${url.pathname}`);
      const actual = digest.digest('base64');
      if (!sha512.includes(actual)) {
        throw new CompilerSourceError(
          `${url.pathname} was not unpacked: its SHA-512 is ${actual}, the registry has ${sha512.join(' or ') || 'none'}`,
        );
      }
      const soljson = await unpack(await readFile(packed), release);
      const path = join(scratch, 'soljson.js');
      await writeFile(path, soljson, { mode: 0o600 });
      const sha256 = createHash('sha256').update(soljson).digest('hex');
      const version = await askVersion(path, sha256, release, probe);
      const name = compilerFileName({ language: 'solc', version, kind: 'wasm' }, thisPlatform);
      return { kind: 'wasm', version, path: await cache.keep(path, name, sha256), sha256 };
    });

  /** Versions that packages turned out to have, so that a wrong commit is not downloaded again and again. */
  const versions = new Map<string, string>();

  /** @returns the compiler of a package if it is the wanted one, else a sentence why not. */
  const obtainOnce = async (
    candidate: PublishedPackage,
    version: string,
    onProgress: ((progress: DownloadProgress) => void) | undefined,
  ): Promise<CompilerExecutable | string> => {
    const { release } = candidate;
    const before = versions.get(release);
    if (before !== undefined && !isBuildOf(before, version)) return `its ${release} is ${before}`;
    try {
      const executable = await obtain(candidate, onProgress);
      versions.set(release, executable.version);
      return isBuildOf(executable.version, version) ? executable : `its ${release} is ${executable.version}`;
    } catch (error) {
      if (error instanceof CompilerSourceError) return error.message;
      throw error;
    }
  };

  return {
    description: 'the registry that npm is configured for',
    async fetch({ language, version, kind }: WantedBuild, onProgress): Promise<CompilerExecutable | null> {
      if (language !== 'solc' || kind !== 'wasm') return null;
      const packages = await published.get(PACKAGES_KEPT_MS);
      const release = releaseOf(version);
      const reasons: string[] = [];
      // A release may have been published again under a second name, or under numbered ones only.
      const candidates = packages.filter((each) => releaseOf(each.release) === release);
      for (const candidate of candidates.sort((one, other) => byName(one.release, other.release))) {
        const found = await obtainOnce(candidate, version, onProgress);
        if (typeof found === 'object') return found;
        reasons.push(found);
      }
      if (reasons.length > 0) throw new CompilerSourceError(reasons.join(', '));
      return null;
    },
    async offers() {
      const packages = await published.get(PACKAGES_KEPT_MS);
      const offered = packages.map(({ release }) => normaliseVersion(release));
      return [...new Set(offered)].map((version) => ({ language: 'solc', version, kind: 'wasm' }));
    },
  };
}

/** The plain name first, then `-fixed`, then numbers, the highest first. */
function byName(left: string, right: string): number {
  const rank = (name: string) => Number(name.includes('-')) + Number(/-\d+$/.test(name));
  return rank(left) - rank(right) || right.localeCompare(left, 'en', { numeric: true });
}

/** Some registries name the file on another host; credentials go nowhere else, so it is asked for here. */
function tarballAddress(tarball: string, release: string, base: URL): URL {
  const isHere = URL.canParse(tarball) && new URL(tarball).origin === base.origin;
  return isHere ? new URL(tarball) : new URL(`${PACKAGE}/-/${PACKAGE}-${release}.tgz`, base);
}

function readDocument(text: string): readonly PublishedPackage[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new CompilerSourceError('the response of the registry is not JSON', error);
  }
  const versions = isJsonObject(document) ? document['versions'] : undefined;
  if (!isJsonObject(versions))
    throw new CompilerSourceError('the response of the registry is not a list of versions');
  return Object.entries(versions).flatMap(([release, entry]) => readPackage(release, entry));
}

function readPackage(release: string, entry: unknown): readonly PublishedPackage[] {
  if (!/^\d{1,5}\.\d{1,5}\.\d{1,5}(-fixed|-\d{1,2})?$/.test(release) || !isJsonObject(entry)) return [];
  const dist: JsonObject = isJsonObject(entry['dist']) ? entry['dist'] : {};
  const integrity = typeof dist['integrity'] === 'string' ? dist['integrity'] : '';
  const sha512 = integrity.split(/\s+/).flatMap((hash) => /^sha512-([0-9A-Za-z+/=]+)/.exec(hash)?.[1] ?? []);
  return [{ release, tarball: typeof dist['tarball'] === 'string' ? dist['tarball'] : '', sha512 }];
}

async function unpack(packed: Buffer, release: string): Promise<Uint8Array> {
  const member = `package/${soljsonOf(release)}`;
  let soljson: Uint8Array | null;
  try {
    const archive = await promisify(gunzip)(packed, { maxOutputLength: DOWNLOAD_LIMITS.maxBytes });
    soljson = readTarMember(archive, member);
  } catch (error) {
    const reason = (error as Error).message;
    throw new CompilerSourceError(`the package ${PACKAGE} ${release} cannot be unpacked: ${reason}`, error);
  }
  if (soljson === null)
    throw new CompilerSourceError(`the package ${PACKAGE} ${release} has no file ${member}`);
  return soljson;
}

async function askVersion(
  path: string,
  sha256: string,
  release: string,
  probe: CheckedVersionProbe,
): Promise<string> {
  let reported: string;
  try {
    reported = await probe(path, sha256);
  } catch (error) {
    const reason = (error as Error).message;
    throw new CompilerSourceError(
      `the compiler in the package ${PACKAGE} ${release} does not start: ${reason}`,
      error,
    );
  }
  const version = readReportedVersion(reported);
  if (version !== null) return version;
  throw new CompilerSourceError(
    `the compiler in the package ${PACKAGE} ${release} does not report its version`,
  );
}

const BLOCK_BYTES = 512;
const REGULAR_FILE = new Set(['0', '\0']);

/**
 * Takes one file out of an unpacked tar archive (ustar, as npm packages are).
 *
 * @param name path inside the archive, for example `package/soljson.js`.
 * @returns a view of its bytes; null when the archive has no such file or ends too early.
 */
export function readTarMember(archive: Uint8Array, name: string): Uint8Array | null {
  let offset = 0;
  while (offset + BLOCK_BYTES <= archive.length) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    const size = readOctal(header.subarray(124, 136));
    if (size === null) return null;
    const begin = offset + BLOCK_BYTES;
    const type = String.fromCharCode(header[156] ?? 0);
    if (REGULAR_FILE.has(type) && readName(header) === name) {
      return begin + size <= archive.length ? archive.subarray(begin, begin + size) : null;
    }
    offset = begin + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return null;
}

function readName(header: Uint8Array): string {
  const prefix = readText(header.subarray(345, 500));
  const name = readText(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return Buffer.from(end < 0 ? field : field.subarray(0, end)).toString('utf8');
}

function readOctal(field: Uint8Array): number | null {
  const text = readText(field).trim();
  if (text === '') return 0;
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : null;
}
