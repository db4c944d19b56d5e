import type { OperationDocs } from '../../../src/http/operation-docs.ts';

const CONTRACT = '/api/v1/contracts/{contractIdOrAddress}';
const RESULT = '/api/v1/contracts/results/{transactionIdOrHash}';
const errors = [404];
const hbar = {
  description: 'Whether amounts and gas prices of Ethereum transactions are tinybars; false: weibars.',
  example: true,
};
const block = { description: 'Number of the block, decimal or hex with `0x`.', example: '7' };
const logIndex = {
  description:
    'Index among the logs of a transaction, with optional operator (eq, gt, gte, lt, lte); only with `timestamp`.',
  example: '0',
};

/** What the operations about contracts and what they did mean. */
export const CONTRACT_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v1/contracts': {
    id: 'listLedgerContracts',
    about: 'Contracts in the order of their numbers, including deleted ones, without their code.',
  },
  [`GET ${CONTRACT}`]: {
    id: 'getLedgerContract',
    about: 'One contract with its code; with `timestamp`, its newest state at that time.',
    errors,
  },
  [`GET ${CONTRACT}/results`]: {
    id: 'listResultsOfContract',
    about: 'Results of calls and of the creation of the contract, newest first.',
    errors,
    parameters: { 'block.number': block },
  },
  [`GET ${CONTRACT}/results/{timestamp}`]: {
    id: 'getResultAtTime',
    about:
      'The result that reached consensus at exactly this time, in which the contract took part, with logs and storage. ' +
      'The status is 206 if the ledger does not contain what the call returned.',
    errors,
    parameters: {
      hbar,
      timestamp: {
        description: 'Consensus time: seconds, a point and nanoseconds.',
        example: '1700000000.000000001',
      },
    },
  },
  [`GET ${CONTRACT}/results/logs`]: {
    id: 'listLogsOfContract',
    about: 'Logs of the contract, newest first. Topics need a time range of at most seven days.',
    parameters: { index: logIndex },
  },
  [`GET ${CONTRACT}/state`]: {
    id: 'listContractState',
    about: 'Storage of the contract, from sidecars; with `timestamp`, as it was at that time.',
  },
  'GET /api/v1/contracts/results': {
    id: 'listContractResults',
    about: 'Results of all contracts, newest first, including token events without a call.',
    errors,
    parameters: { 'block.number': block },
  },
  'GET /api/v1/contracts/results/logs': {
    id: 'listContractLogs',
    about: 'Logs of all contracts, newest first. Topics need a time range of at most seven days.',
    parameters: { index: logIndex },
  },
  [`GET ${RESULT}`]: {
    id: 'getContractResult',
    about:
      'The result of a transaction, with logs and storage. The status is 206 if the ledger does not contain what the call ' +
      'returned.',
    errors,
    parameters: { hbar },
  },
  [`GET ${RESULT}/actions`]: {
    id: 'listContractActions',
    about: 'Every call inside a transaction, from sidecars.',
    errors,
    parameters: {
      index: {
        description: 'Index in the trace, with optional operator (eq, gt, gte, lt, lte).',
        example: '0',
      },
    },
  },
};
