import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { once } from '../../src/values/once.ts';
import { compilerFileName, thisPlatform } from '../../src/verify/compile/compiler-file-name.ts';
import { CHECKSUM_ENDING } from '../../src/verify/compile/supply/directory-compilers.ts';

const VERSIONS = [
  '0.1.3+commit.028f561d',
  '0.3.6+commit.3fc68da5',
  '0.4.7+commit.822622cf',
  '0.8.18+commit.87f61d96',
  '0.8.26+commit.8a97fa7a',
  '0.8.28+commit.7893614a',
];

interface CompilerFile {
  readonly path: string;
  readonly file: string;
  readonly sha256: string;
}

const compilers = once(() =>
  VERSIONS.map((version) =>
    compilerFile(version, createRequire(import.meta.url).resolve(`solc-${version.split('+')[0]}/soljson.js`)),
  ),
);

function compilerFile(version: string, path: string): CompilerFile {
  const file = compilerFileName({ language: 'solc', version, kind: 'wasm' }, thisPlatform);
  return { path, file, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

/** Puts the compilers of recorded vectors that the product does not bundle into a folder, as an operator does. */
export function putVectorCompilers(folder: string): void {
  for (const compiler of compilers()) put(folder, compiler);
}

/** Puts another one there. @param path of its `soljson.js` */
export function putCompiler(folder: string, version: string, path: string): void {
  put(folder, compilerFile(version, path));
}

function put(folder: string, { file, path, sha256 }: CompilerFile): void {
  symlinkSync(path, join(folder, file));
  writeFileSync(join(folder, `${file}${CHECKSUM_ENDING}`), `${sha256}  ${file}\n`);
}
