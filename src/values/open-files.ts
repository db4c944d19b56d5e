/** Fewest with which a command starts: Node reads all that a module imports at once. */
export const MIN_OPEN_FILES = 512;
/** Below it few connections are left, which the server reports. */
const PLENTY_OF_FILES = 1024;
/** Files that are neither connections of clients nor always open: databases, compilers, chains, ledger files. */
const LARGEST_RESERVE = 1024;
const SMALLEST_RESERVE = 72;

export const HOW_TO_RAISE =
  'Raise it, for example with "ulimit -n 4096", LimitNOFILE=4096 (systemd) or --ulimit nofile=4096 (containers).';

/** Reads from the text of `/proc/self/limits` how many files and sockets may be open at once; null: any number. */
export function readOpenFilesLimit(limits: string): number | null {
  const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === '' ? null : Number(soft);
}

/** Whether a limit, null for none, leaves few connections. */
export function hasFewFiles(limit: number | null): boolean {
  return limit !== null && limit < PLENTY_OF_FILES;
}

/** How many connections leave enough for everything else; null: no bound. */
export function connectionsWithin(limit: number | null): number | null {
  if (limit === null) return null;
  const reserve = Math.min(LARGEST_RESERVE, Math.max(SMALLEST_RESERVE, Math.floor(limit / 4)));
  return Math.max(8, limit - reserve);
}

/** Whether something failed because the process (EMFILE) or the machine (ENFILE) has no file to spare. */
export function isOutOfFiles(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && (each.code === 'EMFILE' || each.code === 'ENFILE')) return true;
  }
  return false;
}
