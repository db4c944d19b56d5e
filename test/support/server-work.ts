import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the processors did for a server and its database. */
export interface ServerWork {
  /** Processor time, seconds. */
  readonly ran: number;
  /** How long their threads were ready to run but others had the processors, seconds. */
  readonly waited: number;
}

const TICKS_PER_SECOND = 100;

/** Work of a server since its start, that of a PostgreSQL cluster of a test included; Linux tells it. */
export function serverWork(pid: number | undefined, databaseUrl: string): ServerWork {
  const own = [workOf(String(pid))];
  // A URL with a socket's folder in the place of its host is none to `URL`.
  const [, encoded] = /^postgres:.*[?&]host=([^&]*)/.exec(databaseUrl) ?? [];
  if (encoded === undefined) return sum(own);
  const socketFolder = decodeURIComponent(encoded);
  const [postmaster = ''] = readFileSync(join(socketFolder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .split(' ')
    .filter(Boolean);
  return sum([...own, workOf(postmaster), ...backends.map(workOf)]);
}

/** The work between two looks. */
export function workSince(before: ServerWork, now: ServerWork): ServerWork {
  return { ran: now.ran - before.ran, waited: now.waited - before.waited };
}

/** Of a process and of its children that have ended; nothing once it is gone. */
function workOf(pid: string): ServerWork {
  try {
    // The name in brackets may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => waitedOf(pid, thread));
    return {
      ran: ticks / TICKS_PER_SECOND,
      waited: nanoseconds.reduce((total, each) => total + each, 0) / 1e9,
    };
  } catch (error) {
    if (isGone(error)) return { ran: 0, waited: 0 };
    throw error;
  }
}

function waitedOf(pid: string, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]);
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

const isGone = (error: unknown) => ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');

function sum(works: readonly ServerWork[]): ServerWork {
  return works.reduce((total, each) => ({ ran: total.ran + each.ran, waited: total.waited + each.waited }), {
    ran: 0,
    waited: 0,
  });
}
