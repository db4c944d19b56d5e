import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { COMMANDS } from './command-table.ts';
import { completeWords } from './complete-words.ts';
import { execute } from './completion.ts';

test.each([
  [['se'], ['serve']],
  [['--v'], ['--version']],
  [['ledger', 'a'], ['accept-gap']],
  [
    ['ledger', 'accept-gap', '--'],
    ['--reason', '--help'],
  ],
  [
    ['status', 'create', ''],
    ['component', 'group', 'incident', 'subscriber'],
  ],
  [['status', 'create', 'components', ''], []],
  [
    ['generate', '--mix', 'every'],
    ['everyday', 'everything'],
  ],
  [['generate', '--mix', 'everyday', ''], []],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['import', ''], []],
  [['nonsense', ''], []],
])('%j goes on with %j', (words, expected) => {
  expect(completeWords(words, COMMANDS)).toEqual(expected);
});

test('the script of bash asks the executable with the words so far', async () => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  await execute({ positionals: ['bash'], values: {}, env: {} });
  vi.restoreAllMocks();
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  try {
    const executable = join(folder, 'ledgerlens');
    writeFileSync(executable, '#!/bin/sh\nprintf "<%s>\\n" "$@"\n');
    chmodSync(executable, 0o755);
    const script = [
      ...printed,
      'COMP_WORDS=(ledgerlens ledger "" more); COMP_CWORD=2; _ledgerlens',
      `printf '%s\\n' "$\{COMPREPLY[@]}"`,
      'complete -p ledgerlens',
    ];
    const out = execFileSync('bash', ['--norc', '-c', script.join('\n')], {
      env: { PATH: `${folder}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    expect(out).toBe('<__complete>\n<ledger>\n<>\ncomplete -o default -F _ledgerlens ledgerlens\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
