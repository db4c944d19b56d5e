import type { OperationDocs } from '../../http/docs/area-docs.ts';
import { ContractList, UnverifiedContract } from '../schemas.ts';
import { ContractWithFields } from './contract-schemas.ts';

/** Beside the refusals of every operation, those of a request with a large body. */
const SUBMISSION = [400, 408, 409, 413];

/** What the operations of version 2, of information and of the signature database mean. */
export const VERIFY_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'POST /v2/verify/{chainId}/{address}': {
    id: 'submitVerification',
    about:
      'Takes the standard JSON input of a compiler and checks in a job whether it makes the code on the chain. The ' +
      'answer comes as soon as the job is stored; `GET /v2/verify/{verificationId}` tells how it ends.',
    errors: SUBMISSION,
  },
  'POST /v2/verify/metadata/{chainId}/{address}': {
    id: 'submitMetadata',
    about: "The same with the compiler's metadata and the sources that it names by their hashes.",
    errors: SUBMISSION,
  },
  'POST /v2/verify/similarity/{chainId}/{address}': {
    id: 'submitSimilarity',
    about: 'The same with the sources of a contract of the same code that is verified already.',
    errors: [...SUBMISSION, 404, 502],
  },
  'POST /v2/verify/etherscan/{chainId}/{address}': {
    id: 'importFromEtherscan',
    about:
      'Kept for clients of the reference: no chain has an explorer to import from, so it is always refused.',
    errors: [400, 408, 413],
  },
  'GET /v2/verify/{verificationId}': {
    id: 'getVerification',
    about:
      'How a verification is getting on or how it has ended. With `wait`, the answer is held until the job ends or ' +
      'the seconds have passed.',
    errors: [400, 404],
  },
  'DELETE /v2/verify/{verificationId}': {
    id: 'cancelVerification',
    about: 'Ends a verification that waits or runs; one that has ended is 409.',
    errors: [400, 404, 409],
  },
  'GET /v2/contract/{chainId}/{address}': {
    id: 'getContract',
    about:
      'What is known of a verified contract. Without `fields` and `omit`, only how well it matches. A contract that is ' +
      'not verified is 404 with the members of the match, all null.',
    errors: [400],
    answer: ContractWithFields,
    notFound: UnverifiedContract,
  },
  'GET /v2/contract/all-chains/{address}': {
    id: 'listContractsOfAddress',
    about:
      'The contracts that are verified at an address, one for each chain. Without any it is 404 with an empty list.',
    errors: [400],
    notFound: ContractList,
  },
  'GET /v2/contracts/{chainId}': {
    id: 'listContracts',
    about:
      'Verified contracts of a chain by `matchId`. The next page begins after the last one: `afterMatchId`.',
    errors: [400],
  },
  'GET /v2/compilers': {
    id: 'listCompilers',
    about:
      'Compilers with which verifications can be run, newest first: those that are present, and those that are fetched ' +
      'when a job needs them.',
    errors: [400],
  },
  'GET /chains': {
    id: 'listChains',
    about: 'Chains on which this server verifies.',
    errors: [400],
  },
  'GET /version': { id: 'getVersion', about: 'Version and commit of this server.', errors: [400] },
  'GET /health': {
    id: 'getHealth',
    about: 'A fixed text while the server runs. `/health/readiness` tells more.',
    answerType: 'text/html',
  },
  'GET /signature-database/v1/lookup': {
    id: 'lookUpSignatures',
    about: 'Signatures of functions, events and errors of verified contracts by their selectors and topics.',
    errors: [400],
  },
  'GET /signature-database/v1/search': {
    id: 'searchSignatures',
    about: 'Signatures that fit a pattern, at most 100 of each kind.',
    errors: [400],
  },
  'GET /signature-database/v1/stats': {
    id: 'getSignatureStatistics',
    about: 'How many signatures are known.',
  },
};
