import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { type ServeProcess, startServe, until } from '../support/serve-process.ts';

/** The README's questions are asked of a real server; its answers must be what comes back. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(`${ROOT}README.md`, 'utf8');
const examples = [...README.matchAll(/```sh\n([^`]*?curl[^`]*?)```\n```json\n([^`]*)```/g)].map(
  ([, command = '', answer = '']) => ({ command: command.trim(), answer: JSON.parse(answer) as object }),
);
/** What differs from server to server. */
const VARYING = new Set(['verificationId', 'id', 'updated_at', 'verifiedAt', 'url']);

const curlMissing =
  spawnSync('curl', ['--version']).status === 0 ? null : 'skipped: curl is not installed on this machine';

let server: ServeProcess | null = null;

beforeAll(async () => {
  if (curlMissing !== null) return;
  const start = /VERIFY_CHAINS="\$\(([\s\S]*?)\)" npm start/.exec(README)?.[1] ?? '';
  const chains = spawnSync('bash', ['-c', start], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  server = await startServe({ VERIFY_CHAINS: chains, DATABASE_URL: 'sqlite::memory:' }, ROOT);
});

afterAll(() => server?.stop('SIGTERM'));

function masked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, member: unknown) =>
    VARYING.has(name) && typeof member === 'string' ? '*' : member,
  );
}

test('the README asks four times', () => {
  expect(examples).toHaveLength(4);
});

test.skipIf(isLeftOut(curlMissing)).each(examples)('$command', async ({ command, answer }) => {
  const asked = command.replaceAll('http://127.0.0.1:8080', server?.url ?? '');
  let last: unknown = null;
  await until(
    'the answer is that of the README',
    async () => {
      const { stdout, stderr, status } = spawnSync('bash', ['-c', asked], { cwd: ROOT, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      last = JSON.parse(stdout);
      // A verification takes a moment; everything else is right at once.
      return JSON.stringify(masked(last)) === JSON.stringify(masked(answer));
    },
    60_000,
  ).catch(() => undefined);
  expect(masked(last)).toEqual(masked(answer));
});
