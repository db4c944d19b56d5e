import { Type } from '@sinclair/typebox';
import {
  IncidentCallSchema,
  ManagedIncidentSchema,
  PostmortemCallSchema,
  PostmortemSchema,
  PublishCallSchema,
  UpdateCallSchema,
} from '../documents/managed-schemas.ts';
import { IncidentUpdateSchema } from '../documents/schemas.ts';
import type { OpenList } from '../service/status-reads.ts';
import {
  cut,
  type ManageCall,
  type ManageCalls,
  queryText,
  readStretch,
  sizedBy,
  UNCHANGED,
} from './manage-route.ts';
import { membersOf } from './read-body.ts';

const OPEN_LISTS: Readonly<Record<OpenList, Pick<ManageCall, 'id' | 'summary' | 'about'>>> = {
  unresolved: {
    id: 'listOpenIncidents',
    summary: 'Open incidents, newest first',
    about: 'Open incidents, newest first.',
  },
  upcoming: {
    id: 'listManagedUpcomingMaintenances',
    summary: 'Maintenances that have not started',
    about: 'Maintenances that have not started.',
  },
  scheduled: {
    id: 'listScheduledMaintenances',
    summary: 'Maintenances that are not completed',
    about: 'Maintenances that are not completed.',
  },
  active_maintenance: {
    id: 'listManagedActiveMaintenances',
    summary: 'Maintenances in progress or being verified',
    about: 'Maintenances that are in progress or being verified.',
  },
};

/** Incidents, maintenances and their updates. @see contracts/status.md section 4, Endpoints served */
export const INCIDENT_CALLS: ManageCalls = {
  'GET /v1/pages/:pageId/incidents': {
    id: 'listManagedIncidents',
    about: 'Incidents and maintenances, newest first.',
    adds: {
      q: { description: 'Only those whose texts contain this.', example: 'database', schema: Type.String() },
      ...sizedBy('limit'),
    },
    summary: 'Incidents and maintenances, newest first; `q` searches their texts',
    answer: Type.Array(ManagedIncidentSchema),
    run: async ({ service, query }) =>
      service.listIncidents(queryText(query, 'q'), readStretch(query, 'limit')),
  },
  ...Object.fromEntries(
    Object.entries(OPEN_LISTS).map(([list, words]): [string, ManageCall] => [
      `GET /v1/pages/:pageId/incidents/${list}`,
      {
        ...words,
        adds: sizedBy('per_page'),
        answer: Type.Array(ManagedIncidentSchema),
        run: async ({ service, query }) =>
          cut(await service.listOpenIncidents(list as OpenList), readStretch(query)),
      },
    ]),
  ),
  'POST /v1/pages/:pageId/incidents': {
    id: 'createIncident',
    about:
      'Opens an incident, schedules a maintenance (with `scheduled_for` and `scheduled_until`), or adds a past incident.',
    summary: 'Open an incident or schedule a maintenance',
    body: IncidentCallSchema,
    answer: ManagedIncidentSchema,
    run: async ({ service, body }) => service.createIncident(membersOf(body, 'incident')),
  },
  'GET /v1/pages/:pageId/incidents/:id': {
    id: 'getManagedIncident',
    about: 'One incident or maintenance with the members that only the management API shows.',
    summary: 'One incident or maintenance',
    answer: ManagedIncidentSchema,
    run: ({ service, id }) => service.readIncident(id),
  },
  'PATCH /v1/pages/:pageId/incidents/:id': {
    id: 'updateIncident',
    about: `A new status or body adds an update; the same call again changes nothing. ${UNCHANGED}`,
    summary: 'Update an incident; a new status or text adds an update, the same call again changes nothing',
    body: IncidentCallSchema,
    answer: ManagedIncidentSchema,
    run: async ({ service, id, body }) => service.updateIncident(id, membersOf(body, 'incident')),
  },
  'DELETE /v1/pages/:pageId/incidents/:id': {
    id: 'deleteIncident',
    about: 'Removes an incident; returns the incident as it was.',
    summary: 'Remove an incident; returns the incident as it was',
    answer: ManagedIncidentSchema,
    run: ({ service, id }) => service.deleteIncident(id),
  },
  'PATCH /v1/pages/:pageId/incidents/:id/incident_updates/:updateId': {
    id: 'updateIncidentUpdate',
    about: 'Corrects the text or the time of an update.',
    summary: 'Correct an update',
    body: UpdateCallSchema,
    answer: IncidentUpdateSchema,
    run: async ({ service, id, updateId, body }) =>
      service.editIncidentUpdate(id, updateId, membersOf(body, 'incident_update')),
  },
  'GET /v1/pages/:pageId/incidents/:id/postmortem': {
    id: 'getPostmortem',
    about: 'The postmortem of an incident, published or not.',
    summary: 'The postmortem of an incident, published or not',
    answer: PostmortemSchema,
    run: ({ service, id }) => service.readPostmortem(id),
  },
  'PUT /v1/pages/:pageId/incidents/:id/postmortem': {
    id: 'writePostmortem',
    about: 'Writes the draft; visitors see it once it is published.',
    summary: 'Write the postmortem; visitors see it when it is published',
    body: PostmortemCallSchema,
    answer: PostmortemSchema,
    run: async ({ service, id, body }) => service.writePostmortem(id, membersOf(body, 'postmortem')),
  },
  'DELETE /v1/pages/:pageId/incidents/:id/postmortem': {
    id: 'deletePostmortem',
    about: 'Unpublishes and deletes the postmortem.',
    summary: 'Unpublish and delete the postmortem',
    run: ({ service, id }) => service.deletePostmortem(id),
  },
  'PUT /v1/pages/:pageId/incidents/:id/postmortem/publish': {
    id: 'publishPostmortem',
    about: 'Publishes the postmortem of a resolved incident.',
    summary: 'Publish the postmortem of a resolved incident',
    body: PublishCallSchema,
    answer: PostmortemSchema,
    run: async ({ service, id, body }) => service.publishPostmortem(id, membersOf(body, 'postmortem')),
  },
  'PUT /v1/pages/:pageId/incidents/:id/postmortem/revert': {
    id: 'revertPostmortem',
    about: 'Unpublishes the postmortem; its text stays.',
    summary: 'Unpublish the postmortem; its text stays',
    answer: PostmortemSchema,
    run: ({ service, id }) => service.revertPostmortem(id),
  },
};
