import type { StatusService } from '../../status/index.ts';
import { printableText } from '../../values/printable-text.ts';
import { renderTable } from '../print-facts.ts';
import type { Action } from '../read-words.ts';
import { CALLED, readId, readNoun } from './status-noun.ts';

/** One action on the page; returns the text to print. */
export type StatusAction = Action<StatusService, string>;

const WHOLE = { offset: 0, limit: 100 } as const;

/** `status show`: the page, how all is, its components and what is open. */
export const showPage: StatusAction = async (service, _words, values) => {
  const page = await service.readPage();
  const status = await service.readOverallStatus();
  const components = await service.listComponents();
  const open = [
    ...(await service.listOpenIncidents('unresolved')),
    ...(await service.listOpenIncidents('scheduled')),
  ];
  if (values['json'] === true) return print({ page, status, components, open });
  return [
    `${printableText(`${page.name}  ${page.url}  page ${page.id}`)}\n${status.description}`,
    renderTable([
      ['status', 'id', 'component'],
      ...components
        .filter(({ group }) => !group)
        .map(({ status, id, name, group_id }) => {
          const group = components.find((each) => each.id === group_id);
          return [status, id, group === undefined ? name : `${group.name} - ${name}`];
        }),
    ]),
    open.length === 0 ? 'Nothing is open.' : renderTable([HEAD, ...open.map(incidentRow)]),
  ].join('\n\n');
};

/** `status show NOUN ID`: one thing as the management API answers it. */
export const showThing: StatusAction = async (service, [word, id]) => {
  const noun = readNoun(word, ['page', 'component', 'group', 'incident', 'subscriber']);
  if (noun === 'page') return print(await service.readPage());
  return print(await service[`read${CALLED[noun]}`](readId(id, noun)));
};

/** `status list NOUN`: at most the hundred newest incidents, and the thousand subscribers that there may be. */
export const listResources: StatusAction = async (service, [word], values) => {
  const isJson = values['json'] === true;
  switch (readNoun(word, ['component', 'group', 'incident', 'subscriber'])) {
    case 'subscriber': {
      const subscribers = await service.listSubscribers({ offset: 0, limit: 1000 });
      if (isJson) return print(subscribers);
      return renderTable([
        ['id', 'created', 'email', 'endpoint'],
        ...subscribers.map(({ id, created_at, email, endpoint }) => [
          id,
          created_at,
          email ?? '',
          endpoint ?? '',
        ]),
      ]);
    }
    case 'component': {
      const components = (await service.listComponents()).filter(({ group }) => !group);
      if (isJson) return print(components);
      return renderTable([
        ['id', 'status', 'position', 'name'],
        ...components.map(({ id, status, position, name }) => [id, status, String(position), name]),
      ]);
    }
    case 'group': {
      const groups = await service.listGroups();
      if (isJson) return print(groups);
      return renderTable([
        ['id', 'components', 'name'],
        ...groups.map(({ id, components, name }) => [id, components.join(' '), name]),
      ]);
    }
    default: {
      const search = typeof values['search'] === 'string' ? values['search'] : '';
      const incidents = await service.listIncidents(search, WHOLE);
      return isJson ? print(incidents) : renderTable([HEAD, ...incidents.map(incidentRow)]);
    }
  }
};

/** `status audit`: the hundred newest calls that changed something. */
export const listAudit: StatusAction = async (service, _words, values) => {
  const entries = await service.listAudit(WHOLE);
  if (values['json'] === true) return print(entries);
  return renderTable([
    ['at', 'by', 'call', 'id', 'changed'],
    ...entries.map(({ at, actor, call, id, before, after }) => [
      at,
      actor,
      call,
      id,
      before === null || after === null ? '' : Object.keys(after).join(', '),
    ]),
  ]);
};

const HEAD = ['id', 'status', 'impact', 'created', 'name'];

function incidentRow(incident: {
  readonly id: string;
  readonly status: string;
  readonly impact: string;
  readonly created_at: string;
  readonly name: string;
}): readonly string[] {
  return [incident.id, incident.status, incident.impact, incident.created_at, incident.name];
}

export function print(thing: unknown): string {
  return JSON.stringify(thing, null, 2);
}
