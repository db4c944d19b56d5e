import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../values/clock.ts';
import { type KeptOutput, type OutputCache, packOutput, unpackOutput } from './output-cache.ts';

interface KeptFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly isFinished: boolean;
}

/** A sweep leaves some room, so that it is not needed for each output. */
const SWEEP_TO = 0.9;
/** A file that was begun this long ago belongs to a process that has ended, milliseconds. */
const ABANDONED_MS = 3_600_000;
/** Nothing else in the folder is touched. */
const FILE_NAME = /^[0-9a-f]{64}\.(?:output|[0-9A-Za-z-]+\.unfinished)$/;

/**
 * Keeps outputs in a folder, one file each.
 *
 * Files appear whole. One that is damaged counts as absent, the next compilation replaces it. Several
 * processes may share a folder.
 *
 * @param folder made with the first output; may be emptied or deleted at any time, also while the server runs.
 * @param maxBytes size of all files together.
 * @param clock orders the files by their last use; that of the machine, which dates what is being written.
 * @param newId makes the names of files that are being written unique.
 */
export function createDiskOutputCache(
  folder: string,
  maxBytes: number,
  clock: Clock,
  newId: () => string,
): OutputCache {
  /** Null until the files of earlier runs were counted. */
  let totalBytes: number | null = null;
  let sweeping = Promise.resolve();
  const writing = new Set<Promise<void>>();

  const pathOf = (key: string) => join(folder, `${key}.output`);
  const markUsed = async (path: string): Promise<void> => {
    const now = clock.now() / 1000;
    // Only a hint which file goes first: it may be gone, or not ours to change.
    await utimes(path, now, now).catch(() => {});
  };

  const sweep = async (): Promise<void> => {
    const files = await listFiles(folder);
    const goal = sumOf(files) > maxBytes ? maxBytes * SWEEP_TO : maxBytes;
    let remaining = sumOf(files);
    for (const { path, size, usedAt, isFinished } of files) {
      const isLeftOver = !isFinished && usedAt < clock.now() - ABANDONED_MS;
      if (!isLeftOver && (remaining <= goal || !isFinished)) continue;
      await unlink(path).catch(expectAbsent);
      remaining -= size;
    }
    totalBytes = remaining;
  };

  const write = async (key: string, output: KeptOutput): Promise<void> => {
    // The job that made it goes first.
    await setImmediate();
    const bytes = await packOutput(output);
    if (bytes.length > maxBytes) return;
    await mkdir(folder, { recursive: true });
    const unfinished = join(folder, `${key}.${newId()}.unfinished`);
    try {
      await writeFile(unfinished, bytes);
      await rename(unfinished, pathOf(key));
    } catch (error) {
      // A full disk must not keep its half of the file; the fault itself is what is told.
      await unlink(unfinished).catch(() => {});
      throw error;
    }
    await markUsed(pathOf(key));
    if (totalBytes !== null) totalBytes += bytes.length;
    if (totalBytes !== null && totalBytes <= maxBytes) return;
    // One after the other; who comes after a failed sweep tries again.
    sweeping = sweeping.then(sweep, sweep);
    await sweeping;
  };

  return {
    async read(key) {
      // The usual case. To hear it of another thread takes longer than all else that comes before compiling.
      if (!existsSync(pathOf(key))) return null;
      const file = await readFile(pathOf(key)).catch(expectAbsent);
      if (file === undefined) return null;
      const [output] = await Promise.all([unpackOutput(file), markUsed(pathOf(key))]);
      return output;
    },
    write(key, output) {
      const written = write(key, output);
      writing.add(written);
      return written.finally(() => writing.delete(written));
    },
    async settled() {
      await Promise.allSettled(writing);
    },
  };
}

/** Files of the cache, least recently used first. */
async function listFiles(folder: string): Promise<readonly KeptFile[]> {
  const files: KeptFile[] = [];
  for (const name of (await readdir(folder).catch(expectAbsent)) ?? []) {
    if (!FILE_NAME.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(expectAbsent);
    if (found === undefined) continue;
    files.push({ path, size: found.size, usedAt: found.mtimeMs, isFinished: name.endsWith('.output') });
  }
  return files.sort((left, right) => left.usedAt - right.usedAt);
}

function sumOf(files: readonly KeptFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Somebody else may delete files at any time. */
function expectAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
  throw error;
}
