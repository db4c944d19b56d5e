import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { installPacked, packInto } from '../support/packed-package.ts';
import { cleanEnvironment, freePort, until } from '../support/serve-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}examples/${name}`, 'utf8');
/** A checkout that has packed itself, in which the examples name the file. */
const scratch = mkdtempSync(join(tmpdir(), 'ledgerlens-examples-'));
let packed = '';

beforeAll(() => {
  packed = packInto(scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A copy of an example, with the packed file installed. */
function installedExample(name: string): string {
  const folder = join(scratch, 'examples', name);
  cpSync(`${ROOT}examples/${name}`, folder, { recursive: true });
  installPacked(join(scratch, packed), folder);
  return folder;
}

test.each(['vitest', 'jest'])('the %s example names the file that npm pack writes', (name) => {
  const { devDependencies } = JSON.parse(read(`${name}/package.json`)) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const [kind, path = ''] = devDependencies['ledgerlens']?.split(':') ?? [];
  expect([kind, join(scratch, 'examples', name, path)]).toEqual(['file', join(scratch, packed)]);
});

test('the Vitest example passes, in a folder that has the packed file installed', async () => {
  const folder = installedExample('vitest');
  symlinkSync(`${ROOT}node_modules/vitest`, join(folder, 'node_modules/vitest'));
  symlinkSync('../vitest/vitest.mjs', join(folder, 'node_modules/.bin/vitest'));
  const inherited = Object.entries(cleanEnvironment({})).filter(
    ([name]) => !/^(VITEST|TEST_|npm_)/.test(name),
  );
  const child = spawn('npm', ['test'], {
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
  const folder = installedExample('github-action');
  const env = cleanEnvironment({
    ...jobs.test.env,
    PORT: String(await freePort()),
    RUNNER_TEMP: scratch,
  });
  const run = (text: string) =>
    spawnSync('bash', ['-eo', 'pipefail', '-c', text], { cwd: folder, env, encoding: 'utf8' });
  const [, ...health] = services['ledgerlens']?.healthcheck.test ?? [];
  const healthy = () => spawnSync(process.execPath, health.slice(1), { env }).status;
  expect(health[0]).toBe('node');
  expect(services['tests']?.depends_on['ledgerlens']?.condition).toBe('service_healthy');
  expect(healthy()).toBe(1);
  // A group of its own, to end all that the step leaves behind.
  const step = spawn('bash', ['-ec', line('Start Ledgerlens')], { cwd: folder, env, detached: true });
  expect(await once(step, 'exit')).toEqual([0, null]);
  try {
    const waited = run(line('Wait until it is ready'));
    const log = () => run(line('Log of Ledgerlens')).stdout;
    expect(waited.status, log()).toBe(0);
    await until('the log has the address', async () => log().includes(' serves '));
    expect(healthy()).toBe(0);
  } finally {
    process.kill(-(step.pid ?? 0), 'SIGTERM');
  }
  await until('the server has ended', async () => healthy() !== 0);
});
