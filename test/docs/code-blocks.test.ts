import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import {
  cleanEnvironment,
  freePort,
  runCommand,
  type ServeProcess,
  startServe,
  until,
} from '../support/serve-process.ts';
import { commandsOfComments, commandsOfSentences } from './inline-spans.ts';
import { type Block, blocksOf, PAGES, ROOT } from './read-blocks.ts';

/**
 * Every fenced block of the README and `docs/`, every command in their sentences and in comments of `deploy/` and
 * `examples/` is run as it is printed, but for what `STAND_INS` and `NOT_RUN` list with a reason. Blocks of other
 * languages have a checker each.
 */
const blocks = PAGES.flatMap(blocksOf);
const shells = blocks.filter(({ language }) => language === 'sh');
/** For a block or an answer, on a machine that does much else. */
const MAX_MS = 240_000;
/** What differs from server to server. */
const VARYING = new Set(['verificationId', 'id', 'updated_at', 'verifiedAt', 'url']);
const TOKEN = 'token-of-the-documentation-tests';
/** No probes beside the commands, and subscribers on this machine. */
const ALWAYS = { STATUS_PROBES_OFF: 'all', STATUS_WEBHOOK_PRIVATE: 'on' };

interface StandIn {
  /** Arguments, as a pattern of the shell; all others go to the program itself. */
  readonly when: string;
  readonly reason: string;
  /** Run in its place, with `$real` for the program. */
  readonly script: string;
}
const CALLS_OTHERS = '$MIRROR_NETWORK$MIRROR_BUCKET$MIRROR_BLOCK_NODES$MIRROR_FOLLOW$STATUS_PROBES';
const READS_CONFIG = `"$NODE" --import "$PROJECT/node_modules/tsx/dist/esm/index.mjs" --input-type=module -e 'const { readConfig } = await import(process.env.PROJECT + "/src/config.ts"); readConfig(process.env)'`;

/** Programs that are not run with such arguments. Everything else is the program itself. */
const STAND_INS: Readonly<Record<string, readonly StandIn[]>> = {
  npm: [
    {
      when: 'start',
      reason:
        'a server whose sources or probes are those of others would call them: its variables are read instead',
      script: `[ -n "${CALLS_OTHERS}" ] || exec "$real" start; ${READS_CONFIG}`,
    },
    { when: 'ci|test', reason: '.ci/run begins with npm ci and npm test', script: ':' },
    {
      when: 'pack|install*',
      reason: 'test/package packs, installs the file and runs what it holds',
      script:
        '[ "$2" != --global ] || [ "$3" = "./ledgerlens-$(cd "$PROJECT"; "$NODE" -p "require(\'./package.json\').version").tgz" ]',
    },
    {
      when: "'run '*",
      reason:
        'suites and generators of their own; test-scripts.test.ts, freshness.test.ts and .ci/run have them',
      script: 'grep -q "^    .$2.: " "$PROJECT/package.json"',
    },
  ],
  npx: [
    {
      when: "'vitest run'*",
      reason: 'it would run this test again; inline-commands.test.ts looks for the projects and files',
      script: ':',
    },
    {
      when: "'tsx scripts/'*",
      reason: 'it would write files of this checkout; other tests compare them',
      script: '[ -f "$2" ]',
    },
  ],
  docker: [
    {
      when: "'build '*|'run '*",
      reason: 'no container engine here: scripts/check-image.sh does what the Dockerfile says',
      script: '[ -f Dockerfile ]',
    },
    {
      when: "'compose '*",
      reason: 'no container engine here: deploy.test.ts and replicas.test.ts read the files',
      // The file is there, and has the service that stands last.
      script: `[ "$2" = -f ] && [ -f "$3" ] && case "\${*: -1}" in --*|up|build) ;; *) grep -q "^  \${*: -1}:" "$3" ;; esac`,
    },
    {
      when: "'exec '*",
      reason: 'no container engine here: the program of this build runs what the container would',
      script: 'shift 2; exec "$@"',
    },
  ],
  curl: [
    {
      when: '*@submission.json*',
      reason: 'the submission of the page is any file',
      script: 'exec "$real" "$@"',
    },
    { when: '*', reason: 'what is refused shall fail', script: 'exec "$real" --fail-with-body "$@"' },
  ],
  kubectl: [
    {
      when: '*',
      reason: 'no cluster here: replicas.test.ts builds the folder, api-linters.test.ts checks its types',
      script: '[ "$1" = create ] || [ -f "$3/kustomization.yaml" ]',
    },
  ],
  pg_dump: [{ when: '*', reason: 'test/e2e/postgres-backup.test.ts runs it', script: '[ $# -gt 1 ]' }],
  createdb: [{ when: '*', reason: 'test/e2e/postgres-backup.test.ts runs it', script: '[ $# -eq 1 ]' }],
  pg_restore: [{ when: '*', reason: 'test/e2e/postgres-backup.test.ts runs it', script: '[ $# -gt 1 ]' }],
  psql: [
    {
      when: '*',
      reason: 'no cluster here: cluster-placement.postgres.test.ts looks at which tables it names',
      script: '[ $# -gt 1 ]',
    },
  ],
  promtool: [
    {
      when: '*',
      reason: 'run where it is installed, as by deploy.test.ts',
      script: '[ -z "$real" ] || exec "$real" "$@"',
    },
  ],
  // What `npm install --global` and the image put on the PATH.
  ledgerlens: [{ when: '*', reason: 'this build', script: 'exec "$NODE" "$PROJECT/dist/main.js" "$@"' }],
};

const MENTION =
  'names a command whose arguments the text around it describes; inline-commands.test.ts parses it';
/** Commands in sentences and comments that are not run. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'ledgerlens compilers add': MENTION,
  'ledgerlens compilers fetch': MENTION,
  'ledgerlens ledger prune': MENTION,
  'ledgerlens copy': MENTION,
  'ledgerlens fees': MENTION,
  'ledgerlens import PATH…': MENTION,
  'ledgerlens ledger accept-gap': MENTION,
  'ledgerlens status token': MENTION,
  'ledgerlens COMMAND': MENTION,
  'docker pull': MENTION,
  'npx --no-install ledgerlens COMMAND': MENTION,
  'ledgerlens copy --from sqlite:data/ledgerlens.sqlite --to postgres://ledgerlens@db.example.org/ledgerlens':
    'needs PostgreSQL: test/e2e/copy-command.sqlite.test.ts runs it',
  'forge verify-contract --verifier sourcify --verifier-url http://127.0.0.1:8080/ …':
    'npm run test:clients runs it with a chain',
  'hardhat sourcify --endpoint http://127.0.0.1:8080/': 'npm run test:clients runs it with a chain',
  'ledgerlens demo --serve': 'serves until it is stopped: test/e2e/demo-command.test.ts runs it',
  'cp deploy/ledgerlens.service /etc/systemd/system/ && systemctl enable --now ledgerlens':
    'would change this machine: deploy.test.ts has systemd verify the unit',
};

const curlMissing =
  spawnSync('curl', ['--version']).status === 0 ? null : 'skipped: curl is not installed on this machine';
const scratch = mkdtempSync(join(tmpdir(), 'ledgerlens-docs-'));
/** Checkouts that share what is built. The operator's blocks remove the database of a stopped server: theirs is another one. */
const folders = {
  served: join(scratch, 'served'),
  stopped: join(scratch, 'stopped'),
  started: join(scratch, 'started'),
};
const OF_A_CHECKOUT = [
  'package.json',
  'Dockerfile',
  'dist',
  'migrations',
  'node_modules',
  'scripts',
  'src',
  'tools',
];
const substitutions: [RegExp, string][] = [];
let server: ServeProcess | null = null;

beforeAll(async () => {
  if (curlMissing !== null) return;
  for (const folder of Object.values(folders)) {
    mkdirSync(join(folder, 'data'), { recursive: true });
    for (const name of OF_A_CHECKOUT) symlinkSync(join(ROOT, name), join(folder, name));
    for (const name of ['deploy', 'examples'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(scratch, 'streams'));
  // Whether a book is one is found out when it is used.
  for (const folder of Object.values(folders)) writeFileSync(join(folder, 'book.bin'), 'a book');
  mkdirSync(join(scratch, 'bin'));
  for (const [name, standIns] of Object.entries(STAND_INS)) {
    const real = spawnSync('bash', ['-c', `type -P ${name}`], { encoding: 'utf8' }).stdout.trim();
    const cases = standIns.map(
      ({ when, script }, index) => `${when}) echo "${name} ${index}" >> "${scratch}/used"; ${script} ;;`,
    );
    const text = `#!/bin/bash\nreal=${real}\ncase "$*" in ${cases.join('\n')}\n*) exec "$real" "$@" ;; esac\n`;
    writeFileSync(join(scratch, 'bin', name), text);
    chmodSync(join(scratch, 'bin', name), 0o755);
  }
  const [, start = ''] =
    shells.map(({ text }) => /VERIFY_CHAINS="\$\(([\s\S]*?)\)" npm start/.exec(text)).find(Boolean) ?? [];
  const chains = spawnSync('bash', ['-c', start], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  const hash = createHash('sha256').update(TOKEN).digest('hex');
  const env = { VERIFY_CHAINS: chains, STATUS_TOKENS: `docs:write:${hash}`, ...ALWAYS };
  server = await startServe(env, folders.served);
  runCommand(['migrate'], {}, folders.stopped);
  writeFileSync(join(folders.served, 'submission.json'), '{}');
  const [lines] = blocksOf('docs/test-ledger.md');
  writeFileSync(join(folders.stopped, 'ledger.ndjson'), lines?.text ?? '');
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
    [/=\/streams\b/g, `=${join(scratch, 'streams')}`],
    [/\bPAGE\b/g, page?.id ?? ''],
    [/\bCOMPONENT\b/g, component.id],
    [/\bINCIDENT\b/g, incident.id],
    [/--days N\b/g, '--days 30'],
    // Nothing listens there.
    [/endpoint=URL\b/g, 'endpoint=https://127.0.0.1:9/'],
    [/hooks\.example\.org/g, '127.0.0.1:9'],
  );
});

afterAll(async () => {
  await server?.stop('SIGTERM');
  rmSync(scratch, { recursive: true, force: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a text to its end; one that becomes a server has ended well when that is live. */
async function run(text: string, folder: string): Promise<Ended> {
  const port = String(await freePort());
  const isInBackground = /\bnpm start &$/m.test(text);
  const asked = substitutions.reduce(
    (so, [from, to]) => so.replace(from, to),
    isInBackground ? text.replaceAll(':8080', `:${port}`) : text,
  );
  // What the text starts is ended as a group.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', asked], {
    cwd: folder,
    env: {
      ...cleanEnvironment({}),
      PROJECT: ROOT,
      NODE: process.execPath,
      TOKEN,
      ...ALWAYS,
      ...(/\bnpm start\b|\bserve$/m.test(text) ? { PORT: port } : {}),
      PATH: `${join(scratch, 'bin')}:${process.env['PATH']}`,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const isLive = () =>
    fetch(`http://127.0.0.1:${port}/health/liveness`).then(
      ({ ok }) => ok,
      () => false,
    );
  let status: number | null = null;
  await until(
    'the block ends, or its server is live',
    async () => {
      status = child.exitCode ?? ((await isLive()) ? 0 : null);
      return status !== null;
    },
    MAX_MS,
  );
  try {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
  } catch {
    // Nothing of the group is left.
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return { status, stdout, stderr };
}

const named = (text: string) => text.replace(/^(?=(?:compilers|demo|ledger|status) )/, 'ledgerlens ');

const runBlock = ({ page, text }: Block) =>
  run(
    text,
    page === 'docs/operation.md'
      ? folders.stopped
      : /\bnpm start\b/.test(text)
        ? folders.started
        : folders.served,
  );

function masked(text: string): unknown {
  return JSON.parse(text, (name, member: unknown) =>
    VARYING.has(name) && typeof member === 'string' ? '*' : member,
  );
}

describe.skipIf(isLeftOut(curlMissing))('shell blocks', { timeout: 2 * MAX_MS }, () => {
  test.each(shells.filter(({ answer }) => answer === null))('$page:$line runs', async (block) => {
    const { status, stderr } = await runBlock(block);
    expect(status, stderr).toBe(0);
  });

  test.each(shells.filter(({ answer }) => answer !== null))('$page:$line has its answer', async (block) => {
    const wanted = masked(block.answer ?? '');
    let last: unknown = null;
    await until(
      'the answer is that of the page',
      async () => {
        const { status, stdout, stderr } = await runBlock(block);
        last = status === 0 ? masked(stdout) : stderr;
        // A verification takes a moment, and is refused before; everything else is right at once.
        return JSON.stringify(last) === JSON.stringify(wanted);
      },
      MAX_MS,
    ).catch(() => undefined);
    expect(last).toEqual(wanted);
  });
});

describe.skipIf(isLeftOut(curlMissing))('commands in sentences and comments', { timeout: 2 * MAX_MS }, () => {
  // Actions stand alone where the page has named the program.
  const commands = [...new Set([...commandsOfSentences(), ...commandsOfComments()].map(named))];

  test.each(commands.filter((text) => !(text in NOT_RUN)))('%s runs', async (text) => {
    // Options in brackets may be left out.
    const { status, stderr } = await run(text.replace(/ (?:-- )?\[.*\]/, ''), folders.stopped);
    expect(status, stderr).toBe(0);
  });

  test('each that is not run is there, and each stand-in is needed', () => {
    expect(Object.keys(NOT_RUN).filter((text) => !commands.includes(text))).toEqual([]);
    const used = new Set(readFileSync(join(scratch, 'used'), 'utf8').split('\n'));
    const all = Object.entries(STAND_INS).flatMap(([name, cases]) =>
      cases.map((_, index) => `${name} ${index}`),
    );
    expect(all.filter((each) => !used.has(each))).toEqual([]);
  });
});

test('every fence of a page is read', () => {
  for (const page of PAGES) {
    const fences = readFileSync(join(ROOT, page), 'utf8').match(/^\s*(?:```|~~~)/gm) ?? [];
    expect(blocks.filter((block) => block.page === page).length * 2, page).toBe(fences.length);
  }
});

const RUN_JS = readFileSync(join(ROOT, 'test/docs/testing.test.ts'), 'utf8');
/** Blocks of other languages: what is wrong with one, or nothing. */
const CHECKERS: Readonly<Record<string, (text: string) => string>> = {
  // Each follows a shell block, with whose answer it is compared.
  json: (text) => (shells.some(({ answer }) => answer === text) ? '' : 'answers no question'),
  // Lines of a test ledger; test-ledger.test.ts imports them.
  '': (text) => text.trim().split('\n').map(faultOfJson).join(''),
  js: (text) => {
    const page = blocks.find((block) => block.text === text)?.page.replace('docs/', '');
    return RUN_JS.includes(`exampleOf('${page}'`) ? '' : 'testing.test.ts does not run it';
  },
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
