import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import {
  cleanEnvironment,
  runCommand,
  type ServeProcess,
  startServe,
  until,
} from '../support/serve-process.ts';
import { type Block, blocksOf, PAGES, ROOT } from './read-blocks.ts';

/** Every fenced block of the README and `docs/` is run, or looked at by a checker that is named here. */
const blocks = PAGES.flatMap(blocksOf);
const shells = blocks.filter(({ language }) => language === 'sh');
/** What differs from server to server. */
const VARYING = new Set(['verificationId', 'id', 'updated_at', 'verifiedAt', 'url']);
const TOKEN = 'token-of-the-documentation-tests';

/** Where programs stand that a test cannot run, and what stands in for them. */
const STAND_INS: Readonly<Record<string, string>> = {
  // The built program instead of one that is looked up in the registry.
  // `serve` would not end: it is what `npm start` runs.
  npx: 'shift 2; [ "$1" != serve ] || exec npm start; exec "$NODE" "$PROJECT/dist/main.js" "$@"',
  // `npm ci` and `npm test` are what runs this; `npm start` reads the variables as the server does, and ends.
  npm: `[ "$1" = start ] || exit 0; exec "$NODE" --import "$PROJECT/node_modules/tsx/dist/esm/index.mjs" --input-type=module -e 'const { readConfig } = await import(process.env.PROJECT + "/src/config.ts"); readConfig(process.env)'`,
  // No container engine here: the recipe has a check of its own, scripts/check-image.sh.
  docker: `[ -f "$PROJECT/Dockerfile" ]`,
  // No cluster here: test/project/replicas.test.ts builds the folder.
  kubectl: '[ "$1" = create ] || [ -f "$3/kustomization.yaml" ]',
  // test/e2e/postgres-backup.test.ts runs these blocks.
  pg_dump: '[ $# -gt 1 ]',
  createdb: '[ $# -eq 1 ]',
  pg_restore: '[ $# -gt 1 ]',
  // No cluster here: src/store/cluster-placement.postgres.test.ts looks at which tables these blocks name.
  psql: '[ $# -gt 1 ]',
};

const curlMissing =
  spawnSync('curl', ['--version']).status === 0 ? null : 'skipped: curl is not installed on this machine';
const scratch = mkdtempSync(join(tmpdir(), 'ledgerlens-docs-'));
/** The operator's blocks remove the database of a stopped server: theirs is another one. */
const folders = { served: join(scratch, 'served'), stopped: join(scratch, 'stopped') };
const substitutions: [RegExp, string][] = [];
let server: ServeProcess | null = null;

beforeAll(async () => {
  if (curlMissing !== null) return;
  for (const folder of Object.values(folders)) {
    mkdirSync(join(folder, 'data'), { recursive: true });
    symlinkSync(join(ROOT, 'src'), join(folder, 'src'));
    cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  }
  mkdirSync(join(scratch, 'bin'));
  for (const [name, script] of Object.entries(STAND_INS)) {
    writeFileSync(join(scratch, 'bin', name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(scratch, 'bin', name), 0o755);
  }
  const [, start = ''] =
    shells.map(({ text }) => /VERIFY_CHAINS="\$\(([\s\S]*?)\)" npm start/.exec(text)).find(Boolean) ?? [];
  const chains = spawnSync('bash', ['-c', start], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  const hash = createHash('sha256').update(TOKEN).digest('hex');
  const env = { VERIFY_CHAINS: chains, STATUS_TOKENS: `docs:write:${hash}`, STATUS_PROBES_OFF: 'all' };
  server = await startServe(env, folders.served);
  runCommand(['migrate'], {}, folders.stopped);
  writeFileSync(join(folders.served, 'submission.json'), '{}');
  // Whether a book is one is found out when it is used.
  writeFileSync(join(folders.served, 'book.bin'), 'a book');
  const manage = async (path: string, body?: object) => {
    const answer = await fetch(`${server?.url}/v1/pages${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `OAuth ${TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return (await answer.json()) as { readonly id: string };
  };
  const [page] = (await manage('')) as unknown as readonly { readonly id: string }[];
  const component = await manage(`/${page?.id}/components`, { component: { name: 'Docs' } });
  const incident = await manage(`/${page?.id}/incidents`, { incident: { name: 'Docs' } });
  substitutions.push(
    [/http:\/\/127\.0\.0\.1:8080/g, server.url],
    // The address book of a public network: nothing leaves this machine.
    [/https:\/\/testnet\.mirrornode\.hedera\.com/g, server.url],
    // It would ask the buckets of a public network.
    [/npx --no-install ledgerlens check && /g, ''],
    [/\bPAGE\b/g, page?.id ?? ''],
    [/\bCOMPONENT\b/g, component.id],
    [/\bINCIDENT\b/g, incident.id],
    // A host that is looked up by name when it is subscribed; public, and nothing is sent to it here.
    [/hooks\.example\.org/g, '192.0.2.1'],
  );
});

afterAll(async () => {
  await server?.stop('SIGTERM');
  rmSync(scratch, { recursive: true, force: true });
});

function run({ page, text }: Block) {
  const asked = substitutions.reduce((so, [from, to]) => so.replace(from, to), text);
  const env = { ...cleanEnvironment({}), PROJECT: ROOT, NODE: process.execPath, TOKEN };
  return spawnSync('bash', ['-euo', 'pipefail', '-c', asked], {
    cwd: page === 'docs/operation.md' ? folders.stopped : folders.served,
    env: { ...env, PATH: `${join(scratch, 'bin')}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
}

function masked(text: string): unknown {
  return JSON.parse(text, (name, member: unknown) =>
    VARYING.has(name) && typeof member === 'string' ? '*' : member,
  );
}

describe.skipIf(isLeftOut(curlMissing))('shell blocks', () => {
  test.each(shells.filter(({ answer }) => answer === null))('$page:$line runs', (block) => {
    const { status, stderr } = run(block);
    expect(status, stderr).toBe(0);
  });

  test.each(shells.filter(({ answer }) => answer !== null))('$page:$line has its answer', async (block) => {
    const wanted = masked(block.answer ?? '');
    let last: unknown = null;
    await until(
      'the answer is that of the page',
      async () => {
        const { status, stdout, stderr } = run(block);
        expect(status, stderr).toBe(0);
        last = masked(stdout);
        // A verification takes a moment; everything else is right at once.
        return JSON.stringify(last) === JSON.stringify(wanted);
      },
      30_000,
    ).catch(() => undefined);
    expect(last).toEqual(wanted);
  });
});

/** Blocks of other languages: what is wrong with one, or nothing. */
const CHECKERS: Readonly<Record<string, (text: string) => string>> = {
  // Each follows a shell block, with whose answer it is compared.
  json: (text) => (shells.some(({ answer }) => answer === text) ? '' : 'answers no question'),
  // Lines of a test ledger; test-ledger.test.ts imports them.
  '': (text) => text.trim().split('\n').map(faultOfJson).join(''),
  js: (text) =>
    spawnSync(process.execPath, ['--input-type=module', '--check'], { input: text, encoding: 'utf8' }).stderr,
  // Run by proxies.test.ts.
  nginx: faultOfUnrun,
  caddyfile: faultOfUnrun,
  haproxy: faultOfUnrun,
};

test.each(blocks.filter(({ language }) => language !== 'sh'))(
  '$page:$line is right',
  ({ language, text }) => {
    expect(Object.keys(CHECKERS)).toContain(language);
    expect(CHECKERS[language]?.(text)).toBe('');
  },
);

function faultOfJson(line: string): string {
  try {
    JSON.parse(line);
    return '';
  } catch (error) {
    return `${line}: ${(error as Error).message}`;
  }
}

function faultOfUnrun(text: string): string {
  const runs = blocks.filter(
    ({ page, language }) =>
      page === 'docs/operation.md' && language in CHECKERS && /^(?:nginx|caddyfile|haproxy)$/.test(language),
  );
  return runs.length === 4 && runs.some((block) => block.text === text)
    ? ''
    : 'proxies.test.ts does not run it';
}
