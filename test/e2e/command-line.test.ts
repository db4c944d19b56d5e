import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/commands/command-table.ts';
import { aFolder } from '../kit/storage/a-folder.ts';
import { isLeftOut } from '../support/left-out.ts';
import { cleanEnvironment, ensureBuilt, freePort, runCommand, until } from '../support/serve-process.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const FIXTURE = fileURLToPath(new URL('wallet.ndjson', import.meta.url));

describe('help', () => {
  test.each([
    [['help', 'bogus'], "Unknown command 'bogus'"],
    [['bogus', '--help'], "Unknown command 'bogus'"],
    [['help', 'status', 'bogus'], "Unknown command 'bogus'"],
    [['help', 'status', 'create', 'componentt'], "Unknown command 'componentt'"],
    [['help', 'status', 'create', 'component', 'bogus'], "Unknown command 'bogus'"],
    [['help', 'ledger', 'units', 'bogus'], "Unknown command 'bogus'"],
    [['help', 'import', 'some-file'], "Unknown command 'some-file'"],
    [['ledger', 'units', 'bogus', '--help'], "Unknown command 'bogus'"],
    [['serve', '--help', 'bogus'], "Unknown command 'bogus'"],
    [['--help', 'bogus'], "Unknown command 'bogus'"],
  ])('of what there is not is an error: %o', (words, text) => {
    expect(runCommand(words, {}, aFolder())).toMatchObject({
      exitCode: 2,
      output: '',
      errors: expect.stringContaining(text),
    });
  });

  test.each([
    [['help', 'import'], 'ledgerlens import'],
    [['import', 'some-file', '--help'], 'ledgerlens import'],
    [['serve', '--port', '1', '--help'], 'ledgerlens serve'],
    [['help', 'status', 'create', 'component'], 'Members:'],
    [['help'], 'COMMAND'],
  ])('of what there is: %o', (words, text) => {
    expect(runCommand(words, {}, aFolder())).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(text),
    });
  });
});

test('commands that print facts print them as JSON', () => {
  const folder = aFolder();
  const json = (...words: string[]) => {
    const { errors, exitCode, output } = runCommand([...words, '--json'], {}, folder);
    expect([words, exitCode, errors]).toEqual([words, 0, '']);
    return JSON.parse(output);
  };
  const { from, migrations, to } = json('migrate');
  expect([from, migrations.length]).toEqual([0, to]);
  expect(json('migrate')).toEqual({ from: to, to, migrations: [] });
  const [report] = json('import', FIXTURE);
  expect(report).toMatchObject({ source: FIXTURE, refused: [], leftBehind: null });
  expect(json('ledger', 'units')).toEqual({
    units: [expect.objectContaining({ units: report.units, from: expect.stringMatching(/^\d+\.\d{9}$/) })],
    ledgerIds: [],
  });
  expect(json('ledger', 'size').transactions).toBe(report.transactions);
  expect(json('ledger', 'gaps')).toEqual({ accepted: [], breaks: [], open: [], problems: [] });
  expect(json('check')).toContainEqual({ part: 'schema', ok: true, detail: `version ${to}` });
  expect(json('compilers', 'list')).toContainEqual(
    expect.objectContaining({ language: 'solc', version: expect.stringMatching(/^0\.8\.\d+/) }),
  );
  expect(json('jobs', 'list')).toEqual([]);
  expect(json('status', 'token', 'ci')).toEqual({
    token: expect.any(String),
    entry: expect.stringMatching(/^ci:write:/),
  });
});

test('the table of commands offers --json for each of them', () => {
  const withJson = COMMANDS.flatMap(({ actions = [], name, options = [] }) => [
    ...(options.some(({ flag }) => flag === 'json') ? [name] : []),
    ...actions
      .filter((action) => action.options?.some(({ flag }) => flag === 'json'))
      .map((action) => `${name} ${action.name}`),
  ]);
  expect(withJson.sort()).toEqual([
    'check',
    'compilers check',
    'compilers list',
    'fees',
    'import',
    'jobs list',
    'ledger gaps',
    'ledger size',
    'ledger units',
    'migrate',
    'status audit',
    'status list',
    'status show',
    'status token',
  ]);
});

/** Starts a server by these words until it serves. @returns what it printed. */
async function served(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  ensureBuilt();
  const [program = '', ...args] = words;
  const child = spawn(program, args, { cwd: aFolder(), env: cleanEnvironment(env), detached: true });
  onTestFinished(() => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  await until('it serves', async () => printed.includes('serves http'));
  return printed;
}

test('serve takes its address from options, and reports each migration and its listening once', async () => {
  const port = String(await freePort());
  const words = [process.execPath, MAIN, 'serve', '--port', port, '--host', '127.0.0.1'];
  const lines = (await served(words, { PORT: '1', HOST: 'nowhere.invalid' }))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly migration?: string; readonly msg: string });
  expect(lines.at(-1)?.msg).toContain(`serves http://127.0.0.1:${port}`);
  const migrations = lines.flatMap(({ migration }) => migration ?? []);
  expect(migrations).toEqual([...new Set(migrations)].sort());
  expect([migrations[0], lines.length]).toEqual([expect.stringMatching(/^0001-/), migrations.length + 1]);
});

const { error: noTerminal } = spawnSync('script', ['--version']);
const isColoured = (text: string) => text.includes('\u001b[3');

test.skipIf(isLeftOut(noTerminal === undefined ? null : `skipped: no terminal: ${noTerminal.message}`))(
  'a terminal gets a line for each message, and NO_COLOR turns its colours off',
  async () => {
    const command = `'${process.execPath}' '${MAIN}' serve`;
    const inTerminal = async (env: Readonly<Record<string, string>>) =>
      served(['script', '-qec', command, '/dev/null'], { PORT: String(await freePort()), ...env });
    expect(isColoured(await inTerminal({}))).toBe(true);
    expect(isColoured(await inTerminal({ NO_COLOR: '' }))).toBe(true);
    const plain = await inTerminal({ NO_COLOR: '1' });
    expect(isColoured(plain)).toBe(false);
    for (const line of plain.trim().split(/\r?\n/)) expect(line).toMatch(/^\[[\d:.]+\] INFO: /);
  },
);
