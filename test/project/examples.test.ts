import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cleanEnvironment, ensureBuilt, freePort } from '../support/serve-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}examples/${name}`, 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'ledgerlens-examples-'));

beforeAll(ensureBuilt);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('the Vitest example passes, in a folder that has the package', async () => {
  const folder = join(scratch, 'vitest');
  cpSync(`${ROOT}examples/vitest`, folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/ledgerlens'));
  symlinkSync(`${ROOT}node_modules/vitest`, join(folder, 'node_modules/vitest'));
  const inherited = Object.entries(cleanEnvironment({})).filter(([name]) => !/^(VITEST|TEST_)/.test(name));
  // Linked, not installed, the package is read through Vite, which takes seconds of a machine that does much else.
  const patience = ['--hookTimeout=120000', '--testTimeout=120000'];
  const child = spawn(process.execPath, [`${ROOT}node_modules/vitest/vitest.mjs`, 'run', ...patience], {
    cwd: folder,
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  expect(exitCode, output).toBe(0);
  expect(output).toContain('3 passed');
});

interface Step {
  readonly name?: string;
  readonly run?: string;
}
interface Job {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Service {
  readonly healthcheck: { readonly test: readonly string[] };
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>;
}

test('the job starts a server and waits for it, its log is found, and the health check of compose passes', async () => {
  const { jobs } = parse(read('github-action/ledgerlens.yml')) as { jobs: { test: Job } };
  const { services } = parse(read('compose/compose.yaml')) as { services: Record<string, Service> };
  const line = (name: string) => jobs.test.steps.find((step) => step.name === name)?.run ?? 'exit 99';
  const npx = join(scratch, 'npx');
  // The built program instead of an installed one; its number is kept to end it.
  writeFileSync(
    npx,
    `#!/bin/bash\nshift; echo $$ > "${scratch}/pid"; exec "${process.execPath}" "${ROOT}dist/main.js" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  const env = cleanEnvironment({
    ...jobs.test.env,
    PORT: String(await freePort()),
    RUNNER_TEMP: scratch,
    PATH: `${scratch}:${process.env['PATH']}`,
  });
  const run = (text: string) => spawnSync('bash', ['-eo', 'pipefail', '-c', text], { env, encoding: 'utf8' });
  const [, ...health] = services['ledgerlens']?.healthcheck.test ?? [];
  const healthy = () => spawnSync(process.execPath, health.slice(1), { env }).status;
  expect(health[0]).toBe('node');
  expect(services['tests']?.depends_on['ledgerlens']?.condition).toBe('service_healthy');
  expect(healthy()).toBe(1);
  expect(run(line('Start Ledgerlens')).status).toBe(0);
  try {
    const waited = run(line('Wait until it is ready'));
    const log = run(line('Log of Ledgerlens')).stdout;
    expect(waited.status, log).toBe(0);
    expect(log).toContain('listening');
    expect(healthy()).toBe(0);
  } finally {
    process.kill(Number(readFileSync(join(scratch, 'pid'), 'utf8')), 'SIGTERM');
  }
});
