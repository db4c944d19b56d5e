import { hostname } from 'node:os';
import { isAlive } from '../../is-alive.ts';

/** What tells processes apart that share one database. */
export interface ProcessIdentity {
  /** Name of the machine or container; without spaces. */
  readonly host: string;
  readonly pid: number;
  /** Whether a process of this machine runs under the number. */
  isAlive(pid: number): boolean;
}

/** This process, as the operating system sees it. */
export function systemProcess(): ProcessIdentity {
  return { host: hostname().replaceAll(' ', '-'), pid: process.pid, isAlive };
}

/** Names the holder of leases: host, process and an id of its own, so that it is never mistaken for its successor. */
export function printLeaseOwner({ host, pid }: ProcessIdentity, id: string): string {
  return `${host} ${pid} ${id}`;
}

/**
 * Says whether the holder of a lease is surely gone, so that nobody has to wait for the lease to end.
 *
 * Only processes of the same host can be looked at. A holder with this process's number is an earlier one:
 * a restarted container begins with the same number again.
 *
 * @see docs/adr/0012-leases-of-other-processes.md
 */
export function isOwnerGone(owner: string, self: ProcessIdentity): boolean {
  const [host, pid] = owner.split(' ');
  if (host !== self.host || pid === undefined || !/^[1-9]\d*$/.test(pid)) return false;
  return Number(pid) === self.pid || !self.isAlive(Number(pid));
}
