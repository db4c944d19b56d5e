import { Type } from '@sinclair/typebox';
import type { OperationDocs } from '../../../src/http/operation-docs.ts';

const errors = [404];
const FEE_BODY = [408, 413, 415];

/** What the operations about transactions, the network and its fees mean. */
export const NETWORK_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v1/transactions': {
    id: 'listTransactions',
    about:
      'Transactions in the order of consensus. All filters apply together; `links.next` leads to the next page and is null ' +
      'on the last one.',
  },
  'GET /api/v1/transactions/{idOrHash}': {
    id: 'getTransaction',
    about:
      'All transactions with one id, which are the submitted one and its children, or the transaction with ' +
      'a hash.',
    errors,
  },
  'GET /api/v1/network/supply': {
    id: 'getSupply',
    about: 'Total and released supply in tinybars. With `q`, one number in hbar as plain text.',
    errors,
    otherAnswers: { 'text/plain': Type.String({ description: 'One number, with `q`.' }) },
  },
  'GET /api/v1/network/fees': {
    id: 'getGasPrices',
    about: 'Price of gas by kind of transaction, from the fee schedule of the network.',
    errors,
    parameters: { order: { description: 'Order of the kinds.', example: 'asc' } },
  },
  'POST /api/v1/network/fees': {
    id: 'estimateFee',
    about:
      'Estimates the cost of a transaction before it is submitted. The body is the transaction as SDKs serialise it, ' +
      'signed or not. Amounts are tinycents: 1 USD is 10^10 of them.',
    errors: [...FEE_BODY, 406],
  },
  'POST /api/v1/network/fees/estimate': {
    id: 'estimateFees',
    about:
      'The same for a transaction, or a list of them, sent as text in JSON, with every detail: money, a sentence for ' +
      'each extra, and inner transactions.',
    errors: FEE_BODY,
  },
  'GET /api/v1/network/exchangerate': {
    id: 'getExchangeRate',
    about: 'Current and next exchange rate of hbar in dollar cents.',
    errors,
  },
  'GET /api/v1/network/nodes': {
    id: 'listNodes',
    about: 'Nodes of the address book, with their stakes.',
    parameters: {
      limit: { description: 'Items per page; a larger value means 25.', example: 10 },
      order: { description: 'Order by node.', example: 'asc' },
    },
  },
  'GET /api/v1/network/registered-nodes': {
    id: 'listRegisteredNodes',
    about: 'Block nodes, mirror nodes, relays and other services that are registered on the ledger.',
    parameters: {
      type: { description: 'Kind of service.', example: 'BLOCK_NODE' },
      order: { description: 'Order by node.', example: 'asc' },
    },
  },
  'GET /api/v1/network/stake': {
    id: 'getStake',
    about: 'Stakes and rewards of the whole network in the newest staking period.',
    errors,
  },
};
