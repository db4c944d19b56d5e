import { setImmediate } from 'node:timers/promises';
import {
  listProcesses,
  type ProcessRow,
  readEnvironment,
  readProcess,
  readResidentBytes,
  readWorkingDirectory,
} from '../copies/proc-table.ts';
import { runMark } from '../copies/run-owner.ts';

/** How the processes of one run are recognised. */
export interface FamilyMarks {
  readonly leader: number;
  /** Private folder of the run; its name stands in the environment of the leader. */
  readonly folder: string;
  /** Older processes cannot belong to the run: when it began, ticks since the machine started. */
  readonly sinceTicks: number;
}

/** Each costs up to 40 microseconds, and a large machine has thousands. */
const ROWS_PER_TURN = 25;
const MS_PER_TICK = 10;

/**
 * Lists the living processes of a run: the group, session and descendants of its leader, and those that left all of
 * these but kept the environment or the working directory of the run.
 *
 * Reads `/proc` at one go; where there is none (not Linux) only the leader itself is known.
 */
export function processFamily(marks: FamilyMarks): readonly ProcessRow[] {
  return familyOf(marks, listProcesses().flatMap(readProcess));
}

/** The same in many turns, between which requests are answered; what starts meanwhile may be missing. */
export async function processFamilyInTurns(
  marks: FamilyMarks,
  rowsPerTurn = ROWS_PER_TURN,
): Promise<readonly ProcessRow[]> {
  const names = listProcesses();
  const rows: ProcessRow[] = [];
  for (let start = 0; start < names.length; start += rowsPerTurn) {
    if (start > 0) await setImmediate();
    rows.push(...names.slice(start, start + rowsPerTurn).flatMap(readProcess));
  }
  return familyOf(marks, rows);
}

function familyOf(marks: FamilyMarks, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const { leader, sinceTicks } = marks;
  const young = rows.filter(({ startTicks }) => startTicks >= sinceTicks);
  const family = new Set([leader]);
  const addRelatives = () => {
    for (let before = 0; before !== family.size; ) {
      before = family.size;
      for (const { pid, parent, group, session } of young) {
        if (group === leader || session === leader || family.has(parent)) family.add(pid);
      }
    }
  };
  addRelatives();
  for (const { pid } of young) if (!family.has(pid) && isMarked(pid, marks)) family.add(pid);
  addRelatives();
  return young.filter(({ pid, isEnded }) => family.has(pid) && !isEnded);
}

/** A daemon has another parent, group and session, but seldom another environment and working directory too. */
function isMarked(pid: number, { folder }: FamilyMarks): boolean {
  if (readEnvironment(pid).includes(runMark(folder).join('='))) return true;
  const directory = readWorkingDirectory(pid);
  return directory !== null && (directory === folder || directory.startsWith(`${folder}/`));
}

/** Memory that processes hold together, bytes; 0 for those that ended and where there is no `/proc`. */
export function residentBytes(family: readonly ProcessRow[]): number {
  return family.reduce((sum, { pid }) => sum + readResidentBytes(pid), 0);
}

/** Processor time that living processes and those that they have reaped have used together, milliseconds. */
export function cpuMs(family: readonly ProcessRow[]): number {
  return family.reduce((sum, { ownTicks, reapedTicks }) => sum + ownTicks + reapedTicks, 0) * MS_PER_TICK;
}
