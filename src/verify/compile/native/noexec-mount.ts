import { readFileSync } from 'node:fs';

/**
 * Says that a program lies on a file system from which nothing may be started, as a volume often is.
 *
 * @param mounts lines of `/proc/self/mounts`; absent: those of this machine, none where there is no such file.
 * @returns null when that is not the reason why it does not start.
 */
export function explainNoexec(path: string, mounts: string = readMounts()): string | null {
  const place = mountOf(path, mounts);
  if (place?.options.includes('noexec') !== true) return null;
  return `${path} is on ${place.folder}, which is mounted noexec; mount it without noexec, or set VERIFY_COMPILER_CACHE_DIR to another folder`;
}

interface Mount {
  readonly folder: string;
  readonly options: readonly string[];
}

/** The longest folder that holds the path; of several mounts on one folder the last covers the others. */
function mountOf(path: string, mounts: string): Mount | null {
  let found: Mount | null = null;
  for (const line of mounts.split('\n')) {
    const [, escaped, , options] = line.split(' ');
    if (escaped === undefined || options === undefined) continue;
    const folder = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isInside = path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
    if (isInside && folder.length >= (found?.folder.length ?? 0)) {
      found = { folder, options: options.split(',') };
    }
  }
  return found;
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return '';
  }
}
