import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { listProcesses, readEnvironment } from '../copies/proc-table.ts';
import { judgeOwner, ownerInEnvironment, readRunFolder, thisOwner } from '../copies/run-owner.ts';
import { kill } from './process-family.ts';

/** What a sweep found. */
interface SweptRuns {
  readonly processes: number;
  readonly folders: number;
}

/** An owner that cannot be looked at, as one in a container of before, is given this long. */
const ABANDONED_MS = 86_400_000;
const PROCESSES_PER_TURN = 25;
/** One that is killed while it starts another has a child of the same mark. */
const MAX_ROUNDS = 20;

/**
 * Ends executables whose server was killed, then removes the folders that it left in `parent`.
 *
 * A process counts as one of ours by its environment alone, which names the server that started it by number and
 * start time; those of servers that live, and of other containers, are left alone.
 */
export async function sweepAbandonedRuns(parent: string, now: number): Promise<SweptRuns> {
  let processes = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await abandonedProcesses();
    for (const pid of found) kill(pid);
    processes += round === 0 ? found.length : 0;
    if (found.length === 0) break;
  }
  const names = await readdir(parent).catch(() => []);
  let folders = 0;
  for (const name of names) {
    const path = join(parent, name);
    if (!(await isAbandoned(path, name, now))) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    folders++;
  }
  return { processes, folders };
}

async function abandonedProcesses(): Promise<readonly number[]> {
  const self = thisOwner();
  const found: number[] = [];
  for (const [index, name] of listProcesses().entries()) {
    if (index % PROCESSES_PER_TURN === 0) await setImmediate();
    const owner = ownerInEnvironment(readEnvironment(name));
    if (owner !== null && judgeOwner(owner, self) === 'gone') found.push(Number(name));
  }
  return found;
}

async function isAbandoned(path: string, name: string, now: number): Promise<boolean> {
  const owner = readRunFolder(name);
  if (owner === null) return false;
  const state = judgeOwner(owner, thisOwner());
  if (state !== 'unknown') return state === 'gone';
  // Another server may sweep at the same time.
  const changedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => now,
  );
  return now - changedAt > ABANDONED_MS;
}
