import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few MiB that can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Writes until not one more byte fits. */
  fill(): void;
  /** Gives the space back. */
  free(): void;
  remove(): void;
}

const BALLAST = 'ballast';

/** Mounts it in memory. @returns null, with the reason printed, where that is not allowed. */
export function mountSmallDisk(mebibytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'ledgerlens', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    console.log(`skipped: no file system can be mounted here: ${mounted.stderr ?? mounted.error?.message}`);
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    fill() {
      const file = openSync(join(folder, BALLAST), 'a');
      try {
        for (let size = 1_048_576; size >= 1; ) {
          try {
            writeSync(file, Buffer.alloc(size));
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            size = Math.floor(size / 2);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(join(folder, BALLAST), { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
