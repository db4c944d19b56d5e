// Last part of `npm run build`: what stands in for development packages where the package is installed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundledLicences, bundlePackages } from './bundled-packages.ts';
import { packCompilers } from './pack-compilers.ts';

rmSync('dist/bundled', { recursive: true, force: true });
mkdirSync('dist/bundled', { recursive: true });
const packing = packCompilers('dist/verify/compile/supply/packed');
const folders = bundlePackages({ writes: true });
writeFileSync('dist/bundled/licences.txt', bundledLicences(folders));
await packing;
