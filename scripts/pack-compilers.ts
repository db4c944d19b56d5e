import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import {
  PACKED_COMPILERS,
  type PackedCompiler,
  packedPath,
} from '../src/verify/compile/supply/packed-compilers.ts';

const require = createRequire(import.meta.url);
const compress = promisify(brotliCompress);

/** Packs the soljson files of development packages into a folder, where the built server finds them. */
export async function packCompilers(folder: string, compilers = PACKED_COMPILERS): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all(compilers.map((each) => pack(each, folder)));
}

async function pack(compiler: PackedCompiler, folder: string): Promise<void> {
  const target = packedPath(folder, compiler);
  if (existsSync(target)) return;
  const bytes = readFileSync(require.resolve(`${compiler.package}/soljson.js`));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== compiler.sha256)
    throw new Error(`${compiler.package} has the SHA-256 ${sha256}: not packed`);
  // Quality 9 would take ten times as long and save a twentieth.
  const packed = await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  writeFileSync(`${target}.${process.pid}`, packed);
  renameSync(`${target}.${process.pid}`, target);
}
