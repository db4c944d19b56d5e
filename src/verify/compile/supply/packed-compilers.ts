import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFile } from '../../../own-files.ts';
import { PACKED_ENDING } from '../pool/soljson-file.ts';

/** A soljson file of an npm package that `npm run build` packs, so that nobody has to install the package. */
export interface PackedCompiler {
  /** Package that the build takes it from. */
  readonly package: string;
  /** Full version such as `0.8.30+commit.73712a01`. */
  readonly version: string;
  /** SHA-256 of the file before it is packed, hex. */
  readonly sha256: string;
}

/** One that was packed. */
export interface PackedFile extends PackedCompiler {
  readonly path: string;
}

/** The compilers that the build packs. */
export const PACKED_COMPILERS = JSON.parse(
  readFileSync(ownFile('verify/compile/supply/packed-compilers.json'), 'utf8'),
) as readonly PackedCompiler[];

/** Where a built server has its packed compilers. */
export function packedCompilersFolder(): string {
  return fileURLToPath(ownFile('verify/compile/supply/packed/'));
}

/** Path of a packed compiler in a folder. */
export function packedPath(folder: string, { version }: PackedCompiler): string {
  return join(folder, `soljson-v${version}.js${PACKED_ENDING}`);
}

/** The packed compilers that are in a folder; none where nothing was built. */
export function readPackedCompilers(folder: string): readonly PackedFile[] {
  return PACKED_COMPILERS.map((each) => ({ ...each, path: packedPath(folder, each) })).filter(({ path }) =>
    existsSync(path),
  );
}
