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
  const { XDG_CACHE_HOME: given = '' } = process.env;
  // Not the folder for temporary files: others may write there, and what is in it is run.
  const folder = given === '' ? join(homedir(), '.cache') : given;
  // Node makes missing folders, also where there is no home.
  if (existsSync(dirname(folder))) enableCompileCache?.(join(folder, 'ledgerlens'));
}
