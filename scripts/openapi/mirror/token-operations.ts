import type { OperationDocs } from '../../../src/http/operation-docs.ts';

/** The path may name what is not there. */
const errors = [404];

/** What the operations about tokens, topics, schedules and blocks mean. */
export const TOKEN_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v1/tokens': {
    id: 'listTokens',
    about: 'Tokens in the order of their numbers, by name, kind, key or account.',
    parameters: {
      'account.id': { description: 'Tokens that the account is associated with.', example: '0.0.1001' },
      type: { description: 'Kind of token; may be repeated.', example: 'FUNGIBLE_COMMON' },
    },
  },
  'GET /api/v1/tokens/{tokenId}': {
    id: 'getToken',
    about: 'One token with its keys, supply and custom fees; with `timestamp`, as it was at that time.',
    errors,
    parameters: {
      timestamp: {
        description: 'The token as it was at the time; the last one applies. Operators: eq, lt, lte.',
        example: 'lte:1700000000.000000000',
      },
    },
  },
  'GET /api/v1/tokens/{tokenId}/balances': {
    id: 'listTokenBalances',
    about: 'Who holds a token and how much of it, now or in a snapshot.',
  },
  'GET /api/v1/tokens/{tokenId}/nfts': {
    id: 'listNftsOfToken',
    about: 'NFTs of a token, highest serial numbers first.',
  },
  'GET /api/v1/tokens/{tokenId}/nfts/{serialNumber}': {
    id: 'getNft',
    about: 'One NFT: its owner, who may spend it, and its metadata.',
    errors,
  },
  'GET /api/v1/tokens/{tokenId}/nfts/{serialNumber}/transactions': {
    id: 'listNftTransactions',
    about: 'What has happened to an NFT, newest first: minting, transfers, burning.',
  },
  'GET /api/v1/topics/{topicId}': {
    id: 'getTopic',
    about: 'One topic of the consensus service with its keys and fees.',
    errors,
  },
  'GET /api/v1/topics/{topicId}/messages': {
    id: 'listTopicMessages',
    about: 'Messages of a topic in the order of their sequence numbers.',
  },
  'GET /api/v1/topics/{topicId}/messages/{sequenceNumber}': {
    id: 'getTopicMessage',
    about: 'One message of a topic by its sequence number.',
    errors,
  },
  'GET /api/v1/topics/messages/{timestamp}': {
    id: 'getTopicMessageByTime',
    about: 'The message that reached consensus at exactly this time, whatever its topic.',
    errors,
    parameters: {
      timestamp: {
        description: 'Consensus time: seconds, a point and nanoseconds.',
        example: '1700000000.000000001',
      },
    },
  },
  'GET /api/v1/schedules': {
    id: 'listSchedules',
    about: 'Scheduled transactions with their signatures.',
    parameters: {
      'account.id': {
        description: 'The creator, with optional operator; all conditions apply.',
        example: 'gte:0.0.1001',
      },
    },
  },
  'GET /api/v1/schedules/{scheduleId}': {
    id: 'getSchedule',
    about: 'One scheduled transaction: what it will do, who has signed it, and whether it was executed.',
    errors,
  },
  'GET /api/v1/blocks': {
    id: 'listBlocks',
    about: 'Blocks (record files), newest first.',
  },
  'GET /api/v1/blocks/{hashOrNumber}': {
    id: 'getBlock',
    about: 'One block by its number or its hash.',
    errors,
  },
};
