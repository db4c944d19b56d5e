import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import type { AreaDocs } from '../../http/docs/area-docs.ts';
import { ownFile } from '../../own-files.ts';
import { textOf } from '../error-mapper.ts';
import { ManageErrorSchema } from '../manage/schemas.ts';
import { STATUS_PATHS } from '../paths.ts';
import { MANAGEMENT_OPERATIONS } from './management-operations.ts';
import { PUBLIC_OPERATIONS } from './public-operations.ts';

const EXAMPLES = JSON.parse(readFileSync(ownFile('status/api-docs/examples.json'), 'utf8')) as Pick<
  AreaDocs,
  'examples' | 'errorExamples'
>;

/** Body of every refusal of public paths. @see contracts/status.md section 2 */
const PublicError = Type.Object(
  { error: Type.String({ description: 'What is wrong.' }) },
  { title: 'StatusError', additionalProperties: false },
);

/** What the API documents tell about area B. @see docs/adr/0004-documents-from-code.md */
export const STATUS_DOCS: AreaDocs = {
  about: 'The status page: public documents in the form of Statuspage, feeds, and the management API.',
  operations: { ...PUBLIC_OPERATIONS, ...MANAGEMENT_OPERATIONS },
  parameters: {
    pageId: { description: 'Id of the page, which `GET /v1/pages` tells.', example: '0bcdfghjklmn' },
    id: { description: 'Id of the component, group, incident or subscriber.', example: '0bcdfghjklmn' },
    updateId: { description: 'Id of the update of the incident.', example: '0bcdfghjklmn' },
  },
  errors: [429, 500, 503],
  errorText: (status) =>
    status === 422 ? 'The members of `error` name everything that is wrong.' : `${textOf(status)}.`,
  errorSchema: (path) => (STATUS_PATHS.isManaged(path) ? ManageErrorSchema : PublicError),
  ...EXAMPLES,
};
