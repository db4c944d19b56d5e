import os from 'node:os';

/** The calls of Node's module that are used, on the thread that makes them. */
interface Priorities {
  getPriority(): number;
  setPriority(priority: number): void;
}

/** A fifth less of a contended core. More would also let every other program of the machine go first. */
const NICENESS = 1;
const LOWEST = 19;

/**
 * Lets other threads of this server go before the one that calls. On Linux priorities belong to threads; elsewhere it would slow down the server.
 *
 * Counted from what the server was started with, since only root may raise a priority. What is not allowed is left:
 * it is no reason not to work.
 */
export function lowerPriority(platform: string = process.platform, priorities: Priorities = os): void {
  if (platform !== 'linux') return;
  try {
    priorities.setPriority(Math.min(LOWEST, priorities.getPriority() + NICENESS));
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

function isRefused(error: unknown): boolean {
  const { info } = error as { info?: { code?: string } };
  return info?.code === 'EACCES' || info?.code === 'EPERM';
}
