import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { once } from '../../src/values/once.ts';
import { compilerFileName, thisPlatform } from '../../src/verify/compile/compiler-file-name.ts';
import { CHECKSUM_ENDING } from '../../src/verify/compile/supply/checksum-lists.ts';

const VERSIONS = [
  '0.1.3+commit.028f561d',
  '0.3.6+commit.3fc68da5',
  '0.4.7+commit.822622cf',
  '0.8.18+commit.87f61d96',
  '0.8.26+commit.8a97fa7a',
  '0.8.28+commit.7893614a',
];

const compilers = once(() =>
  VERSIONS.map((version) => {
    const path = createRequire(import.meta.url).resolve(`solc-${version.split('+')[0]}/soljson.js`);
    const file = compilerFileName({ language: 'solc', version, kind: 'wasm' }, thisPlatform);
    return { path, file, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  }),
);

/** Puts the compilers of recorded vectors that the product does not bundle into a folder, as an operator does. */
export function putVectorCompilers(folder: string): void {
  for (const { path, file, sha256 } of compilers()) {
    symlinkSync(path, join(folder, file));
    writeFileSync(join(folder, `${file}${CHECKSUM_ENDING}`), `${sha256}  ${file}\n`);
  }
}
