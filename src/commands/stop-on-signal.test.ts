import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

/** A server whose services never close, and a thread that is inside a statement of SQLite. */
const STUCK = `
import { Worker } from 'node:worker_threads';
import { stopOnSignal } from '${new URL('./stop-on-signal.ts', import.meta.url).href}';
new Worker(\`
  const load = () => { try { return require('better-sqlite3'); } catch { return require('better-sqlite3-legacy'); } };
  const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c';
  const statement = new (load())(':memory:').prepare(endless);
  require('node:worker_threads').parentPort.postMessage('begun');
  statement.get();
\`, { eval: true, execArgv: [] }).once('message', () => {
  const log = Object.fromEntries(['info', 'warn', 'error', 'fatal'].map((level) => [level, () => {}]));
  const giveJobsBack = async () => console.log('jobs given back');
  const services = { log, beginDraining() {}, giveJobsBack, close: () => new Promise(() => {}) };
  stopOnSignal({ http: { drainMs: 0, shutdownMs: 100 } }, services, []);
  console.log('up');
});`;

test('a stop ends the process although a thread does not end (issue 41)', { timeout: 30_000 }, async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', STUCK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  const [said, ended] = [once(lines, 'line'), once(child, 'exit')];
  child.kill('SIGTERM');
  expect(await said).toEqual(['jobs given back']);
  expect(await ended).toEqual([null, 'SIGKILL']);
});
