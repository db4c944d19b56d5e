import { type Command, type CommandArgument, JSON_OPTION } from '../command.ts';

type Changed = 'page' | 'component' | 'group' | 'incident' | 'update' | 'subscriber';

const MEMBERS: CommandArgument = {
  name: 'member=value',
  summary: 'field to set; see "Members" below',
  isList: true,
};
const ANSWER_OPTION = {
  ...JSON_OPTION,
  summary: 'print the response of the management API instead of a table',
};
const ALIASES: Readonly<Partial<Record<Changed, readonly string[]>>> = {
  component: ['components'],
  group: ['groups'],
  incident: ['incidents', 'maintenance', 'maintenances'],
  subscriber: ['subscribers'],
};
const aliasesOf = (noun: Changed) => ALIASES[noun] ?? [];
const membersOf = (noun: Changed, verb: 'create' | 'update') => async () =>
  (await import('./status-members.ts')).describeMembers(noun, verb);
const idOf = (noun: string): CommandArgument => ({
  name: `${noun}-id`,
  summary: `id of the ${noun}, as "ledgerlens status list" prints it`,
  isRequired: true,
});

const create = (noun: 'component' | 'group' | 'incident' | 'subscriber', summary: string): Command => ({
  name: noun,
  aliases: aliasesOf(noun),
  summary,
  arguments: [{ ...MEMBERS, isRequired: true }],
  loadHelp: membersOf(noun, 'create'),
});

const update = (
  noun: Exclude<Changed, 'subscriber'>,
  summary: string,
  ids: readonly CommandArgument[],
): Command => ({
  name: noun,
  aliases: aliasesOf(noun),
  summary,
  arguments: [...ids, { ...MEMBERS, isRequired: true }],
  loadHelp: membersOf(noun, 'update'),
});

const remove = (noun: 'component' | 'group' | 'incident' | 'subscriber'): Command => ({
  name: noun,
  aliases: aliasesOf(noun),
  summary: `delete a ${noun}`.replace('a incident', 'an incident'),
  arguments: [idOf(noun)],
});

/** `ledgerlens status …` */
export const STATUS_COMMAND: Command = {
  name: 'status',
  summary:
    'read and change the status page: page, component, group, incident, update, subscriber; create tokens',
  notes:
    'Works directly on the database and needs no token; otherwise equivalent to the management API. A running server shows changes within a second.',
  defaultAction: 'show',
  load: () => import('./status.ts'),
  actions: [
    {
      name: 'show',
      summary: 'show the page, the overall status and open incidents; or one resource',
      arguments: [
        { name: 'noun', summary: 'page, component, group, incident or subscriber' },
        { name: 'id', summary: 'id of the resource' },
      ],
      options: [ANSWER_OPTION],
    },
    {
      name: 'list',
      summary: 'list all components, groups or subscribers, or the hundred newest incidents',
      arguments: [{ name: 'noun', summary: 'component, group, incident or subscriber', isRequired: true }],
      options: [
        ANSWER_OPTION,
        { flag: 'search', value: 'text', summary: 'only incidents containing this text' },
      ],
    },
    {
      name: 'create',
      summary: 'add a component, group, incident (or maintenance) or subscriber',
      actions: [
        create('component', 'add a component'),
        create('group', 'put components into a group'),
        create('incident', 'open an incident; with scheduled_for and scheduled_until a maintenance'),
        create('subscriber', 'add a subscriber; its secret is shown only now'),
      ],
    },
    {
      name: 'update',
      summary: 'change the page, a component, a group, an incident or one of its updates',
      actions: [
        update('page', 'change the page', []),
        update('component', 'change a component', [idOf('component')]),
        update('group', 'change a group', [idOf('group')]),
        update('incident', 'change an incident; with body or status it gets an update', [idOf('incident')]),
        update('update', 'change an update of an incident', [idOf('incident'), idOf('update')]),
      ],
    },
    {
      name: 'delete',
      summary: 'delete a component, group, incident or subscriber',
      actions: [remove('component'), remove('group'), remove('incident'), remove('subscriber')],
    },
    {
      name: 'audit',
      summary: 'list the hundred newest changes and who made them',
      options: [ANSWER_OPTION],
    },
    {
      name: 'token',
      summary: 'create a token for the management API',
      arguments: [{ name: 'name', summary: 'who it is for', isRequired: true }],
      options: [{ flag: 'read', summary: 'read-only token' }, JSON_OPTION],
    },
  ],
};
