import { Type } from '@sinclair/typebox';
import type { AddedParameter, OperationDocs } from '../../http/docs/area-docs.ts';

const page: AddedParameter = {
  description: 'Which page of the list, from 1.',
  example: 1,
  schema: Type.Integer({ minimum: 1, default: 1 }),
};
const size = (name: string): Readonly<Record<string, AddedParameter>> => ({
  page,
  [name]: {
    description: 'Items per page; more than 100 gives 100.',
    example: 20,
    schema: Type.Integer({ minimum: 1, default: 100 }),
  },
});
const range: Readonly<Record<string, AddedParameter>> = {
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

/** Refusals of any call: no token, one that does not count, nothing of that id. */
const READ = [401, 404];
/** Beside them, those of a call that adds something. */
const ADD = [400, 401, 403, 404, 408, 413, 415, 422];
/** Beside them, the conflict of a call that changes something. */
const CHANGE = [...ADD, 409];

const read = (id: string, about: string, adds?: OperationDocs['adds']): OperationDocs => ({
  id,
  about,
  errors: adds === undefined ? READ : [...READ, 422],
  ...(adds === undefined ? {} : { adds }),
});
const add = (id: string, about: string): OperationDocs => ({ id, about, errors: ADD });
const change = (id: string, about: string): OperationDocs => ({ id, about, errors: CHANGE });
const remove = (id: string, about: string): OperationDocs => ({
  id,
  about,
  errors: [401, 403, 404, 409],
});

const PAGE = '/v1/pages/{pageId}';
const UNCHANGED =
  'With `If-Unmodified-Since`, only when nothing has changed after that moment; otherwise 409.';

/** What the calls of the management API mean. Paths work with `.json` at their end as well, and PUT as PATCH. */
export const MANAGEMENT_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /v1/pages': {
    id: 'listPages',
    about: 'The pages that the token may manage: there is one.',
    errors: [401],
  },
  [`GET ${PAGE}`]: read('getPage', 'Name, address, time zone and settings of the page.'),
  [`PATCH ${PAGE}`]: change(
    'updatePage',
    `Changes the settings that are given; the others stay. ${UNCHANGED}`,
  ),
  [`GET ${PAGE}/audit`]: read(
    'listAudit',
    'Who changed what, with the state before and after it.',
    size('per_page'),
  ),
  [`GET ${PAGE}/components`]: read(
    'listManagedComponents',
    'Components and groups in page order.',
    size('per_page'),
  ),
  [`POST ${PAGE}/components`]: add(
    'createComponent',
    'Adds a component at the end of the page or of its group.',
  ),
  [`GET ${PAGE}/components/{id}`]: read(
    'getManagedComponent',
    'One component with the members that only managers see.',
  ),
  [`PATCH ${PAGE}/components/{id}`]: change(
    'updateComponent',
    `Changes a component, for example its status; members that are not given stay. ${UNCHANGED}`,
  ),
  [`DELETE ${PAGE}/components/{id}`]: remove(
    'deleteComponent',
    'Removes a component; a group frees its children first.',
  ),
  [`GET ${PAGE}/components/{id}/uptime`]: read(
    'getComponentUptime',
    'Uptime of a component in a range of time.',
    range,
  ),
  [`GET ${PAGE}/component-groups/{id}/uptime`]: read(
    'getGroupUptime',
    'Mean uptime of the components of a group in a range of time.',
    range,
  ),
  [`GET ${PAGE}/component-groups`]: read(
    'listGroups',
    'Groups with the ids of their components.',
    size('per_page'),
  ),
  [`POST ${PAGE}/component-groups`]: add('createGroup', 'Makes a group of components that exist.'),
  [`GET ${PAGE}/component-groups/{id}`]: read('getGroup', 'One group with the ids of its components.'),
  [`PATCH ${PAGE}/component-groups/{id}`]: change(
    'updateGroup',
    `Changes a group or its components. ${UNCHANGED}`,
  ),
  [`DELETE ${PAGE}/component-groups/{id}`]: remove(
    'deleteGroup',
    'Removes a group and keeps its components; answers the group as it was.',
  ),
  [`GET ${PAGE}/incidents`]: read('listManagedIncidents', 'Incidents and maintenances, newest first.', {
    q: { description: 'Only those whose texts have this.', example: 'database', schema: Type.String() },
    ...size('limit'),
  }),
  [`GET ${PAGE}/incidents/unresolved`]: read(
    'listOpenIncidents',
    'Open incidents, newest first.',
    size('per_page'),
  ),
  [`GET ${PAGE}/incidents/upcoming`]: read(
    'listManagedUpcomingMaintenances',
    'Maintenances that have not begun.',
    size('per_page'),
  ),
  [`GET ${PAGE}/incidents/scheduled`]: read(
    'listScheduledMaintenances',
    'Maintenances that are not completed.',
    size('per_page'),
  ),
  [`GET ${PAGE}/incidents/active_maintenance`]: read(
    'listManagedActiveMaintenances',
    'Maintenances that are in progress or being verified.',
    size('per_page'),
  ),
  [`POST ${PAGE}/incidents`]: add(
    'createIncident',
    'Opens an incident, plans a maintenance (with `scheduled_for` and `scheduled_until`), or adds one of the past.',
  ),
  [`GET ${PAGE}/incidents/{id}`]: read(
    'getManagedIncident',
    'One incident or maintenance with all that managers see.',
  ),
  [`PATCH ${PAGE}/incidents/{id}`]: change(
    'updateIncident',
    `A new status or body adds an update; the same call again changes nothing. ${UNCHANGED}`,
  ),
  [`DELETE ${PAGE}/incidents/{id}`]: remove(
    'deleteIncident',
    'Removes an incident; answers the incident as it was.',
  ),
  [`PATCH ${PAGE}/incidents/{id}/incident_updates/{updateId}`]: change(
    'updateIncidentUpdate',
    'Corrects the text or the time of an update.',
  ),
  [`GET ${PAGE}/incidents/{id}/postmortem`]: read(
    'getPostmortem',
    'The postmortem of an incident, published or not.',
  ),
  [`PUT ${PAGE}/incidents/{id}/postmortem`]: change(
    'writePostmortem',
    'Writes the draft; visitors see it once it is published.',
  ),
  [`DELETE ${PAGE}/incidents/{id}/postmortem`]: remove(
    'deletePostmortem',
    'Takes the postmortem back and forgets it.',
  ),
  [`PUT ${PAGE}/incidents/{id}/postmortem/publish`]: change(
    'publishPostmortem',
    'Shows the postmortem of a resolved incident.',
  ),
  [`PUT ${PAGE}/incidents/{id}/postmortem/revert`]: remove(
    'revertPostmortem',
    'Takes the postmortem back; its text stays.',
  ),
  [`GET ${PAGE}/subscribers`]: read(
    'listSubscribers',
    'Who is told of changes, oldest first.',
    size('per_page'),
  ),
  [`POST ${PAGE}/subscribers`]: add(
    'createSubscriber',
    'Subscribes an endpoint. Only this answer shows the secret of its signatures.',
  ),
  [`GET ${PAGE}/subscribers/{id}`]: read('getSubscriber', 'One subscriber.'),
  [`DELETE ${PAGE}/subscribers/{id}`]: remove(
    'deleteSubscriber',
    'Ends a subscription, with what was not delivered yet; answers the subscriber as it was.',
  ),
};
