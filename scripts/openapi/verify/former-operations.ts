import { Type } from '@sinclair/typebox';
import type { AddedParameter, OperationDocs } from '../../../src/http/operation-docs.ts';
import * as former from './former-schemas.ts';

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const checked: Readonly<Record<string, AddedParameter>> = {
  addresses: {
    description: 'Addresses, separated by commas.',
    example: ADDRESS,
    required: true,
    schema: Type.String(),
  },
  chainIds: {
    description: 'Chain ids, separated by commas.',
    example: '31337',
    required: true,
    schema: Type.String(),
  },
};
const paging: Readonly<Record<string, AddedParameter>> = {
  page: {
    description: 'Page number, starting at 0.',
    example: 0,
    schema: Type.Integer({ minimum: 0, default: 0 }),
  },
  limit: {
    description: 'Items per page.',
    example: 50,
    schema: Type.Integer({ minimum: 1, maximum: 200, default: 200 }),
  },
  order: {
    description: 'Order by time of verification.',
    example: 'desc',
    schema: Type.Unsafe<string>({ type: 'string', enum: ['asc', 'desc'], default: 'asc' }),
  },
};
const LOOK_UP = [400, 404];
const VERIFY = [400, 404, 408, 409, 413, 502];

const form = (schema: OperationDocs['answer'] & object) => ({
  'application/json': schema,
  'multipart/form-data': schema,
});
const kind = (id: string, which: string): OperationDocs => ({
  id,
  about: `Addresses of verified contracts of a chain, in pages: ${which}.`,
  errors: [400],
  adds: paging,
  answer: former.ContractPage,
});
const etherscan = (id: string, about: string): OperationDocs => ({
  id,
  about: `${about} Refused requests get status 200, \`status\` 0 and the reason as \`result\`, as clients expect.`,
  errors: [408, 413, 502],
  answer: former.EtherscanAnswer,
});
const ACTIONS =
  'Actions of the module contract: verifysourcecode, verifyvyper, checkverifystatus, getsourcecode, getabi, ' +
  'getcontractcreation, verifyproxycontract, checkproxyverification; of the module logs: getLogs.';

/** What the operations in the forms of other verifiers mean. @see docs/adr/0002-reference-apis-first.md */
export const FORMER_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /check-by-addresses': {
    id: 'checkByAddresses',
    about: 'The chains on which each address has an exact match.',
    errors: [400],
    adds: checked,
    answer: former.ExactCheck,
  },
  'GET /check-all-by-addresses': {
    id: 'checkAllByAddresses',
    about: 'The match of each address on each of the chains.',
    errors: [400],
    adds: {
      ...checked,
      resolveProxies: {
        description: 'Whether the response includes the implementations of proxies.',
        example: 'true',
        schema: Type.String(),
      },
    },
    answer: former.FullCheck,
  },
  'GET /files/any/{chain}/{address}': {
    id: 'getFilesOfAnyMatch',
    about: 'Files of a verified contract, however well it matches.',
    errors: LOOK_UP,
    answer: former.RatedFiles,
  },
  'GET /files/tree/any/{chain}/{address}': {
    id: 'getFileTreeOfAnyMatch',
    about: 'Paths of these files.',
    errors: LOOK_UP,
    answer: former.RatedTree,
  },
  'GET /files/tree/{chain}/{address}': {
    id: 'getFileTree',
    about: 'Paths of the files of a contract that matches exactly.',
    errors: LOOK_UP,
    answer: former.FileTree,
  },
  'GET /files/{chain}/{address}': {
    id: 'getFiles',
    about: 'Files of a contract that matches exactly.',
    errors: LOOK_UP,
    answer: former.Files,
  },
  'GET /files/contracts/{chain}': {
    id: 'listVerifiedAddresses',
    about: 'Addresses of the first 200 verified contracts of a chain, of each kind of match.',
    errors: LOOK_UP,
    answer: former.BothKinds,
  },
  'GET /files/contracts/any/{chain}': kind('listAddressesOfAnyMatch', 'all of them'),
  'GET /files/contracts/full/{chain}': kind('listAddressesOfExactMatches', 'exact matches'),
  'GET /files/contracts/partial/{chain}': kind('listAddressesOfPartialMatches', 'partial matches'),
  'GET /repository/contracts/{match}/{chain}/{address}/{path}': {
    id: 'getRepositoryFile',
    about: 'One file of a verified contract, unchanged.',
    errors: LOOK_UP,
    answer: Type.String({ description: 'The file.' }),
    answerType: 'text/plain',
    otherAnswers: {
      'application/json': Type.Object(
        {},
        { additionalProperties: true, description: 'For `metadata.json`.' },
      ),
    },
  },
  'GET /api': etherscan('callEtherscan', `Lookups and status of jobs in Etherscan's form. ${ACTIONS}`),
  'POST /api': {
    ...etherscan('postEtherscan', `Verification in Etherscan's form. ${ACTIONS}`),
    body: { 'application/x-www-form-urlencoded': former.EtherscanForm },
  },
  'GET /api/{chainId}': etherscan(
    'callEtherscanOfChain',
    `The same for the chain that the path names. ${ACTIONS}`,
  ),
  'POST /api/{chainId}': {
    ...etherscan('postEtherscanOfChain', `The same for the chain that the path names. ${ACTIONS}`),
    body: { 'application/x-www-form-urlencoded': former.EtherscanForm },
  },
  'POST /verify': {
    id: 'verifyFiles',
    about: 'Verifies metadata and sources and returns once the job is done. Version 2 returns immediately.',
    errors: VERIFY,
    answer: former.VerifyResult,
    body: form(former.FilesForm),
  },
  'POST /verify/solc-json': {
    id: 'verifySolcJson',
    about: 'Verifies a standard JSON input, sent as a file, and returns once the job is done.',
    errors: VERIFY,
    answer: former.VerifyResult,
    body: form(former.SolcJsonForm),
  },
  'POST /verify/vyper': {
    id: 'verifyVyper',
    about: 'Verifies Vyper sources and returns once the job is done.',
    errors: VERIFY,
    answer: former.VerifyResult,
    body: form(former.VyperForm),
  },
};
