import { readFileSync } from 'node:fs';
import type { AreaDocs } from '../../http/docs/area-docs.ts';
import { ownFile } from '../../own-files.ts';
import { ErrorBody, SignatureError } from '../schemas.ts';
import { Version1Error } from '../version-1/route-options.ts';
import { FORMER_OPERATIONS } from './former-operations.ts';
import { EtherscanAnswer } from './former-schemas.ts';
import { VERIFY_OPERATIONS } from './verify-operations.ts';

const EXAMPLES = JSON.parse(readFileSync(ownFile('verify/api-docs/examples.json'), 'utf8')) as Pick<
  AreaDocs,
  'examples' | 'errorExamples'
>;

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong; `message` names it and what is allowed.',
  404: 'Nothing has that name.',
  408: 'The body came too slowly.',
  409: 'It is already verified or has already ended.',
  413: 'The body is too large.',
  429: 'Too many requests, or the same is being verified already; `Retry-After` says when to try again.',
  500: 'A fault of the server; the log has the `errorId`.',
  502: 'The node of the chain did not answer.',
  503: 'The server is busy; `Retry-After` says when to try again.',
};

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const SIGNATURES = /^\/signature-database\//;
const ETHERSCAN = /^\/api(?:\/|$)/;
const VERSION_1 = /^\/(?:check-|files\/|repository\/|verify(?:\/|$))/;

/** What the API documents tell about area A. @see docs/adr/0004-documents-from-code.md */
export const VERIFY_DOCS: AreaDocs = {
  about:
    'Verification of contract sources, verified contracts, signatures, and the forms of other verifiers.',
  operations: { ...VERIFY_OPERATIONS, ...FORMER_OPERATIONS },
  parameters: {
    chainId: { description: 'Decimal number of the EVM chain.', example: '31337' },
    chain: { description: 'Decimal number of the EVM chain.', example: '31337' },
    address: { description: '20-byte address: 0x and 40 hex digits.', example: ADDRESS },
    verificationId: {
      description: 'Id that the submission has answered.',
      example: '0bd1d5a4-9b3c-4f5e-8a7d-2c6e1f0a9b8c',
    },
    match: { description: 'Folder by kind of match: full_match or partial_match.', example: 'full_match' },
    path: { description: 'Path of the file below the address.', example: 'metadata.json' },
    fields: { description: 'Comma-separated fields, or all.', example: 'abi,compilation' },
    omit: { description: 'Comma-separated fields to leave out of everything.', example: 'stdJsonOutput' },
    wait: { description: 'Seconds to wait for the end.', example: 20 },
    sort: { description: 'By the time of verification.', example: 'desc' },
    limit: { description: 'Items per page.', example: 50 },
    afterMatchId: { description: 'The `matchId` of the last item of the page before.', example: '42' },
    function: { description: 'Selectors, separated by commas.', example: '0xa9059cbb' },
    event: { description: 'Topics, separated by commas.', example: `0x${'dd'.repeat(32)}` },
    error: { description: 'Selectors of errors, separated by commas.', example: '0x08c379a0' },
    filter: { description: 'Accepted without effect.', example: 'false' },
    query: { description: 'Pattern.', example: 'transfer*' },
    module: { description: 'contract', example: 'contract' },
    action: { description: 'What to do.', example: 'getabi' },
    chainid: { description: 'Decimal number of the EVM chain.', example: '31337' },
    guid: { description: 'Receipt of a submission.', example: '0bd1d5a49b3c4f5e8a7d2c6e1f0a9b8c' },
  },
  errors: [429, 500, 503],
  errorText: (status) => ERROR_TEXTS[status] ?? 'The request is refused.',
  errorSchema: (path) => {
    if (SIGNATURES.test(path)) return SignatureError;
    if (ETHERSCAN.test(path)) return EtherscanAnswer;
    return VERSION_1.test(path) ? Version1Error : ErrorBody;
  },
  ...EXAMPLES,
};
