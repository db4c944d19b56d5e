import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './serve-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Packs the built project into a folder. @returns the name of the file there */
export function packInto(folder: string): string {
  ensureBuilt();
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  return readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
}

/**
 * Makes a folder look as after `npm install` of a packed file, without the network: the file is unpacked, its executable
 * is linked, and its dependencies are those of the checkout.
 */
export function installPacked(file: string, folder: string): void {
  const modules = join(folder, 'node_modules');
  const target = join(modules, 'ledgerlens');
  mkdirSync(target, { recursive: true });
  mkdirSync(join(modules, '.bin'));
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
    readonly dependencies: object;
    readonly optionalDependencies: object;
  };
  for (const [name, path] of Object.entries(manifest.bin))
    symlinkSync(join(target, path), join(modules, '.bin', name));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
}
