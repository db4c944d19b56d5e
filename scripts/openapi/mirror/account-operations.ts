import type { OperationDocs } from '../../../src/http/operation-docs.ts';

const ACCOUNT = '/api/v1/accounts/{idOrAliasOrEvmAddress}';
/** The path may name what is not there. */
const errors = [404];

/** What the operations about accounts and what they hold mean. */
export const ACCOUNT_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v1/accounts': {
    id: 'listAccounts',
    about: 'Accounts and contracts in the order of their numbers, with what they hold.',
  },
  [`GET ${ACCOUNT}`]: {
    id: 'getAccount',
    about:
      'One account with its newest transactions. With `timestamp`, as it was at that time. `links.next` continues the ' +
      'list of transactions.',
    errors,
  },
  [`GET ${ACCOUNT}/allowances/crypto`]: {
    id: 'listHbarAllowances',
    about: 'Who may spend hbar of the account, and how much of it is left.',
    errors,
  },
  [`GET ${ACCOUNT}/allowances/tokens`]: {
    id: 'listTokenAllowances',
    about: 'Who may spend fungible tokens of the account, and how much of them is left.',
    errors,
  },
  [`GET ${ACCOUNT}/allowances/nfts`]: {
    id: 'listNftAllowances',
    about:
      'Who may spend all NFTs of a token for the account; with `owner=false`, for which accounts it may do so itself.',
    errors,
    parameters: {
      'account.id': {
        description:
          'The other party: the spender, or with `owner=false` the owner. Operators: eq, gt, gte, lt, lte.',
        example: 'gte:0.0.1001',
      },
    },
  },
  [`GET ${ACCOUNT}/airdrops/outstanding`]: {
    id: 'listOutstandingAirdrops',
    about: 'Airdrops that the account sent and that are not claimed yet.',
    errors,
  },
  [`GET ${ACCOUNT}/airdrops/pending`]: {
    id: 'listPendingAirdrops',
    about: 'Airdrops that the account can claim.',
    errors,
  },
  [`GET ${ACCOUNT}/rewards`]: {
    id: 'listStakingRewards',
    about: 'Staking rewards paid to the account, newest first.',
    errors,
  },
  [`GET ${ACCOUNT}/nfts`]: {
    id: 'listNftsOfAccount',
    about: 'NFTs that the account owns, by token and serial number.',
    errors,
  },
  [`GET ${ACCOUNT}/tokens`]: {
    id: 'listTokensOfAccount',
    about: 'Tokens that the account is associated with, with its balance and the state of the association.',
    errors,
  },
  [`GET ${ACCOUNT}/hooks`]: {
    id: 'listHooks',
    about: 'Hooks of the account, highest numbers first.',
    errors,
  },
  [`GET ${ACCOUNT}/hooks/{hookId}/storage`]: {
    id: 'listHookStorage',
    about: 'Storage slots of a hook in the order of their keys; with `timestamp`, as they were at that time.',
    errors,
  },
  'GET /api/v1/balances': {
    id: 'listBalances',
    about: 'Balances of accounts now, or those of a snapshot when `timestamp` is given.',
  },
};
