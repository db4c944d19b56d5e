import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Each costs up to 40 microseconds, and a large machine has thousands. */
const ROWS_PER_TURN = 25;

/**
 * Lists a process with everything that it started: its group, its session and its descendants.
 *
 * Reads `/proc` at one go; where there is none (not Linux) only the process itself is known.
 */
export function processFamily(leader: number): readonly number[] {
  return familyOf(leader, procFolder().flatMap(processRow));
}

/** The same in many turns, between which requests are answered; what starts meanwhile may be missing. */
export async function processFamilyInTurns(
  leader: number,
  rowsPerTurn = ROWS_PER_TURN,
): Promise<readonly number[]> {
  const names = procFolder();
  const rows: ProcessRow[] = [];
  for (let start = 0; start < names.length; start += rowsPerTurn) {
    if (start > 0) await setImmediate();
    rows.push(...names.slice(start, start + rowsPerTurn).flatMap(processRow));
  }
  return familyOf(leader, rows);
}

function familyOf(leader: number, rows: readonly ProcessRow[]): readonly number[] {
  const family = new Set([leader]);
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const { pid, parent, group, session } of rows) {
      if (group === leader || session === leader || family.has(parent)) family.add(pid);
    }
  }
  return [...family];
}

/** Memory that processes hold together, bytes; 0 for those that ended and where there is no `/proc`. */
export function residentBytes(pids: readonly number[]): number {
  const kibibytes = pids.map((pid) =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(`${pid}/status`))?.[1] ?? 0),
  );
  return 1024 * kibibytes.reduce((sum, each) => sum + each, 0);
}

/** None for a process that ended meanwhile. */
function processRow(name: string): readonly ProcessRow[] {
  const stat = readProc(`${name}/stat`);
  // The name of the program stands in brackets and may hold brackets and spaces itself.
  const [, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return session === undefined
    ? []
    : [{ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }];
}

function procFolder(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // Not Linux.
    return [];
  }
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    // The process ended meanwhile.
    return '';
  }
}
