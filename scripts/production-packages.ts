import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PACKED_COMPILERS } from '../src/verify/compile/supply/packed-compilers.ts';
import { bundle } from './bundle.ts';

/** A package that an operator gets, whatever the platform. */
export interface ProductionPackage {
  /** Name under which it is published; the manifest may have it under another. */
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Folders below the project's that it may be installed in. */
  readonly folders: readonly string[];
  /** How it comes: installed by npm; as a part of it inside a file of ours; as a packed compiler. */
  readonly comes: 'installed' | 'bundled' | 'packed';
}

interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** Manifests in an old form, which npm does not copy into the lock. */
const OLD_FORM: Readonly<Record<string, string>> = { 'memorystream@0.3.1': 'MIT' };

/**
 * The packages of production as the lock file names them, and those of development that the build puts into dist.
 *
 * @returns one for each name and version, in order
 * @throws Error for a package without a licence
 */
export async function productionPackages(): Promise<readonly ProductionPackage[]> {
  const lock = JSON.parse(
    readFileSync(fileURLToPath(new URL('../package-lock.json', import.meta.url)), 'utf8'),
  ) as { packages: Readonly<Record<string, LockedPackage>> };
  const packages = new Map<string, ProductionPackage>();
  const bundled = new Set((await bundle({ writes: false })).packages);
  const packed = new Set(PACKED_COMPILERS.map((compiler) => `node_modules/${compiler.package}`));
  for (const [folder, locked] of Object.entries(lock.packages)) {
    const isInside = bundled.has(folder) || packed.has(folder);
    if (folder === '' || (locked.dev === true && !isInside)) continue;
    const name = locked.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const key = `${name}@${locked.version}`;
    const licence = locked.license ?? OLD_FORM[key];
    if (licence === undefined) throw new Error(`${key} names no licence: look it up and name it here`);
    packages.set(key, {
      name,
      version: locked.version,
      licence,
      comes: locked.dev !== true ? 'installed' : packed.has(folder) ? 'packed' : 'bundled',
      folders: [...(packages.get(key)?.folders ?? []), folder],
    });
  }
  return [...packages.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}
