import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One process as `/proc/<pid>/stat` shows it. Ticks are hundredths of a second. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It has ended and only waits to be reaped. */
  readonly isEnded: boolean;
  /** Processor time that it took itself. */
  readonly ownTicks: number;
  /** Processor time of its children that it has reaped. */
  readonly reapedTicks: number;
  /** Since the machine started. */
  readonly startTicks: number;
}

const TICKS_PER_SECOND = 100;

/** Numbers of all processes that are visible; empty where there is no `/proc` (not Linux). */
export function listProcesses(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** @returns none for a process that ended meanwhile. */
export function readProcess(pid: number | string): readonly ProcessRow[] {
  const stat = readProc(`${pid}/stat`);
  // The name of the program stands in brackets and may hold brackets and spaces itself.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Field n of proc(5) is at n - 4 here.
  const [parent = 0, group = 0, session = 0] = rest.map(Number);
  const at = (field: number) => Number(rest[field - 4] ?? 0);
  if (rest.length < 20) return [];
  return [
    {
      pid: Number(pid),
      parent,
      group,
      session,
      isEnded: state === 'Z' || state === 'X',
      ownTicks: at(14) + at(15),
      reapedTicks: at(16) + at(17),
      startTicks: at(22),
    },
  ];
}

/** Memory that a process holds, bytes; 0 when it ended. */
export function readResidentBytes(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(`${pid}/status`))?.[1] ?? 0);
}

/** The environment that a process was started with; empty for those of other users and for ended ones. */
export function readEnvironment(pid: number | string): readonly string[] {
  return readProc(`${pid}/environ`).split('\0');
}

/** The working directory of a process, also when it was removed; null when it cannot be told. */
export function readWorkingDirectory(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

/** Now, in the count of `startTicks`; 0 where there is no `/proc`. */
export function ticksNow(): number {
  return Math.floor(TICKS_PER_SECOND * Number(/^[\d.]+/.exec(readProc('uptime'))?.[0] ?? 0));
}

/** Which processes see each other under the same numbers; `0` where there is no such thing. */
export function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    // The process ended meanwhile, or belongs to somebody else.
    return '';
  }
}
