import { MirrorError } from '../../../src/mirror/error-schema.ts';
import { reasonOf } from '../../../src/mirror/errors.ts';
import { type AreaDocs, recordedExamples } from '../area-docs.ts';
import { ACCOUNT_OPERATIONS } from './account-operations.ts';
import { CONTRACT_OPERATIONS } from './contract-operations.ts';
import { NETWORK_OPERATIONS } from './network-operations.ts';
import { PARAMETERS } from './parameters.ts';
import { TOKEN_OPERATIONS } from './token-operations.ts';

/** What the API documents say of area C. @see docs/adr/0004-documents-from-code.md */
export const MIRROR_DOCS: AreaDocs = {
  about:
    'The mirror of a ledger: transactions, accounts, tokens, topics, contracts and their activity, the network, and fee estimates.',
  operations: { ...NETWORK_OPERATIONS, ...ACCOUNT_OPERATIONS, ...TOKEN_OPERATIONS, ...CONTRACT_OPERATIONS },
  parameters: PARAMETERS,
  errors: [400, 429, 500, 503],
  errorText: (status) => `${reasonOf(status)}; \`_status.messages\` has the details.`,
  errorSchema: () => MirrorError,
  ...recordedExamples('mirror'),
};
