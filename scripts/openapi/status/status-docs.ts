import { Type } from '@sinclair/typebox';
import type { OperationDocs } from '../../../src/http/operation-docs.ts';
import { ManageErrorSchema } from '../../../src/status/documents/managed-schemas.ts';
import { textOf } from '../../../src/status/error-mapper.ts';
import type { ManageCall } from '../../../src/status/manage/manage-route.ts';
import { MANAGE_CALLS } from '../../../src/status/manage/manage-routes.ts';
import { STATUS_PATHS } from '../../../src/status/paths.ts';
import { DOCUMENT_ROUTES } from '../../../src/status/routes.ts';
import { type AreaDocs, recordedExamples } from '../area-docs.ts';

/** Body of every refusal of public paths. @see contracts/status.md section 2 */
const PublicError = Type.Object(
  { error: Type.String({ description: 'What is wrong.' }) },
  { title: 'StatusError', additionalProperties: false },
);

/** What the public documents of the status page mean. */
const PUBLIC_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  ...Object.fromEntries(
    Object.entries(DOCUMENT_ROUTES).map(([path, { about, id }]) => [`GET ${path}`, { id, about }]),
  ),
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
    Object.entries(MANAGE_CALLS).map(([operation, call]) => {
      const { about, adds, id } = call;
      const errors = errorsOf(operation, call);
      return [
        operation.replace(/:(\w+)/g, '{$1}'),
        { id, about, errors, ...(adds === undefined ? {} : { adds }) },
      ];
    }),
  ),
};

/** No token, one that does not count, nothing of that id; of a call that writes, what its body and the present state refuse. */
function errorsOf(operation: string, { adds, body }: ManageCall): readonly number[] {
  if (operation.startsWith('GET')) return adds === undefined ? [401, 404] : [401, 404, 422];
  if (body === undefined) return [401, 403, 404, 409];
  const refused = [400, 401, 403, 404, 408, 413, 415, 422];
  return operation.startsWith('POST') ? refused : [...refused, 409];
}

/** What the API documents say of area B. @see docs/adr/0004-documents-from-code.md */
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
  ...recordedExamples('status'),
};
