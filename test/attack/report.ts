import { expect } from 'vitest';
import { IS_FULL } from './attack-seconds.ts';
import type { AttackedServer } from './attacked-server.ts';
import type { Seen, SeenAnswers } from './probe.ts';

/** What nothing may make worse for those who ask whether the server lives, milliseconds. */
const LIVENESS_BAR_MS = 50;
const READ_BAR_MS = 20;
/** How long an attack may outlast itself. */
const RECOVERED_WITHIN_MS = 5000;
/** Share of the reads of other clients. */
const MOST_REFUSED = 0.01;
const MEMORY_BAR_MIB = 1024;

const share = ({ statuses }: SeenAnswers) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

/** One line with the figures of an attack. */
export function printAttack(name: string, server: AttackedServer, { before, during }: Phases): void {
  const { ranMs, waitedMs } = server.mainThread();
  console.log(
    `${name}: liveness p99 ${during['liveness']!.p99} ms (max ${during['liveness']!.max}; ` +
      `bare server beside it ${during['bare']!.p99}, before ${before['liveness']!.p99}), ` +
      `list p99 ${during['list']!.p99} (${share(during['list']!)}), ` +
      `summary p99 ${during['summary']!.p99} (${share(during['summary']!)}), ` +
      `submissions ${share(during['submission']!)}; ` +
      `peak ${server.peakMiB()} MiB; main thread ran ${ranMs} ms, waited ${waitedMs} ms for a processor`,
  );
}

/** What the probe saw before and during an attack. */
export interface Phases {
  readonly before: Seen;
  readonly during: Seen;
}

/**
 * Liveness is answered whatever happens, other clients as well. A machine that has no processor for the server makes it
 * refuse what waited too long, on purpose: the short form cannot choose its machine.
 */
export function expectAnswered(during: Seen): void {
  expect(Object.keys(during['liveness']!.statuses)).toEqual(['200']);
  for (const name of ['list', 'summary']) {
    const { '200': answered = 0, '503': refused = 0, ...others } = during[name]!.statuses;
    expect(others, name).toEqual({});
    expect(answered, name).toBeGreaterThan(0);
    if (IS_FULL) expect(refused, name).toBeLessThanOrEqual((answered + refused) * MOST_REFUSED);
  }
  for (const status of Object.keys(during['submission']!.statuses)) expect(['202', '503']).toContain(status);
}

/** The bar of the full form: what a bare server took at the same time is the machine's, not the product's. */
export function expectLively(during: Seen): void {
  if (!IS_FULL) return;
  const { liveness, bare } = during;
  expect(liveness!.p99).toBeLessThanOrEqual(LIVENESS_BAR_MS + bare!.p99);
}

/** The same for pages and summaries while nothing but a lock is in the way. */
export function expectQuickReads(during: Seen): void {
  if (!IS_FULL) return;
  for (const name of ['list', 'summary']) {
    expect(during[name]!.p99, name).toBeLessThanOrEqual(READ_BAR_MS + during['bare']!.p99);
  }
}

/** When writes are taken again after an attack; that they are taken at all is shown by whoever measured. */
export function expectSoonOver(recoveredMs: number): void {
  if (IS_FULL) expect(recoveredMs).toBeLessThan(RECOVERED_WITHIN_MS);
}

/** The bar of memory. */
export function expectSmall(server: AttackedServer): void {
  expect(server.peakMiB()).toBeLessThanOrEqual(MEMORY_BAR_MIB);
}
