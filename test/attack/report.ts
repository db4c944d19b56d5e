import { appendFileSync } from 'node:fs';
import { expect, inject } from 'vitest';
import { IS_FULL } from './attack-seconds.ts';
import { type AttackRow, BARS } from './attack-table.ts';
import type { AttackedServer } from './attacked-server.ts';
import { type Seen, type SeenAnswers, startProbe } from './probe.ts';

/** Of liveness, whatever else happens, milliseconds. */
const LIVENESS_BAR_MS = 50;
const READ_BAR_MS = 20;
/** How long an attack may outlast itself. */
const RECOVERED_WITHIN_MS = 5000;
/** Share of the reads of other clients; the short form cannot choose its machine, which may have no processor for it. */
const MAX_REFUSED = IS_FULL ? 0.01 : 0.1;
const MEMORY_BAR_MIB = 1024;

const share = ({ statuses }: SeenAnswers) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

/** One line with the figures of an attack, and its row of the table, which the full form judges. */
export function printAttack(name: string, server: AttackedServer, { before, during }: Phases): void {
  const { ranMs, waitedMs } = server.mainThread();
  const { bare, liveness, list, summary, submission } = during;
  const longestTurn = server.longestTurnMs(liveness.since);
  console.log(
    `${name}: liveness p99 ${liveness.p99} ms (max ${liveness.max}; ` +
      `bare server beside it ${bare.p99}, max ${bare.max}${before === undefined ? '' : `, before ${before.liveness.p99}`}), ` +
      `list p99 ${list.p99} (${share(list)}), summary p99 ${summary.p99} (${share(summary)}), ` +
      `submissions ${share(submission)}; longest turn ${longestTurn} ms; ` +
      `peak ${server.peakMiB()} MiB; main thread ran ${ranMs} ms, waited ${waitedMs} ms for a processor`,
  );
  const readsP99 = Math.max(list.p99, summary.p99);
  recordRow({ scenario: name, readsP99, livenessMax: liveness.max, longestTurn });
  if (!IS_FULL) return;
  // Softly, so that the run has all rows.
  expect.soft(readsP99, `${name}: reads p99`).toBeLessThanOrEqual(BARS.readsP99 + bare.p99);
  expect.soft(liveness.max, `${name}: liveness`).toBeLessThanOrEqual(BARS.livenessMax + bare.max);
  expect.soft(longestTurn, `${name}: longest turn`).toBeLessThanOrEqual(BARS.longestTurn);
}

/** Leaves a row for the table. For a scenario that kills its servers all but the turns is null, and nothing is judged. */
export function recordRow(row: AttackRow): void {
  appendFileSync(inject('attackRows'), `${JSON.stringify(row)}\n`);
}

/**
 * Makes an attack with innocent clients beside it, in a process of their own, and judges what they got.
 *
 * @param maxRefused see `expectAnswered`.
 */
export async function besideInnocents<Outcome>(
  name: string,
  server: AttackedServer,
  attack: () => Promise<Outcome>,
  maxRefused = MAX_REFUSED,
): Promise<Outcome> {
  const probe = await startProbe(server.url);
  try {
    const outcome = await attack();
    // Some attacks end the process, and say so.
    if (server.end() !== null) return outcome;
    const during = await probe.take();
    printAttack(name, server, { during });
    expectAnswered(during, maxRefused);
    return outcome;
  } finally {
    await probe.stop();
  }
}

/** What the probe saw before and during an attack. */
interface Phases {
  /** Absent where nothing was measured before. */
  readonly before?: Seen;
  readonly during: Seen;
}

/**
 * Liveness is answered whatever happens, and reads of other clients are. A server without a processor refuses what
 * waited too long, on purpose.
 *
 * @param maxRefused share of the reads that may get 503; whoever allows more than the default says why.
 */
export function expectAnswered(during: Seen, maxRefused = MAX_REFUSED): void {
  expect(Object.keys(during.liveness.statuses)).toEqual(['200']);
  for (const [name, { statuses }] of Object.entries({ list: during.list, summary: during.summary })) {
    const { '200': answered = 0, '503': refused = 0, ...others } = statuses;
    expect(others, name).toEqual({});
    expect(answered + refused, name).toBeGreaterThan(0);
    expect(refused, `refused reads of ${name}`).toBeLessThanOrEqual((answered + refused) * maxRefused);
  }
  for (const status of Object.keys(during.submission.statuses)) expect(['202', '503']).toContain(status);
}

/** The bar of the full form: what a bare server took at the same time is the machine's, not the product's. */
export function expectLively(during: Seen): void {
  if (!IS_FULL) return;
  const { liveness, bare } = during;
  expect(liveness.p99).toBeLessThanOrEqual(LIVENESS_BAR_MS + bare.p99);
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
