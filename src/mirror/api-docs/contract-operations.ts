import type { OperationDocs } from '../../http/docs/area-docs.ts';

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
    'Place among the logs of a transaction, with optional operator (eq, gt, gte, lt, lte); only with `timestamp`.',
  example: '0',
};

/** What the operations about contracts and what they did mean. */
export const CONTRACT_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v1/contracts': {
    id: 'listLedgerContracts',
    about: 'Contracts in the order of their numbers, deleted ones too, without their code.',
  },
  [`GET ${CONTRACT}`]: {
    id: 'getLedgerContract',
    about: 'One contract with its code; with `timestamp`, the newest state that held at such a time.',
    errors,
  },
  [`GET ${CONTRACT}/results`]: {
    id: 'listResultsOfContract',
    about: 'What calls and the creation of the contract did, newest first.',
    errors,
    parameters: { 'block.number': block },
  },
  [`GET ${CONTRACT}/results/{timestamp}`]: {
    id: 'getResultAtTime',
    about:
      'The result that reached consensus at exactly this time, in which the contract took part, with logs and storage. ' +
      'The status is 206 when the ledger does not tell what the call returned.',
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
    about: 'Storage of the contract as sidecars told it; with `timestamp`, as it was set by then.',
  },
  'GET /api/v1/contracts/results': {
    id: 'listContractResults',
    about: 'What all contracts did, newest first; token events without a call are among them.',
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
      'The result of a transaction, with logs and storage. The status is 206 when the ledger does not tell what the call ' +
      'returned.',
    errors,
    parameters: { hbar },
  },
  [`GET ${RESULT}/actions`]: {
    id: 'listContractActions',
    about: 'Every call inside a transaction, as sidecars told it.',
    errors,
    parameters: {
      index: {
        description: 'Place in the trace, with optional operator (eq, gt, gte, lt, lte).',
        example: '0',
      },
    },
  },
};
