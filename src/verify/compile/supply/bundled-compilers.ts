import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isBefore } from '../../match/version-order.ts';
import {
  type CompilerExecutable,
  type CompilerSource,
  CompilerSourceError,
  CompilerStartError,
  type ListedCompiler,
} from '../compiler-catalog.ts';
import { isBuildOf, normaliseVersion, readReportedVersion, releaseOf } from '../compiler-version.ts';
import type { PackedFile } from './packed-compilers.ts';

/** Asks a soljson file for its own version text by starting it. */
type VersionProbe = (path: string) => Promise<string>;

/** The folder `node_modules` in which the package `solc` is installed. */
export function installedPackagesFolder(): string {
  return dirname(dirname(createRequire(import.meta.url).resolve('solc/package.json')));
}

/**
 * Released soljson files: those that the build packed, and the npm packages `solc` and `solc-<version>`, which npm
 * checked at installation.
 *
 * The commit is not in a package, so a candidate is started once and asked. Of the packed ones it is known, and so is
 * their checksum; they come before a package of the same release, which only a checkout has beside them.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createBundledCompilers(
  folder: string,
  probe: VersionProbe,
  packed: readonly PackedFile[] = [],
): CompilerSource {
  const isPacked = (release: string) => packed.some(({ version }) => releaseOf(version) === release);
  const installed = () => readPackages(folder).filter(({ version }) => !isPacked(version));
  const versions = new Map<string, Promise<string | null>>();
  let packages: ReturnType<typeof readPackages> | undefined;

  const exactVersion = (path: string): Promise<string | null> => {
    const known = versions.get(path) ?? askVersion(path, probe);
    versions.set(path, known);
    // A file that does not start now may start later, for example after a lack of memory.
    known.catch(() => versions.delete(path));
    return known;
  };

  return {
    description: 'the bundled compilers and those installed from npm (packages solc and solc-*)',
    async find({ language, version, kind }): Promise<CompilerExecutable | null> {
      if (language !== 'solc' || kind !== 'wasm') return null;
      const file = packed.find((each) => isBuildOf(each.version, version));
      if (file !== undefined) {
        return { kind: 'wasm', path: file.path, sha256: file.sha256, version: file.version };
      }
      packages ??= installed();
      for (const candidate of packages) {
        if (candidate.version !== releaseOf(version)) continue;
        const exact = await exactVersion(candidate.path);
        if (exact === null || !isBuildOf(exact, version)) continue;
        return { kind: 'wasm', path: candidate.path, sha256: null, version: exact };
      }
      return null;
    },
    async list() {
      packages ??= installed();
      const compilers = packages.map(
        ({ name, version, path }): ListedCompiler => ({
          language: 'solc',
          version,
          kind: 'wasm',
          path,
          sha256: null,
          source: `npm package ${name}`,
        }),
      );
      const unpacked = packed.map(
        ({ package: name, version, path, sha256 }): ListedCompiler => ({
          ...{ language: 'solc', version, kind: 'wasm', path, sha256 },
          source: `npm package ${name}, packed`,
        }),
      );
      return { compilers: [...compilers, ...unpacked], problems: [] };
    },
  };
}

async function askVersion(path: string, probe: VersionProbe): Promise<string | null> {
  try {
    return readReportedVersion(await probe(path));
  } catch (cause) {
    throw new CompilerStartError(path, cause);
  }
}

function readPackages(folder: string) {
  try {
    return readdirSync(folder)
      .filter((name) => name === 'solc' || name.startsWith('solc-'))
      .map((name) => {
        const manifest: unknown = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
        const version = versionOf(manifest);
        return { name, version, path: join(folder, name, soljsonOf(version)) };
      })
      .filter(({ version, path }) => version !== '' && existsSync(path));
  } catch (error) {
    const reason = (error as Error).message;
    throw new CompilerSourceError(`the packages in ${folder} cannot be read: ${reason}`, error);
  }
}

/**
 * Where the soljson file lies in the package of a release; the `soljson.js` of 0.1.4 and 0.1.5 is 0.1.3.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function soljsonOf(version: string): string {
  const isBeside = !isBefore(version, '0.1.4') && isBefore(version, '0.3.2');
  return isBeside ? 'bin/soljson-latest.js' : 'soljson.js';
}

function versionOf(manifest: unknown): string {
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? normaliseVersion(String(manifest.version)) : '';
}
