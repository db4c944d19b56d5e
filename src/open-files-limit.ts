import { readFileSync } from 'node:fs';
import { readOpenFilesLimit } from './values/open-files.ts';

/** How many files and sockets this process may have open at once; null where the system does not tell. */
export function openFilesLimit(): number | null {
  try {
    return readOpenFilesLimit(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    // Only Linux has the file.
    return null;
  }
}
