import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runFolderPrefix, thisOwner } from '../copies/run-owner.ts';

/** Folders for the work of executables, one for each run. */
export type PrivateFolders = ReturnType<typeof createPrivateFolders>;

/**
 * Makes the folders below `parent()`, under names that tell whose they are.
 *
 * @see docs/adr/0013-compilers.md
 */
export function createPrivateFolders(parent: () => Promise<string>) {
  const prefix = runFolderPrefix(thisOwner());
  return {
    /** Gives work a folder that only this user can read, and removes it with all it holds afterwards. */
    async with<T>(work: (folder: string) => Promise<T>): Promise<T> {
      const place = await parent();
      await mkdir(place, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(place, prefix));
      try {
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}
