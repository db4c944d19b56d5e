import { type Command, JSON_OPTION } from './command.ts';
import { COMPILERS_COMMAND } from './compilers/compilers-command.ts';
import { JOBS_COMMAND } from './jobs/jobs-command.ts';
import { LEDGER_COMMAND } from './ledger/ledger-command.ts';
import { STATUS_COMMAND } from './status/status-command.ts';

/** Every command of the executable; help, parsing, completion and the reference page are made of it. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    summary: 'migrate the database and serve the three APIs until a stop signal',
    options: [
      { flag: 'port', value: 'port', summary: 'where to listen, one or a list; default: PORT' },
      { flag: 'host', value: 'address', summary: 'address to listen on; default: HOST' },
    ],
    load: () => import('./serve.ts'),
  },
  {
    name: 'import',
    summary: 'verify and import ledger stream files, folders and NDJSON fixtures, in the order given',
    notes:
      'Importing the same files again changes nothing, and an interrupted import resumes where it stopped. Exit code 1 when units were rejected, or skipped because they are older than the end of the ledger.',
    arguments: [{ name: 'path', summary: 'file or folder', isRequired: true, isList: true }],
    options: [
      { flag: 'address-book', value: 'file', summary: 'serialized or JSON address book that you trust' },
      {
        flag: 'ignore-older',
        summary: 'skip units before the end of the ledger without failing',
      },
      JSON_OPTION,
    ],
    needsRoom: true,
    load: () => import('./import.ts'),
  },
  {
    name: 'migrate',
    summary: 'bring the database schema up to date and report what was done',
    options: [JSON_OPTION],
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
      'Stop every server first. The omitted side defaults to DATABASE_URL, so that no password appears on the command line. The target must be new; run the same command again to resume an interrupted copy. Exit code 1 when the databases differ.',
    options: [
      { flag: 'from', value: 'url', summary: 'database to read: sqlite:PATH or postgres://USER@HOST/NAME' },
      { flag: 'to', value: 'url', summary: 'new database to fill; an SQLite file is created' },
    ],
    load: () => import('./copy.ts'),
  },
  COMPILERS_COMMAND,
  JOBS_COMMAND,
  {
    name: 'generate',
    summary: 'write a generated ledger as signed record files, for tests, demos and benchmarks',
    arguments: [{ name: 'folder', summary: 'new or empty folder', isRequired: true }],
    options: [
      { flag: 'transactions', value: 'count', summary: 'minimum number of transactions; default 10000' },
      { flag: 'seed', value: 'text', summary: 'the same seed writes the same bytes; default "ledgerlens"' },
      {
        flag: 'nodes',
        value: 'count',
        summary: 'number of signing nodes; the first one stores the record files; default 4',
      },
      {
        flag: 'accounts',
        value: 'count',
        summary: 'number of active accounts, the first far more active than the last; default 5000',
      },
      {
        flag: 'per-file',
        value: 'count',
        summary: 'transactions per record file, which covers two seconds; default 250',
      },
      {
        flag: 'mix',
        value: 'name',
        words: ['transfers', 'everyday', 'contracts', 'everything'],
        summary:
          'kind of activity: transfers, everyday (as on a public network), contracts (mostly contract calls) or everything (the whole life of each kind of entity); default everything',
      },
    ],
    load: () => import('./generate.ts'),
  },
  LEDGER_COMMAND,
  STATUS_COMMAND,
  {
    name: 'fees',
    summary:
      'print what a serialized transaction, or a list of them, will cost; binary, base64 or hexadecimal',
    arguments: [{ name: 'file', summary: 'the transaction; - reads standard input', isRequired: true }],
    options: [
      {
        flag: 'mode',
        value: 'mode',
        words: ['intrinsic', 'state'],
        summary: 'intrinsic (default): from the bytes only; state: also from the imported ledger',
      },
      {
        flag: 'signatures',
        value: 'count',
        summary: 'number of signatures the transaction will have; default: those it has',
      },
      {
        flag: 'high-volume-throttle',
        value: 'n',
        summary: 'assumed utilization of the high-volume throttle in basis points; default 0',
      },
      JSON_OPTION,
    ],
    load: () => import('./fees.ts'),
  },
  {
    name: 'demo',
    summary: 'try all three APIs on generated data in a temporary folder',
    options: [
      {
        flag: 'serve',
        summary: 'keep serving on HOST and PORT until Ctrl-C, and print links to its pages',
      },
    ],
    load: () => import('./demo.ts'),
  },
  {
    name: 'check',
    summary: 'check configuration, database, ledger, compilers and chains without changing anything',
    notes:
      'Exit code 1 when something is wrong. With --json, a list of objects with part, ok (true or false) and detail.',
    options: [
      {
        flag: 'database',
        summary:
          'also read the whole database and compare its ledger with the bytes that were imported; takes about as long as the import',
      },
      JSON_OPTION,
    ],
    load: () => import('./check.ts'),
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in your shell',
    notes:
      'Add this to the startup file of your shell: eval "$(ledgerlens completion bash)"; for fish: ledgerlens completion fish | source',
    arguments: [
      { name: 'shell', summary: 'bash, zsh or fish', words: ['bash', 'zsh', 'fish'], isRequired: true },
    ],
    load: () => import('./completion.ts'),
  },
];
