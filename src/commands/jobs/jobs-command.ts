import { type Command, JSON_OPTION } from '../command.ts';

/** `ledgerlens jobs …` */
export const JOBS_COMMAND: Command = {
  name: 'jobs',
  summary: 'list and cancel verifications that have not finished; a server may keep running',
  defaultAction: 'list',
  load: () => import('./jobs.ts'),
  actions: [
    {
      name: 'list',
      summary: 'list unfinished verifications in the order in which they run, with their clients',
      options: [JSON_OPTION],
    },
    {
      name: 'cancel',
      summary: 'cancel verifications, waiting or running',
      arguments: [
        { name: 'job-id', summary: 'as "ledgerlens jobs list" prints it', isRequired: true, isList: true },
      ],
    },
    {
      name: 'purge',
      summary: 'cancel every verification that waits, or those of one client; running ones finish',
      options: [{ flag: 'client', value: 'client', summary: 'as "ledgerlens jobs list" prints it' }],
    },
  ],
};
