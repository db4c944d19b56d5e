import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import type { Command, Invocation, MoreHelp } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { createProgram, withDefaultAction } from './program.ts';

interface Ran {
  readonly name: string;
  readonly positionals: readonly string[];
  readonly values: Invocation['values'];
}

/** What a call runs, prints, and with which code its parser ends. */
async function call(words: readonly string[], moreHelp: ReadonlyMap<string, MoreHelp> = new Map()) {
  const ran: Ran[] = [];
  const program = createProgram({
    commands: COMMANDS,
    version: '1.2.3',
    env: {},
    moreHelp,
    run: async ({ name }, { positionals, values }) => void ran.push({ name, positionals, values }),
  });
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  for (const each of withSubcommands(program)) each.configureOutput({ writeOut: write, writeErr: write });
  try {
    await program.parseAsync([...withDefaultAction(words, COMMANDS)], { from: 'user' });
    return { ran, printed, code: 0 };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { ran, printed, code: error.exitCode };
  }
}

function withSubcommands<P extends { readonly commands: readonly P[] }>(program: P): readonly P[] {
  return [program, ...program.commands.flatMap((each) => withSubcommands(each))];
}

/** Every row with the words that lead to it. */
function rows(
  commands: readonly Command[] = COMMANDS,
  before: readonly string[] = [],
): (readonly [string, Command])[] {
  return commands.flatMap((command) => {
    const path = [...before, command.name];
    return [[path.join(' '), command] as const, ...rows(command.actions ?? [], path)];
  });
}
const ROWS = rows(COMMANDS);

describe('the command line', () => {
  test.each([
    [
      ['import', 'a', 'b', '--ignore-older'],
      { name: 'import', positionals: ['a', 'b'], values: { 'ignore-older': true } },
    ],
    [
      ['import', '--address-book=x', 'a'],
      { name: 'import', positionals: ['a'], values: { 'address-book': 'x' } },
    ],
    [['ledger'], { name: 'units', positionals: ['units'], values: {} }],
    [['ledger', '--each'], { name: 'units', positionals: ['units'], values: { each: true } }],
    [['ledger', 'gaps', 'a'], { name: 'gaps', positionals: ['gaps', 'a'], values: {} }],
    [
      ['status', 'create', 'components', 'name=API'],
      { name: 'component', positionals: ['create', 'component', 'name=API'], values: {} },
    ],
    [
      ['status', 'update', 'maintenance', 'x', 'a=b'],
      { name: 'incident', positionals: ['update', 'incident', 'x', 'a=b'], values: {} },
    ],
    [
      ['compilers', 'add', 'f', '--version', '0.8.1'],
      { name: 'add', positionals: ['add', 'f'], values: { version: '0.8.1' } },
    ],
    [['fees', '-'], { name: 'fees', positionals: ['-'], values: {} }],
    [['fees', '--', '-x'], { name: 'fees', positionals: ['-x'], values: {} }],
  ])('%j', async (words, expected) => {
    expect(await call(words)).toMatchObject({ ran: [expected], code: 0 });
  });

  test.each([
    [['import', '--fast', 'a'], "Unknown option '--fast'"],
    [['import'], "Missing required argument 'path'"],
    [['migrate', 'now'], 'Too many arguments'],
    [['ledger', 'unit'], 'Did you mean units?'],
    [['ledger', 'size', 'x'], 'Too many arguments'],
    [['ledger', 'size', '--each'], "Unknown option '--each'"],
    [['fees', 'a', 'b'], 'Too many arguments'],
    [['fees', 'a', '--mode', 'x'], 'Allowed choices are intrinsic, state'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
    [['status', 'create', 'page', 'name=x'], "Unknown command 'page'"],
    [['import', 'a', '--address-book'], 'argument missing'],
    [['sreve'], 'Did you mean serve?'],
  ])('%j is refused, and says where help is', async (words, text) => {
    const { ran, printed, code } = await call(words);
    expect({ ran, code }).toEqual({ ran: [], code: 1 });
    expect(printed).toContain(text);
    expect(printed).toMatch(/Run "ledgerlens [a-z -]*--help" for /);
  });

  test.each(ROWS.map(([path]) => path))('help of %s', async (path) => {
    const { ran, printed, code } = await call([...path.split(' '), '--help']);
    expect({ ran, code }).toEqual({ ran: [], code: 0 });
    expect(printed).toContain(`Usage: ledgerlens ${path}`);
    expect(await call([...path.split(' '), '-h'])).toMatchObject({ printed });
    const widest = Math.max(
      ...printed
        .split('\n')
        .slice(1)
        .map((line) => line.length),
    );
    expect(widest).toBeLessThanOrEqual(80);
  });

  test.each(ROWS.filter(([, { loadHelp }]) => loadHelp !== undefined))(
    'help of %s names every member and its values',
    async (path, { loadHelp }) => {
      const more = await loadHelp?.();
      const { printed } = await call(
        [...path.split(' '), '--help'],
        new Map(more === undefined ? [] : [[path, more]]),
      );
      expect(more?.items.length).toBeGreaterThan(0);
      for (const [term] of more?.items ?? []) expect(printed).toContain(`  ${term}`);
      if (path.endsWith('component')) {
        const words =
          'operational | under_maintenance | degraded_performance | partial_outage | major_outage';
        expect(printed.replaceAll(/\s+/g, ' ')).toContain(`status=… ${words}`);
      }
      expect(printed).toContain(`ledgerlens ${path}`);
    },
  );

  test('version', async () => {
    expect(await call(['-v'])).toMatchObject({ printed: '1.2.3\n', code: 0 });
    expect(await call(['--version'])).toMatchObject({ printed: '1.2.3\n', code: 0 });
  });
});
