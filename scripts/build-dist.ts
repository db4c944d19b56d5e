// Writes dist: the bundle, the data files that the code reads at run time, and, with the argument `package`, the
// compilers that stand in for development packages where the package is installed.
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundledLicences } from './bundle.ts';
import { packCompilers } from './pack-compilers.ts';

const ASSETS = /\.(json|browser\.js)$/;
const SCRIPTS = /\.js(\.map)?$/;

const filesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

const packing = process.argv[2] === 'package' ? packCompilers('dist/verify/compile/supply/packed') : null;
const { outputs, packages } = await bundle({ writes: true });
const assets = filesOf('src').filter((path) => ASSETS.test(path));
const copies = assets.map((path) => join('dist', path.slice('src/'.length)));
for (const [index, path] of assets.entries()) cpSync(path, copies[index] ?? '');
mkdirSync('dist/bundled', { recursive: true });
writeFileSync('dist/bundled/licences.txt', bundledLicences(packages));
const written = new Set([...outputs, ...copies]);
// Names of chunks change with their contents.
for (const path of filesOf('dist')) if (SCRIPTS.test(path) && !written.has(path)) rmSync(path);
await packing;
chmodSync('dist/main.js', 0o755);
// The newest file: a build that broke off is repeated.
utimesSync('dist/main.js', new Date(), new Date());
