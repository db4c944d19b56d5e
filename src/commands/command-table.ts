import type { Command } from './command.ts';
import { COMPILERS_COMMAND } from './compilers/compilers-command.ts';
import { LEDGER_COMMAND } from './ledger/ledger-command.ts';
import { STATUS_COMMAND } from './status/status-command.ts';

/** Every command of the executable; help, parsing, completion and the reference page are made of it. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    summary: 'migrate the database and serve the three APIs until a stop signal',
    load: () => import('./serve.ts'),
  },
  {
    name: 'import',
    summary: 'verify and import ledger stream files, folders and NDJSON fixtures, in the order given',
    notes:
      'The same again changes nothing, and an interrupted import continues where it stopped. Exit code 1 when units were refused, or left out because they lie before the end of the ledger.',
    arguments: [{ name: 'path', summary: 'file or folder', isRequired: true, isList: true }],
    options: [
      { flag: 'address-book', value: 'file', summary: 'serialized or JSON address book that you vouch for' },
      {
        flag: 'ignore-older',
        summary: 'units of streams before the end of the ledger are left out on purpose: exit code 0',
      },
    ],
    needsRoom: true,
    load: () => import('./import.ts'),
  },
  {
    name: 'migrate',
    summary: 'bring the database schema up to date and say what was done',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'backup',
    summary: 'write a consistent copy of the database to a new file; a server may keep running',
    arguments: [{ name: 'file', summary: 'a file that does not exist yet', isRequired: true }],
    load: () => import('./backup.ts'),
  },
  {
    name: 'copy',
    summary: 'move a whole installation between databases (SQLite, PostgreSQL), and compare both at the end',
    notes:
      'Stop every server first. Whichever of the two is left out is the database of DATABASE_URL, so that a password need not stand in a command line. The target has to be new; an interrupted copy continues when the same command is run again. Exit code 1 when the databases differ.',
    options: [
      { flag: 'from', value: 'url', summary: 'database to read: sqlite:PATH or postgres://USER@HOST/NAME' },
      { flag: 'to', value: 'url', summary: 'new database to fill; a file of SQLite is made' },
    ],
    load: () => import('./copy.ts'),
  },
  COMPILERS_COMMAND,
  {
    name: 'generate',
    summary: 'write a made-up ledger as signed record files, for tests, demonstrations and measurements',
    arguments: [{ name: 'folder', summary: 'new or empty folder', isRequired: true }],
    options: [
      { flag: 'transactions', value: 'count', summary: 'at least this many; default 10000' },
      { flag: 'seed', value: 'text', summary: 'the same seed writes the same bytes; default "ledgerlens"' },
      {
        flag: 'nodes',
        value: 'count',
        summary: 'nodes that sign; the first one keeps the record files; default 4',
      },
      {
        flag: 'accounts',
        value: 'count',
        summary: 'accounts that act, the first far more often than the last; default 5000',
      },
      {
        flag: 'per-file',
        value: 'count',
        summary: 'transactions of a record file, which stands for two seconds; default 250',
      },
      {
        flag: 'mix',
        value: 'name',
        words: ['transfers', 'everyday', 'contracts', 'everything'],
        summary:
          'what happens: transfers, everyday (as on a public network), contracts (calls of contracts above all) or everything (each kind of entity from beginning to end); default everything',
      },
    ],
    load: () => import('./generate.ts'),
  },
  LEDGER_COMMAND,
  STATUS_COMMAND,
  {
    name: 'fees',
    summary:
      'print what a serialized transaction will cost; binary, base64 or hexadecimal, also a list of them',
    arguments: [{ name: 'file', summary: 'the transaction; - reads standard input', isRequired: true }],
    options: [
      {
        flag: 'mode',
        value: 'mode',
        words: ['intrinsic', 'state'],
        summary: 'intrinsic (default): from the bytes alone; state: with what the imported ledger knows',
      },
      {
        flag: 'signatures',
        value: 'count',
        summary: 'as many as the transaction will have; default: those that it has',
      },
      {
        flag: 'high-volume-throttle',
        value: 'n',
        summary: 'assumed use of the high-volume throttle in basis points; default 0',
      },
    ],
    load: () => import('./fees.ts'),
  },
  {
    name: 'demo',
    summary: 'try all three APIs on generated data in a temporary folder',
    options: [
      {
        flag: 'serve',
        summary: 'keep serving until Ctrl-C, on HOST and PORT, and print links to what there is to see',
      },
    ],
    load: () => import('./demo.ts'),
  },
  {
    name: 'check',
    summary: 'look at configuration, database, ledger, compilers and chains without changing anything',
    notes: 'Exit code 1 when something is wrong.',
    load: () => import('./check.ts'),
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in your shell',
    notes:
      'Put this into the file that your shell reads at its start: eval "$(ledgerlens completion bash)"; for fish: ledgerlens completion fish | source',
    arguments: [
      { name: 'shell', summary: 'bash, zsh or fish', words: ['bash', 'zsh', 'fish'], isRequired: true },
    ],
    load: () => import('./completion.ts'),
  },
];
