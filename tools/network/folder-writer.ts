import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WriteFile } from './write-stream.ts';

/** Writes the files of a stream below a folder, which is made when it is missing. */
export function writeIntoFolder(folder: string): WriteFile {
  return async (path, bytes) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  };
}
