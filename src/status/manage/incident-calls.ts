import { Type } from '@sinclair/typebox';
import type { OpenList } from '../service/status-reads.ts';
import { cut, type ManageRoute, queryText, readStretch } from './manage-route.ts';
import { membersOf } from './read-body.ts';
import {
  IncidentCallSchema,
  IncidentUpdateSchema,
  ManagedIncidentSchema,
  PostmortemCallSchema,
  PostmortemSchema,
  PublishCallSchema,
  UpdateCallSchema,
} from './schemas.ts';

const OPEN_LISTS: Readonly<Record<OpenList, string>> = {
  unresolved: 'Open incidents, newest first',
  upcoming: 'Maintenances that have not begun',
  scheduled: 'Maintenances that are not completed',
  active_maintenance: 'Maintenances in progress or being verified',
};

/** Incidents, maintenances and their updates. @see contracts/status.md section 4, Endpoints served */
export const INCIDENT_CALLS: readonly ManageRoute[] = [
  {
    method: 'GET',
    path: '/incidents',
    summary: 'Incidents and maintenances, newest first; `q` searches their texts',
    answer: Type.Array(ManagedIncidentSchema),
    run: async ({ service, query }) =>
      service.listIncidents(queryText(query, 'q'), readStretch(query, 'limit')),
  },
  ...Object.entries(OPEN_LISTS).map(
    ([list, summary]): ManageRoute => ({
      method: 'GET',
      path: `/incidents/${list}`,
      summary,
      answer: Type.Array(ManagedIncidentSchema),
      run: async ({ service, query }) =>
        cut(await service.listOpenIncidents(list as OpenList), readStretch(query)),
    }),
  ),
  {
    method: 'POST',
    path: '/incidents',
    summary: 'Open an incident or plan a maintenance',
    status: 201,
    body: IncidentCallSchema,
    answer: ManagedIncidentSchema,
    run: async ({ service, body }) => service.createIncident(membersOf(body, 'incident')),
  },
  {
    method: 'GET',
    path: '/incidents/:id',
    summary: 'One incident or maintenance',
    answer: ManagedIncidentSchema,
    run: ({ service, id }) => service.readIncident(id),
  },
  {
    method: 'PATCH',
    path: '/incidents/:id',
    summary: 'Update an incident; a new status or text adds an update, the same call again changes nothing',
    body: IncidentCallSchema,
    answer: ManagedIncidentSchema,
    run: async ({ service, id, body }) => service.updateIncident(id, membersOf(body, 'incident')),
  },
  {
    method: 'DELETE',
    path: '/incidents/:id',
    summary: 'Remove an incident; answers the incident as it was',
    answer: ManagedIncidentSchema,
    run: ({ service, id }) => service.deleteIncident(id),
  },
  {
    method: 'PATCH',
    path: '/incidents/:id/incident_updates/:updateId',
    summary: 'Correct an update',
    body: UpdateCallSchema,
    answer: IncidentUpdateSchema,
    run: async ({ service, id, updateId, body }) =>
      service.editIncidentUpdate(id, updateId, membersOf(body, 'incident_update')),
  },
  {
    method: 'GET',
    path: '/incidents/:id/postmortem',
    summary: 'The postmortem of an incident, published or not',
    answer: PostmortemSchema,
    run: ({ service, id }) => service.readPostmortem(id),
  },
  {
    method: 'PUT',
    path: '/incidents/:id/postmortem',
    summary: 'Write the postmortem; visitors see it when it is published',
    body: PostmortemCallSchema,
    answer: PostmortemSchema,
    run: async ({ service, id, body }) => service.writePostmortem(id, membersOf(body, 'postmortem')),
  },
  {
    method: 'DELETE',
    path: '/incidents/:id/postmortem',
    summary: 'Take the postmortem back and forget it',
    status: 204,
    run: ({ service, id }) => service.deletePostmortem(id),
  },
  {
    method: 'PUT',
    path: '/incidents/:id/postmortem/publish',
    summary: 'Show the postmortem of a resolved incident',
    body: PublishCallSchema,
    answer: PostmortemSchema,
    run: async ({ service, id, body }) => service.publishPostmortem(id, membersOf(body, 'postmortem')),
  },
  {
    method: 'PUT',
    path: '/incidents/:id/postmortem/revert',
    summary: 'Take the postmortem back; its text stays',
    answer: PostmortemSchema,
    run: ({ service, id }) => service.revertPostmortem(id),
  },
];
