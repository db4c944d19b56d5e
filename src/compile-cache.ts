import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { RUNS_SOURCES } from './own-files.ts';

/** Keeps compiled code for the next start, from Node 22.1 on; a folder that cannot be written is no fault. */
export function keepCompiledCode(): void {
  if (!isMainThread || RUNS_SOURCES) return;
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  const folder = cacheFolder();
  // Node makes missing folders, also where there is no home.
  if (folder !== null && existsSync(dirname(folder))) enableCompileCache?.(join(folder, 'ledgerlens'));
}

/** Not the folder for temporary files: others may write there, and what is in it is run. @returns null without a home. */
export function cacheFolder(given = process.env['XDG_CACHE_HOME'] ?? '', home = homedir): string | null {
  if (given !== '') return given;
  try {
    return join(home(), '.cache');
  } catch {
    // HOME is unset, and the system does not know the user.
    return null;
  }
}
