import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the page file of a database lies; null for one in memory, which has none. */
export function pageFolder(databasePath: string): string | null {
  return databasePath === ':memory:' ? null : `${databasePath}-pages`;
}

/** Bytes of the files in a folder; 0 when it is not there. */
export function folderBytes(folder: string): number {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  return names.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
