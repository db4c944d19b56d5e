import type { Command } from '../command.ts';

const load = () => import('./ledger.ts');

/** `ledgerlens ledger …` */
export const LEDGER_COMMAND: Command = {
  name: 'ledger',
  summary:
    'show what was imported and verified; accept gaps, rebuild rows, report sizes, delete old transactions',
  notes: 'A server on the same database may keep running.',
  defaultAction: 'units',
  actions: [
    {
      name: 'units',
      summary: 'what was imported from where, and how far it was verified',
      options: [{ flag: 'each', summary: 'one line for each unit' }],
      load,
    },
    {
      name: 'gaps',
      summary: 'accepted gaps, and where an import would stop; exit code 1 when one is open',
      arguments: [{ name: 'path', summary: 'file or folder; default: the configured sources', isList: true }],
      load,
    },
    {
      name: 'accept-gap',
      summary: 'let the import continue after units that are lost for good',
      notes: 'Balances become unknown, and readiness shows the gap.',
      arguments: [{ name: 'path', summary: 'file or folder; default: the configured sources', isList: true }],
      options: [
        {
          flag: 'reason',
          value: 'text',
          summary: 'why units are missing; readiness and "ledger gaps" show it',
        },
      ],
      load,
    },
    {
      name: 'rebuild',
      summary: 'derive rows, prepared answers and state once more from the stored bytes',
      needsRoom: true,
      load,
    },
    { name: 'size', summary: 'bytes per table and per transaction', load },
    {
      name: 'prune',
      summary: 'delete transactions of old units; MIRROR_KEEP_DAYS does so by itself',
      options: [{ flag: 'days', value: 'count', summary: 'days to keep, counted back from the newest unit' }],
      load,
    },
  ],
};
