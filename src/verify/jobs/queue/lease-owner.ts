import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
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

/** What tells hosts of the same name apart; null where the system does not tell it. */
export interface HostFacts {
  readonly name: string;
  /** Drawn anew at each start of a machine. */
  readonly boot: string | null;
  /** Which processes share their numbers, such as those of one container. */
  readonly processes: string | null;
}

/**
 * This process, as the operating system sees it.
 *
 * @param jobs whether several hosts may work on them; then a host is named so that no other one has its name.
 */
export function systemProcess(jobs: { readonly spansHosts: boolean }): ProcessIdentity {
  const name = hostname().replaceAll(' ', '-');
  const host = jobs.spansHosts ? distinctHost({ name, ...hostFacts() }, randomUUID) : name;
  return { host, pid: process.pid, isAlive };
}

/** Equal only for processes that see each other under their numbers: names of hosts may be shared. */
export function distinctHost({ boot, name, processes }: HostFacts, newId: () => string): string {
  const apart = boot === null || processes === null ? newId() : `${boot}/${processes}`;
  return `${name}/${apart}`;
}

/** @see https://man7.org/linux/man-pages/man7/pid_namespaces.7.html */
function hostFacts(): Omit<HostFacts, 'name'> {
  return {
    boot: told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    processes: told(() => readlinkSync('/proc/self/ns/pid')),
  };
}

function told(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
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
 * @see docs/adr/0009-replicas-and-leases.md
 */
export function isOwnerGone(owner: string, self: ProcessIdentity): boolean {
  const [host, pid] = owner.split(' ');
  if (host !== self.host || pid === undefined || !/^[1-9]\d*$/.test(pid)) return false;
  return Number(pid) === self.pid || !self.isAlive(Number(pid));
}
