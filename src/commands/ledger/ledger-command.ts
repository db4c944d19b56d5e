import { type Command, JSON_OPTION } from '../command.ts';

/** `ledgerlens ledger …` */
export const LEDGER_COMMAND: Command = {
  name: 'ledger',
  summary:
    'show what was imported and verified; accept gaps, rebuild rows, report sizes, delete old transactions',
  notes: 'A server on the same database may keep running.',
  defaultAction: 'units',
  load: () => import('./ledger.ts'),
  actions: [
    {
      name: 'units',
      summary: 'list what was imported, its source and its proof level',
      options: [{ flag: 'each', summary: 'print one line per unit' }, JSON_OPTION],
    },
    {
      name: 'gaps',
      summary: 'list accepted gaps and the gap at which an import would stop; exit code 1 if one is open',
      arguments: [{ name: 'path', summary: 'file or folder; default: the configured sources', isList: true }],
      options: [JSON_OPTION],
    },
    {
      name: 'accept-gap',
      summary: 'let the import continue after permanently missing units',
      notes: 'Balances become unknown, and readiness shows the gap.',
      arguments: [{ name: 'path', summary: 'file or folder; default: the configured sources', isList: true }],
      options: [
        {
          flag: 'reason',
          value: 'text',
          summary: 'why units are missing; shown by readiness and "ledger gaps"',
        },
      ],
    },
    {
      name: 'rebuild',
      summary: 'rebuild rows, prepared responses and state from the stored bytes',
      needsRoom: true,
    },
    { name: 'size', summary: 'report bytes per table and per transaction', options: [JSON_OPTION] },
    {
      name: 'prune',
      summary: 'delete transactions of old units; MIRROR_KEEP_DAYS does this automatically',
      options: [{ flag: 'days', value: 'count', summary: 'days to keep, counted back from the newest unit' }],
    },
  ],
};
