import type { ParseArgsConfig } from 'node:util';
import type { CommandModule } from './invocation.ts';

/** One row of the table that drives parsing and help; a command is loaded only when it runs. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly optionHelp: Readonly<Record<string, string>>;
  readonly load: () => Promise<CommandModule>;
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    usage: 'serve',
    summary: 'migrate the database and serve the three APIs until a stop signal',
    options: {},
    optionHelp: {},
    load: () => import('./serve.ts'),
  },
  {
    name: 'import',
    usage: 'import PATH... [--address-book FILE] [--ignore-older]',
    summary: 'verify and import ledger stream files, folders and NDJSON fixtures, in the order given',
    options: { 'address-book': { type: 'string' }, 'ignore-older': { type: 'boolean' } },
    optionHelp: {
      'address-book': 'serialized or JSON address book that you vouch for',
      'ignore-older': 'units of streams before the end of the ledger are left out on purpose: exit code 0',
    },
    load: () => import('./import.ts'),
  },
  {
    name: 'migrate',
    usage: 'migrate',
    summary: 'bring the database schema up to date and say what was done',
    options: {},
    optionHelp: {},
    load: () => import('./migrate.ts'),
  },
  {
    name: 'compilers',
    usage: 'compilers list | fetch VERSION... | add FILE... | check',
    summary: 'list, fetch, add and check the compilers that verifications can use',
    options: {
      available: { type: 'boolean' },
      from: { type: 'string' },
      kind: { type: 'string' },
      language: { type: 'string' },
      version: { type: 'string' },
      sha256: { type: 'string' },
    },
    optionHelp: {
      available: 'list: also what the release list and the npm registry offer',
      from: 'fetch: only from "list" (release list) or "registry" (as npm is configured)',
      kind: 'fetch: "wasm" (default) or "native" (an executable of this platform)',
      language: 'fetch: solc; add: solc, vyper or fe, when the file name does not say',
      version: 'add: full version, when the file name does not say',
      sha256: 'add: checksum that the file must have, from where you got it',
    },
    load: () => import('./compilers/compilers.ts'),
  },
  {
    name: 'generate',
    usage:
      'generate FOLDER [--transactions N] [--seed TEXT] [--nodes N] [--accounts N] [--per-file N] [--mix NAME]',
    summary: 'write a made-up ledger as signed record files, for tests, demonstrations and measurements',
    options: {
      transactions: { type: 'string' },
      seed: { type: 'string' },
      nodes: { type: 'string' },
      accounts: { type: 'string' },
      'per-file': { type: 'string' },
      mix: { type: 'string' },
    },
    optionHelp: {
      transactions: 'at least this many; default 10000',
      seed: 'the same seed writes the same bytes; default "ledgerlens"',
      nodes: 'nodes that sign; the first one keeps the record files; default 4',
      accounts: 'accounts that act, the first far more often than the last; default 5000',
      'per-file': 'transactions of a record file, which stands for two seconds; default 250',
      mix: 'what happens: transfers, everyday (as on a public network) or everything (each kind of entity from beginning to end); default everything',
    },
    load: () => import('./generate.ts'),
  },
  {
    name: 'ledger',
    usage: 'ledger units | gaps | accept-gap | rebuild | size | prune',
    summary: 'what was imported and verified; allow a jump, rebuild rows, report size, delete old ones',
    options: {
      each: { type: 'boolean' },
      reason: { type: 'string' },
      days: { type: 'string' },
    },
    optionHelp: {
      each: 'units: one line per unit',
      reason: 'accept-gap: why units are missing; readiness and "ledger gaps" show it',
      days: 'prune: days to keep, counted back from the newest unit',
    },
    load: () => import('./ledger/ledger.ts'),
  },
  {
    name: 'status',
    usage: 'status show | list NOUN | create NOUN | update NOUN ID | delete NOUN ID | audit | token NAME',
    summary:
      'read and change the status page: page, component, group, incident, update, subscriber; make tokens',
    options: {
      json: { type: 'boolean' },
      read: { type: 'boolean' },
      search: { type: 'string' },
    },
    optionHelp: {
      json: 'print what the management API answers instead of a table',
      read: 'token: it may only read',
      search: 'list incident: those with this text',
    },
    load: () => import('./status/status.ts'),
  },
  {
    name: 'fees',
    usage: 'fees FILE|- [--mode MODE] [--signatures N] [--high-volume-throttle N]',
    summary:
      'print what a serialized transaction will cost; binary, base64 or hexadecimal, also a list of them',
    options: {
      mode: { type: 'string' },
      signatures: { type: 'string' },
      'high-volume-throttle': { type: 'string' },
    },
    optionHelp: {
      mode: '"intrinsic" (default): from the bytes alone, or "state": with what the imported ledger knows',
      signatures: 'as many as the transaction will have; default: those that it has',
      'high-volume-throttle': 'assumed use of the high-volume throttle in basis points; default 0',
    },
    load: () => import('./fees.ts'),
  },
  {
    name: 'demo',
    usage: 'demo',
    summary: 'show all three APIs on data that the demo makes itself, in a temporary folder',
    options: {},
    optionHelp: {},
    load: () => import('./demo.ts'),
  },
  {
    name: 'check',
    usage: 'check',
    summary: 'look at configuration, database, ledger, compilers and chains without changing anything',
    options: {},
    optionHelp: {},
    load: () => import('./check.ts'),
  },
];

/** The help of one command, or of all. */
export function renderHelp(command?: Command): string {
  if (command === undefined) {
    const width = Math.max(...COMMANDS.map(({ usage }) => usage.length));
    const rows = COMMANDS.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`);
    return [
      'Usage: ledgerlens COMMAND',
      '',
      ...rows,
      '',
      'Configuration: environment variables, see README.',
    ].join('\n');
  }
  const options = Object.entries(command.optionHelp).map(([name, help]) => `  --${name}  ${help}`);
  return [`Usage: ledgerlens ${command.usage}`, '', `  ${command.summary}`, ...options].join('\n');
}
