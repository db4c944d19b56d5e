import { readFileSync } from 'node:fs';

/** What the main thread of a process did since its start: ran, and was ready to run while others had the processors. */
export interface MainThread {
  readonly ranMs: number;
  readonly waitedMs: number;
}

/** Null where the system does not tell (everywhere but on Linux). */
export function mainThreadOf(pid: number | undefined): MainThread | null {
  if (process.platform !== 'linux') return null;
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
    .split(' ')
    .map((nanoseconds) => Math.round(Number(nanoseconds) / 1e6));
  return { ranMs: ran, waitedMs: waited };
}
