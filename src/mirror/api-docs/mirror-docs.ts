import { readFileSync } from 'node:fs';
import type { AreaDocs } from '../../http/docs/area-docs.ts';
import { ownFile } from '../../own-files.ts';
import { MirrorError } from '../error-schema.ts';
import { reasonOf } from '../errors.ts';
import { ACCOUNT_OPERATIONS } from './account-operations.ts';
import { CONTRACT_OPERATIONS } from './contract-operations.ts';
import { NETWORK_OPERATIONS } from './network-operations.ts';
import { PARAMETERS } from './parameters.ts';
import { TOKEN_OPERATIONS } from './token-operations.ts';

const EXAMPLES = JSON.parse(readFileSync(ownFile('mirror/api-docs/examples.json'), 'utf8')) as Pick<
  AreaDocs,
  'examples' | 'errorExamples'
>;

/** What the API documents tell about area C. @see docs/adr/0004-documents-from-code.md */
export const MIRROR_DOCS: AreaDocs = {
  about:
    'The mirror of a ledger: transactions, accounts, tokens, topics, contracts and their activity, the network, and fee estimates.',
  operations: { ...NETWORK_OPERATIONS, ...ACCOUNT_OPERATIONS, ...TOKEN_OPERATIONS, ...CONTRACT_OPERATIONS },
  parameters: PARAMETERS,
  errors: [400, 429, 500, 503],
  errorText: (status) => `${reasonOf(status)}; \`_status.messages\` has the details.`,
  errorSchema: () => MirrorError,
  ...EXAMPLES,
};
