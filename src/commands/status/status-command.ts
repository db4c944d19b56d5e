import type { Command, CommandArgument, CommandOption } from '../command.ts';

const load = () => import('./status.ts');

type Changed = 'page' | 'component' | 'group' | 'incident' | 'update' | 'subscriber';

const MEMBERS: CommandArgument = {
  name: 'member=value',
  summary: 'what to set; "Members" below lists all of them',
  isList: true,
};
const JSON_OPTION: CommandOption = {
  flag: 'json',
  summary: 'print what the management API answers instead of a table',
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
  load,
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
  load,
});

const remove = (noun: 'component' | 'group' | 'incident' | 'subscriber'): Command => ({
  name: noun,
  aliases: aliasesOf(noun),
  summary: `delete a ${noun}`.replace('a incident', 'an incident'),
  arguments: [idOf(noun)],
  load,
});

/** `ledgerlens status …` */
export const STATUS_COMMAND: Command = {
  name: 'status',
  summary:
    'read and change the status page: page, component, group, incident, update, subscriber; make tokens',
  notes:
    'Does what the management API does, on the database itself and without a token; a running server shows it within a second.',
  defaultAction: 'show',
  actions: [
    {
      name: 'show',
      summary: 'the page, how all is and what is open; or one thing',
      arguments: [
        { name: 'noun', summary: 'page, component, group, incident or subscriber' },
        { name: 'id', summary: 'which one' },
      ],
      options: [JSON_OPTION],
      load,
    },
    {
      name: 'list',
      summary: 'all components, groups or subscribers, or the hundred newest incidents',
      arguments: [{ name: 'noun', summary: 'component, group, incident or subscriber', isRequired: true }],
      options: [JSON_OPTION, { flag: 'search', value: 'text', summary: 'incidents with this text' }],
      load,
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
      summary: 'the hundred newest calls that changed something, and who made them',
      options: [JSON_OPTION],
      load,
    },
    {
      name: 'token',
      summary: 'make a token for the management API',
      arguments: [{ name: 'name', summary: 'who it is for', isRequired: true }],
      options: [{ flag: 'read', summary: 'it may only read' }],
      load,
    },
  ],
};
