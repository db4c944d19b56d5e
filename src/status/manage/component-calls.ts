import { Type } from '@sinclair/typebox';
import {
  ComponentCallSchema,
  GroupCallSchema,
  ManagedComponentSchema,
  ManagedGroupSchema,
  UptimeSchema,
} from '../documents/managed-schemas.ts';
import type { Input } from '../rules/input-members.ts';
import { cut, type ManageCall, type ManageCalls, readStretch, sizedBy, UNCHANGED } from './manage-route.ts';
import { membersOf } from './read-body.ts';

const RANGE: ManageCall['adds'] = {
  start: {
    description: 'Start of the range: a date or an instant.',
    example: '2026-01-01',
    schema: Type.String(),
  },
  end: {
    description: 'End of the range; default: now.',
    example: '2026-01-31T12:00:00Z',
    schema: Type.String(),
  },
};

/** Components and groups. @see contracts/status.md section 4, Endpoints served */
export const COMPONENT_CALLS: ManageCalls = {
  'GET /v1/pages/:pageId/components': {
    id: 'listManagedComponents',
    about: 'Components and groups in page order.',
    adds: sizedBy('per_page'),
    summary: 'Components and groups',
    answer: Type.Array(ManagedComponentSchema),
    run: async ({ service, query }) => cut(await service.listComponents(), readStretch(query)),
  },
  'POST /v1/pages/:pageId/components': {
    id: 'createComponent',
    about: 'Adds a component at the end of the page or of its group.',
    summary: 'Add a component',
    body: ComponentCallSchema,
    answer: ManagedComponentSchema,
    run: async ({ service, body }) => service.createComponent(membersOf(body, 'component')),
  },
  'GET /v1/pages/:pageId/components/:id': {
    id: 'getManagedComponent',
    about: 'One component with the members that only the management API shows.',
    summary: 'One component',
    answer: ManagedComponentSchema,
    run: ({ service, id }) => service.readComponent(id),
  },
  'PATCH /v1/pages/:pageId/components/:id': {
    id: 'updateComponent',
    about: `Changes a component, for example its status; omitted members stay unchanged. ${UNCHANGED}`,
    summary: 'Change a component; omitted members stay unchanged',
    body: ComponentCallSchema,
    answer: ManagedComponentSchema,
    run: async ({ service, id, body }) => service.updateComponent(id, membersOf(body, 'component')),
  },
  'DELETE /v1/pages/:pageId/components/:id': {
    id: 'deleteComponent',
    about: 'Removes a component; a group frees its children first.',
    summary: 'Remove a component; a group frees its children first',
    run: ({ service, id }) => service.deleteComponent(id),
  },
  'GET /v1/pages/:pageId/components/:id/uptime': {
    id: 'getComponentUptime',
    about: 'Uptime of a component in a range of time.',
    adds: RANGE,
    summary: 'Uptime of a component from `start` to `end`, by default of the last 30 days',
    answer: UptimeSchema,
    run: async ({ service, id, query }) => service.readComponentUptime(id, query),
  },
  'GET /v1/pages/:pageId/component-groups/:id/uptime': {
    id: 'getGroupUptime',
    about: 'Mean uptime of the components of a group in a range of time.',
    adds: RANGE,
    summary: 'Mean uptime of the components of a group',
    answer: UptimeSchema,
    run: async ({ service, id, query }) => service.readGroupUptime(id, query),
  },
  'GET /v1/pages/:pageId/component-groups': {
    id: 'listGroups',
    about: 'Groups with the ids of their components.',
    adds: sizedBy('per_page'),
    summary: 'Groups',
    answer: Type.Array(ManagedGroupSchema),
    run: async ({ service, query }) => cut(await service.listGroups(), readStretch(query)),
  },
  'POST /v1/pages/:pageId/component-groups': {
    id: 'createGroup',
    about: 'Creates a group of existing components.',
    summary: 'Create a group of existing components',
    body: GroupCallSchema,
    answer: ManagedGroupSchema,
    run: async ({ service, body }) => service.createGroup(groupMembers(body)),
  },
  'GET /v1/pages/:pageId/component-groups/:id': {
    id: 'getGroup',
    about: 'One group with the ids of its components.',
    summary: 'One group',
    answer: ManagedGroupSchema,
    run: ({ service, id }) => service.readGroup(id),
  },
  'PATCH /v1/pages/:pageId/component-groups/:id': {
    id: 'updateGroup',
    about: `Changes a group or its components. ${UNCHANGED}`,
    summary: 'Change a group; omitted members stay unchanged',
    body: GroupCallSchema,
    answer: ManagedGroupSchema,
    run: async ({ service, id, body }) => service.updateGroup(id, groupMembers(body)),
  },
  'DELETE /v1/pages/:pageId/component-groups/:id': {
    id: 'deleteGroup',
    about: 'Removes a group and keeps its components; returns the group as it was.',
    summary: 'Remove a group; returns the group as it was',
    answer: ManagedGroupSchema,
    run: ({ service, id }) => service.deleteGroup(id),
  },
};

/**
 * The members of a group. They may stand beside it as well, where the published description of the API has the
 * description and one Terraform provider, when it updates, all of them; inside wins.
 */
function groupMembers(body: Input): Input {
  const beside = Object.entries(body).filter(([name]) => GROUP_MEMBERS.has(name));
  return { ...Object.fromEntries(beside), ...membersOf(body, 'component_group') };
}

const GROUP_MEMBERS: ReadonlySet<string> = new Set(['name', 'description', 'components']);
