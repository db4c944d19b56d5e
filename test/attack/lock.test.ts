import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { runCommandBeside, until } from '../support/serve-process.ts';
import { attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { brokenJobs, CHAIN, submit } from './contracts.ts';
import { putLedger } from './ledger.ts';
import { type Probe, type Seen, startProbe } from './probe.ts';
import { expectAnswered, expectLively, expectQuickReads, expectSmall, printAttack } from './report.ts';

const SHORT_SECONDS = 3;
/** How long another process may hold the lock. */
const HELD_MS = IS_FULL ? 40_000 : 1000 * SHORT_SECONDS;
const TRANSACTIONS = IS_FULL ? 20_000 : 1000;
const READS = [
  '/health/liveness',
  '/health/readiness',
  '/api/v1/transactions',
  '/api/v1/transactions?order=asc&limit=2',
  '/api/v1/blocks',
  '/api/v1/balances',
  '/api/v1/network/nodes',
  '/api/v2/summary.json',
  '/api/v2/incidents.json',
  '/status',
  `/v2/contracts/${CHAIN}`,
  '/metrics',
];
const LOCK = fileURLToPath(new URL('./lock-process.ts', import.meta.url));

let server: AttackedServer;
let probe: Probe | null = null;
afterEach(async () => {
  await probe?.stop();
  await server.remove();
});

/** Another program that locks the database, at least as long as the work lasts, then packs it. */
async function lockAndVacuum(
  database: string,
  meanwhile: () => Promise<unknown>,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', LOCK, database], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await until('the database is locked', async () => lines.includes('locked'));
  await meanwhile().finally(() => child.stdin.end());
  await once(child, 'close');
  return lines;
}

/** What an operator may do beside a server. */
const COMMANDS = (folder: string): readonly (readonly string[])[] => [
  ['import', putLedger(folder, 1, TRANSACTIONS)],
  ['ledger', 'rebuild'],
  ['ledger', 'prune', '--days', '1'],
  ['status', 'create', 'component', 'name=Made beside the server'],
  ['status', 'create', 'incident', 'name=Opened beside the server'],
];

async function summaryText(url: string): Promise<string> {
  return (await fetch(`${url}/api/v2/summary.json`)).text();
}

test('writes of other processes hold up neither reads nor health', {
  timeout: attackTimeout(SHORT_SECONDS).timeout + 2 * HELD_MS,
}, async () => {
  server = await startAttacked();
  const { database, folder, url } = server;
  const environment = { DATABASE_URL: `sqlite:${database}` };
  probe = await startProbe(url);
  await pause(1000);
  const before = await probe.take();
  const accepted: string[] = [...before['submission']!.accepted];
  const seen: [string, Seen][] = [];
  const watch = async (what: string, work: Promise<unknown>) => {
    await work;
    const during = await probe!.take();
    accepted.push(...during['submission']!.accepted);
    printAttack(what, server, { before, during });
    seen.push([what, during]);
  };
  await watch(
    `lock of ${HELD_MS / 1000} s, then VACUUM`,
    lockAndVacuum(database, async () => {
      // The lock ends after the answers, so none can have waited for it.
      for (const path of READS) expect((await fetch(url + path)).status, path).toBe(200);
      await pause(HELD_MS);
    }).then((lines) => expect(lines).toEqual(['locked', 'released', 'vacuumed'])),
  );
  for (const args of COMMANDS(folder)) {
    const run = runCommandBeside(args, environment, folder).then(({ exitCode, errors }) =>
      expect(exitCode, errors).toBe(0),
    );
    await watch(args.slice(0, 2).join(' '), run);
  }
  // What another process wrote is shown, not overwritten.
  for (const name of ['Made beside the server', 'Opened beside the server']) {
    await until(`the summary names "${name}"`, async () => (await summaryText(url)).includes(name));
  }
  // Whoever waits for the lock waits for half of it on average: no client does.
  for (const name of IS_FULL ? ['liveness', 'list', 'summary'] : []) {
    expect(seen[0]![1][name]!.max, name).toBeLessThan(HELD_MS / 2 + seen[0]![1]['bare']!.max);
  }
  // Beside all of it a submission waits for the lock or is refused; afterwards it is taken.
  expect((await submit(url, 2000)).status).toBe(202);
  expect(await brokenJobs(url, accepted)).toEqual([]);
  for (const [, during] of seen) {
    expectAnswered(during);
    expectLively(during);
    expectQuickReads(during);
  }
  expectSmall(server);
});
