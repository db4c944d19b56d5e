import { setTimeout as pause } from 'node:timers/promises';
import { type FamilyMarks, processFamily, processFamilyInTurns } from './process-family.ts';

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
