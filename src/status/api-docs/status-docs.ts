import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import type { AreaDocs, OperationDocs } from '../../http/docs/area-docs.ts';
import { ownFile } from '../../own-files.ts';
import { ManageErrorSchema } from '../documents/managed-schemas.ts';
import { textOf } from '../error-mapper.ts';
import type { ManageRoute } from '../manage/manage-route.ts';
import { MANAGE_CALLS } from '../manage/manage-routes.ts';
import { STATUS_PATHS } from '../paths.ts';

const EXAMPLES = JSON.parse(readFileSync(ownFile('status/api-docs/examples.json'), 'utf8')) as Pick<
  AreaDocs,
  'examples' | 'errorExamples'
>;

/** Body of every refusal of public paths. @see contracts/status.md section 2 */
const PublicError = Type.Object(
  { error: Type.String({ description: 'What is wrong.' }) },
  { title: 'StatusError', additionalProperties: false },
);

/** What the public documents of the status page mean. */
const PUBLIC_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v2/summary.json': {
    id: 'getSummary',
    about:
      'Everything that a status widget needs: components, open incidents, upcoming maintenances and the overall status.',
  },
  'GET /api/v2/status.json': { id: 'getStatus', about: 'The overall status as an indicator and a text.' },
  'GET /api/v2/components.json': {
    id: 'listComponents',
    about: 'Components and groups with their current status.',
  },
  'GET /api/v2/incidents.json': { id: 'listIncidents', about: 'The 50 newest incidents with their updates.' },
  'GET /api/v2/incidents/unresolved.json': {
    id: 'listUnresolvedIncidents',
    about: 'Incidents that are being investigated, identified or monitored.',
  },
  'GET /api/v2/scheduled-maintenances.json': {
    id: 'listMaintenances',
    about: 'The 50 latest maintenances, whatever their state.',
  },
  'GET /api/v2/scheduled-maintenances/upcoming.json': {
    id: 'listUpcomingMaintenances',
    about: 'Maintenances that are planned and have not started.',
  },
  'GET /api/v2/scheduled-maintenances/active.json': {
    id: 'listActiveMaintenances',
    about: 'Maintenances that are in progress or being verified.',
  },
  'GET /api/v2/uptime.json': {
    id: 'getUptime',
    about: 'Uptime of each component by day, of the last 90 days.',
  },
  'GET /api/v2/components/{file}': {
    id: 'getComponent',
    about: 'One component or group: its id, followed by `.json`.',
    errors: [404],
    parameters: { file: { description: 'Id of the component and `.json`.', example: '0bcdfghjklmn.json' } },
  },
  'GET /api/v2/incidents/{file}': {
    id: 'getIncident',
    about: 'One incident or maintenance with all of its updates: its id, followed by `.json`.',
    errors: [404],
    parameters: { file: { description: 'Id of the incident and `.json`.', example: '0bcdfghjklmn.json' } },
  },
  'GET /status/history.rss': {
    id: 'getRssFeed',
    about: 'History of the page as an RSS 2.0 feed.',
    errors: [404],
  },
  'GET /status/history.atom': {
    id: 'getAtomFeed',
    about: 'History of the page as an Atom 1.0 feed.',
    errors: [404],
  },
  'GET /status/i/{id}': {
    id: 'followShortLink',
    about: 'Leads from the `shortlink` of an incident or maintenance to its page for people.',
    errors: [404],
    parameters: { id: { description: 'Id of the incident or maintenance.', example: '0bcdfghjklmn' } },
  },
};

/** What the calls of the management API mean. Paths work with `.json` at their end as well, and PUT as PATCH. */
const MANAGEMENT_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /v1/pages': {
    id: 'listPages',
    about: 'The pages that the token may manage: there is one.',
    errors: [401],
  },
  ...Object.fromEntries(
    MANAGE_CALLS.map((call) => {
      const { about, adds, id, method, path } = call;
      const operation = `${method} /v1/pages/{pageId}${path.replace(/:(\w+)/g, '{$1}')}`;
      return [operation, { id, about, errors: errorsOf(call), ...(adds === undefined ? {} : { adds }) }];
    }),
  ),
};

/** No token, one that does not count, nothing of that id; of a call that writes, what its body and the present state refuse. */
function errorsOf({ adds, body, method }: ManageRoute): readonly number[] {
  if (method === 'GET') return adds === undefined ? [401, 404] : [401, 404, 422];
  if (body === undefined) return [401, 403, 404, 409];
  const refused = [400, 401, 403, 404, 408, 413, 415, 422];
  return method === 'POST' ? refused : [...refused, 409];
}

/** What the API documents tell about area B. @see docs/adr/0004-documents-from-code.md */
export const STATUS_DOCS: AreaDocs = {
  about: 'The status page: public documents in the form of Statuspage, feeds, and the management API.',
  operations: { ...PUBLIC_OPERATIONS, ...MANAGEMENT_OPERATIONS },
  parameters: {
    pageId: { description: 'Id of the page, as `GET /v1/pages` lists it.', example: '0bcdfghjklmn' },
    id: { description: 'Id of the component, group, incident or subscriber.', example: '0bcdfghjklmn' },
    updateId: { description: 'Id of the update of the incident.', example: '0bcdfghjklmn' },
  },
  errors: [429, 500, 503],
  errorText: (status) =>
    status === 422 ? 'The members of `error` list everything that is wrong.' : `${textOf(status)}.`,
  errorSchema: (path) => (STATUS_PATHS.isManaged(path) ? ManageErrorSchema : PublicError),
  ...EXAMPLES,
};
