import { Type } from '@sinclair/typebox';
import type { Input } from '../rules/input-members.ts';
import { cut, type ManageRoute, readStretch } from './manage-route.ts';
import { membersOf } from './read-body.ts';
import {
  ComponentCallSchema,
  GroupCallSchema,
  ManagedComponentSchema,
  ManagedGroupSchema,
  UptimeSchema,
} from './schemas.ts';

/** Components and groups. @see contracts/status.md section 4, Endpoints served */
export const COMPONENT_CALLS: readonly ManageRoute[] = [
  {
    method: 'GET',
    path: '/components',
    summary: 'Components and groups',
    answer: Type.Array(ManagedComponentSchema),
    run: async ({ service, query }) => cut(await service.listComponents(), readStretch(query)),
  },
  {
    method: 'POST',
    path: '/components',
    summary: 'Add a component',
    status: 201,
    body: ComponentCallSchema,
    answer: ManagedComponentSchema,
    run: async ({ service, body }) => service.createComponent(membersOf(body, 'component')),
  },
  {
    method: 'GET',
    path: '/components/:id',
    summary: 'One component',
    answer: ManagedComponentSchema,
    run: ({ service, id }) => service.readComponent(id),
  },
  {
    method: 'PATCH',
    path: '/components/:id',
    summary: 'Change a component; members that are not given stay',
    body: ComponentCallSchema,
    answer: ManagedComponentSchema,
    run: async ({ service, id, body }) => service.updateComponent(id, membersOf(body, 'component')),
  },
  {
    method: 'DELETE',
    path: '/components/:id',
    summary: 'Remove a component; a group frees its children first',
    status: 204,
    run: ({ service, id }) => service.deleteComponent(id),
  },
  {
    method: 'GET',
    path: '/components/:id/uptime',
    summary: 'Uptime of a component from `start` to `end`, by default of the last 30 days',
    answer: UptimeSchema,
    run: async ({ service, id, query }) => service.readComponentUptime(id, query),
  },
  {
    method: 'GET',
    path: '/component-groups/:id/uptime',
    summary: 'Mean uptime of the components of a group',
    answer: UptimeSchema,
    run: async ({ service, id, query }) => service.readGroupUptime(id, query),
  },
  {
    method: 'GET',
    path: '/component-groups',
    summary: 'Groups',
    answer: Type.Array(ManagedGroupSchema),
    run: async ({ service, query }) => cut(await service.listGroups(), readStretch(query)),
  },
  {
    method: 'POST',
    path: '/component-groups',
    summary: 'Make a group of existing components',
    status: 201,
    body: GroupCallSchema,
    answer: ManagedGroupSchema,
    run: async ({ service, body }) => service.createGroup(groupMembers(body)),
  },
  {
    method: 'GET',
    path: '/component-groups/:id',
    summary: 'One group',
    answer: ManagedGroupSchema,
    run: ({ service, id }) => service.readGroup(id),
  },
  {
    method: 'PATCH',
    path: '/component-groups/:id',
    summary: 'Change a group; members that are not given stay',
    body: GroupCallSchema,
    answer: ManagedGroupSchema,
    run: async ({ service, id, body }) => service.updateGroup(id, groupMembers(body)),
  },
  {
    method: 'DELETE',
    path: '/component-groups/:id',
    summary: 'Remove a group; answers the group as it was',
    answer: ManagedGroupSchema,
    run: ({ service, id }) => service.deleteGroup(id),
  },
];

/**
 * The members of a group. They may stand beside it as well, where the published description of the API has the
 * description and one Terraform provider, when it updates, all of them; inside wins.
 */
function groupMembers(body: Input): Input {
  const beside = Object.entries(body).filter(([name]) => GROUP_MEMBERS.has(name));
  return { ...Object.fromEntries(beside), ...membersOf(body, 'component_group') };
}

const GROUP_MEMBERS: ReadonlySet<string> = new Set(['name', 'description', 'components']);
