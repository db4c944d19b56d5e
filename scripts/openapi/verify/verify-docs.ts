import type { OperationDocs } from '../../../src/http/operation-docs.ts';
import { ContractWithFields } from '../../../src/verify/contract-schemas.ts';
import { ContractList, ErrorBody, SignatureError, UnverifiedContract } from '../../../src/verify/schemas.ts';
import { Version1Error } from '../../../src/verify/version-1/route-options.ts';
import { type AreaDocs, recordedExamples } from '../area-docs.ts';
import { FORMER_OPERATIONS } from './former-operations.ts';
import { EtherscanAnswer } from './former-schemas.ts';

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is invalid; `message` names what is wrong and what is allowed.',
  404: 'Not found.',
  408: 'The body arrived too slowly.',
  409: 'Already verified, or already finished.',
  413: 'The body is too large.',
  429: 'Too many requests, or the contract is already being verified; retry after the time in `Retry-After`.',
  500: 'Internal server error; the log has the `errorId`.',
  502: 'The node of the chain did not respond.',
  503: 'The server is busy; retry after the time in `Retry-After`.',
};

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const SIGNATURES = /^\/signature-database\//;
const ETHERSCAN = /^\/api(?:\/|$)/;
const VERSION_1 = /^\/(?:check-|files\/|repository\/|verify(?:\/|$))/;

/** Beside the refusals of every operation, those of a request with a large body. */
const SUBMISSION = [400, 408, 409, 413];

/** What the operations of version 2, of information and of the signature database mean. */
const VERIFY_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'POST /v2/verify/{chainId}/{address}': {
    id: 'submitVerification',
    about:
      'Checks in a job whether the standard JSON input of a compiler produces the code on chain. The response is sent ' +
      'as soon as the job is stored; `GET /v2/verify/{verificationId}` returns its result.',
    errors: SUBMISSION,
  },
  'POST /v2/verify/metadata/{chainId}/{address}': {
    id: 'submitMetadata',
    about: "The same with the compiler's metadata and the sources whose hashes it contains.",
    errors: SUBMISSION,
  },
  'POST /v2/verify/similarity/{chainId}/{address}': {
    id: 'submitSimilarity',
    about: 'The same with the sources of a verified contract that has the same code.',
    errors: [...SUBMISSION, 404, 502],
  },
  'POST /v2/verify/etherscan/{chainId}/{address}': {
    id: 'importFromEtherscan',
    about: 'Only for compatibility: no chain has an explorer to import from, so it always returns an error.',
    errors: [400, 408, 413],
  },
  'GET /v2/verify/{verificationId}': {
    id: 'getVerification',
    about:
      'The progress or the result of a verification. With `wait`, the response is held until the job finishes or ' +
      'the seconds have passed.',
    errors: [400, 404],
  },
  'DELETE /v2/verify/{verificationId}': {
    id: 'cancelVerification',
    about: 'Cancels a verification that is waiting or running; 409 if it has finished.',
    errors: [400, 404, 409],
  },
  'GET /v2/contract/{chainId}/{address}': {
    id: 'getContract',
    about:
      'A verified contract. Without `fields` and `omit`, only its match. For a contract that is ' +
      'not verified: 404 with the members of the match, all null.',
    errors: [400],
    answer: ContractWithFields,
    notFound: UnverifiedContract,
  },
  'GET /v2/contract/all-chains/{address}': {
    id: 'listContractsOfAddress',
    about:
      'The verified contracts at an address, one for each chain. If there are none: 404 with an empty list.',
    errors: [400],
    notFound: ContractList,
  },
  'GET /v2/contracts/{chainId}': {
    id: 'listContracts',
    about:
      'Verified contracts of a chain by `matchId`. The next page starts after the last one: `afterMatchId`.',
    errors: [400],
  },
  'GET /v2/compilers': {
    id: 'listCompilers',
    about:
      'Compilers that verifications can use, newest first: those that are present, and those that are fetched ' +
      'when a job needs them.',
    errors: [400],
  },
  'GET /chains': {
    id: 'listChains',
    about: 'Chains on which this server verifies contracts.',
    errors: [400],
  },
  'GET /version': { id: 'getVersion', about: 'Version and commit of this server.', errors: [400] },
  'GET /health': {
    id: 'getHealth',
    about: 'A fixed text while the server runs. `/health/readiness` has the details.',
    answerType: 'text/html',
  },
  'GET /signature-database/v1/lookup': {
    id: 'lookUpSignatures',
    about: 'Signatures of functions, events and errors of verified contracts by their selectors and topics.',
    errors: [400],
  },
  'GET /signature-database/v1/search': {
    id: 'searchSignatures',
    about: 'Signatures that match a pattern, at most 100 of each kind.',
    errors: [400],
  },
  'GET /signature-database/v1/stats': {
    id: 'getSignatureStatistics',
    about: 'How many signatures are known.',
  },
};

/** What the API documents say of area A. @see docs/adr/0004-documents-from-code.md */
export const VERIFY_DOCS: AreaDocs = {
  about:
    'Verification of contract sources, verified contracts, signatures, and the forms of other verifiers.',
  operations: { ...VERIFY_OPERATIONS, ...FORMER_OPERATIONS },
  parameters: {
    chainId: { description: 'Decimal id of the EVM chain.', example: '31337' },
    chain: { description: 'Decimal id of the EVM chain.', example: '31337' },
    address: { description: '20-byte address: 0x and 40 hex digits.', example: ADDRESS },
    verificationId: {
      description: 'Id returned by the submission.',
      example: '0bd1d5a4-9b3c-4f5e-8a7d-2c6e1f0a9b8c',
    },
    match: { description: 'Folder by kind of match: full_match or partial_match.', example: 'full_match' },
    path: { description: 'Path of the file below the address.', example: 'metadata.json' },
    fields: { description: 'Comma-separated fields, or all.', example: 'abi,compilation' },
    omit: { description: 'Comma-separated fields to omit from all fields.', example: 'stdJsonOutput' },
    wait: { description: 'Seconds to wait for the job to finish.', example: 20 },
    sort: { description: 'Order by time of verification.', example: 'desc' },
    limit: { description: 'Items per page.', example: 50 },
    afterMatchId: { description: 'The `matchId` of the last item of the previous page.', example: '42' },
    function: { description: 'Selectors, separated by commas.', example: '0xa9059cbb' },
    event: { description: 'Topics, separated by commas.', example: `0x${'dd'.repeat(32)}` },
    error: { description: 'Selectors of errors, separated by commas.', example: '0x08c379a0' },
    filter: { description: 'Accepted without effect.', example: 'false' },
    query: { description: 'Pattern.', example: 'transfer*' },
    module: { description: 'contract', example: 'contract' },
    action: { description: 'Action of the module.', example: 'getabi' },
    chainid: { description: 'Decimal id of the EVM chain.', example: '31337' },
    guid: { description: 'Receipt of a submission.', example: '0bd1d5a49b3c4f5e8a7d2c6e1f0a9b8c' },
  },
  errors: [429, 500, 503],
  errorText: (status) => ERROR_TEXTS[status] ?? 'The request is refused.',
  errorSchema: (path) => {
    if (SIGNATURES.test(path)) return SignatureError;
    if (ETHERSCAN.test(path)) return EtherscanAnswer;
    return VERSION_1.test(path) ? Version1Error : ErrorBody;
  },
  ...recordedExamples('verify'),
};
