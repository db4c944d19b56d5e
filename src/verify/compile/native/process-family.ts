import { setTimeout as pause, setImmediate } from 'node:timers/promises';
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
function residentBytes(family: readonly ProcessRow[]): number {
  return family.reduce((sum, { pid }) => sum + readResidentBytes(pid), 0);
}

/** Processor time that living processes and those that they have reaped have used together, milliseconds. */
function cpuMs(family: readonly ProcessRow[]): number {
  return family.reduce((sum, { ownTicks, reapedTicks }) => sum + ownTicks + reapedTicks, 0) * MS_PER_TICK;
}

/** What the processes of a run may take together. */
interface FamilyLimits {
  /** Processor time, milliseconds. */
  readonly cpuMs: number;
  /** Resident memory. */
  readonly bytes: number;
}

const LOOK_MS = 250;

/** Looks four times a second at what the processes of a run have taken. */
export class FamilyWatch {
  readonly #marks: FamilyMarks;
  readonly #limits: FamilyLimits;
  readonly #onLimit: (limit: 'time' | 'memory') => void;
  #timer: NodeJS.Timeout;
  #isOpen = true;
  #usedMs = 0;
  #seenAt = performance.now();

  /** @param onLimit called once. */
  constructor(marks: FamilyMarks, limits: FamilyLimits, onLimit: (limit: 'time' | 'memory') => void) {
    this.#marks = marks;
    this.#limits = limits;
    this.#onLimit = onLimit;
    this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  /**
   * Processor time until the last look, and what the clock shows since then: how much an ended process used is not to
   * be had.
   */
  get usedMs(): number {
    return this.#usedMs + performance.now() - this.#seenAt;
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const seenAt = performance.now();
    const family = await processFamilyInTurns(this.#marks);
    if (!this.#isOpen) return;
    // Empty where there is no list of processes: the clock counts then.
    if (family.length > 0) {
      // Less than before when one has ended that nobody reaped.
      this.#usedMs = Math.max(this.#usedMs, cpuMs(family));
      this.#seenAt = seenAt;
    }
    // How long looking took is not the compiler's time.
    const usedMs = family.length > 0 ? this.#usedMs : this.usedMs;
    if (usedMs >= this.#limits.cpuMs) this.#onLimit('time');
    else if (residentBytes(family) > this.#limits.bytes) this.#onLimit('memory');
    else this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }
}

const PAUSE_MS = 5;
/** About a second: what takes longer to die hangs in the kernel. */
const MAX_ROUNDS = 200;

/** Kills a run that is under way with everything that it started. */
export function killFamily(marks: FamilyMarks): void {
  const { leader } = marks;
  // Found before the first is killed: orphans have another parent.
  const pids = processFamily(marks).map(({ pid }) => pid);
  for (const target of [-leader, leader, ...pids]) kill(target);
}

/**
 * Kills what a run left behind whose leader has ended; looks again until nothing is left.
 *
 * The number of the leader may belong to somebody else by now.
 */
export async function killLeftovers(marks: FamilyMarks): Promise<void> {
  kill(-marks.leader);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const family = await processFamilyInTurns(marks);
    const left = family.filter(({ pid }) => pid !== marks.leader);
    if (left.length === 0) return;
    for (const { pid } of left) kill(pid);
    await pause(PAUSE_MS);
  }
}

/** Ends a process, or a group by its negative number. */
export function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile; that is all that was wanted.
  }
}
