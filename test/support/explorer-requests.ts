import type { ShapeName } from './explorer-shapes.ts';

/**
 * What the web explorer sends from the pages of accounts, tokens, topics and schedules, and from its search field,
 * as its public source tells. `{name}` stands for something of the ledger; `a & b` for two members of one place.
 *
 * @see contracts/client-needs.md sections 4.1 and 5
 */
export const EXPLORER_REQUESTS: readonly (readonly [page: string, path: string, shape: ShapeName])[] = [
  ['accounts', 'accounts?limit=15&order=desc', 'accounts'],
  ['accounts', 'accounts?limit=15&order=desc&account.id=lt:{account}', 'accounts'],
  ['accounts with a key', 'accounts?limit=15&order=desc&account.publickey={key}', 'accounts'],
  ['search', 'accounts/?account.publickey={key}&limit=10', 'accounts'],
  ['search', 'accounts/{evm}', 'accountPage'],
  ['search', 'accounts/{evmDigits}', 'accountPage'],
  ['search', 'accounts/{alias}', 'accountPage'],
  ['search', 'tokens/{token}', 'token'],
  ['search', 'tokens/?name={tokenName}&limit=100', 'tokens'],
  ['search', 'topics/{topic}', 'topic'],
  ['search', 'schedules/{schedule}', 'schedule'],
  ['account', 'accounts/{account}', 'accountPage'],
  ['account', 'balances?account.id={account}', 'balances'],
  ['account', 'transactions?limit=10&order=desc&account.id={account}', 'transactions'],
  ['account: tokens', 'accounts/{account}/tokens?limit=100', 'relations'],
  ['account: tokens', 'accounts/{account}/tokens?token.id={token}&limit=1', 'relations'],
  ['account: tokens', 'accounts/{account}/tokens?limit=10&order=desc&token.id=lt:{token}', 'relations'],
  ['account: NFTs', 'accounts/{account}/nfts?limit=100&order=ASC', 'nfts'],
  ['account: NFTs', 'accounts/{account}/nfts?token.id={token}&limit=10', 'nfts'],
  [
    'account: NFTs',
    'accounts/{account}/nfts?limit=10&order=desc&token.id=lte:{token}&serialnumber=lt:{serial}',
    'nfts',
  ],
  [
    'account: collection',
    'accounts/{account}/nfts?limit=10&order=asc&token.id={token}&serialnumber=gt:{serial}',
    'nfts',
  ],
  ['account: approvals', 'accounts/{account}/allowances/crypto?limit=10&order=asc', 'cryptoAllowances'],
  ['account: approvals', 'accounts/{account}/allowances/tokens?limit=10&order=asc', 'tokenAllowances'],
  ['account: approvals', 'accounts/{account}/allowances/nfts?limit=10&order=asc', 'nftAllowances'],
  ['account: approvals', 'accounts/{account}/nfts?limit=10&order=asc&spender.id=gte:0.0.1', 'nfts'],
  ['account: airdrops', 'accounts/{account}/airdrops/pending?limit=10&order=desc', 'airdrops'],
  ['account: airdrops', 'accounts/{account}/airdrops/pending?token.id={token}', 'airdrops'],
  ['account: rewards', 'accounts/{account}/rewards?limit=10&order=desc', 'rewards'],
  ['account: rewards', 'accounts/{account}/rewards?timestamp=gte:{created}&limit=100', 'rewards'],
  ['account: hooks', 'accounts/{account}/hooks?limit=100&order=asc', 'hooks'],
  ['tokens', 'tokens?limit=15&order=desc&type=FUNGIBLE_COMMON', 'tokens'],
  ['tokens', 'tokens?limit=15&order=desc&type=NON_FUNGIBLE_UNIQUE&token.id=lt:{token}', 'tokens'],
  ['tokens by name', 'tokens?limit=100&name={tokenName}', 'tokens'],
  ['token', 'tokens/{token}', 'token'],
  ['token: holders', 'tokens/{token}/balances?limit=10&order=desc', 'tokenBalances'],
  ['token: holders', 'tokens/{token}/balances?limit=10&order=desc&account.id=lt:{treasury}', 'tokenBalances'],
  ['token: NFTs', 'tokens/{token}/nfts?limit=10&order=desc', 'nfts'],
  ['token: NFTs', 'tokens/{token}/nfts?limit=10&order=desc&serialnumber=lt:{serial}', 'nfts'],
  ['NFT', 'tokens/{token}/nfts/{serial}', 'nft'],
  ['NFT', 'tokens/{token}/nfts/{serial}/transactions?limit=10&order=desc', 'nftTransactions'],
  [
    'NFT',
    'tokens/{token}/nfts/{serial}/transactions?limit=10&order=desc&timestamp=lt:{nftTime}',
    'nftTransactions',
  ],
  [
    'topics',
    'transactions?limit=15&order=desc&transactiontype=CONSENSUSCREATETOPIC&result=success',
    'transactions',
  ],
  ['topic', 'topics/{topic}', 'topic'],
  ['topic: messages', 'topics/{topic}/messages?limit=10&order=desc', 'messages'],
  ['topic: messages', 'topics/{topic}/messages?limit=10&order=desc&timestamp=lt:{messageTime}', 'messages'],
  ['topic: a stored file', 'topics/{topic}/messages?limit=100&order=asc', 'messages'],
  ['topic: metadata', 'topics/{topic}/messages?limit=1&order=desc', 'messages'],
  ['topic: metadata', 'topics/{topic}/messages/{sequence}', 'message'],
  ['transaction of a message', 'topics/messages/{messageTime}', 'message'],
  ['schedule', 'schedules/{schedule}', 'schedule'],
  ['schedule', 'transactions?timestamp={scheduleTime}', 'transactions'],
  ['schedule', 'accounts/{payer}', 'accountPage'],
];

/** What tables send to reach the page after a row: the parameters, in both orders. */
export const EXPLORER_TABLES: readonly {
  readonly table: string;
  readonly path: string;
  readonly list: string;
  /** Rows that the longest list has to have for the paging to show anything. */
  readonly fewest: number;
  /** Parameter, member of the row; the last is passed, those before it are kept. */
  readonly cursor: readonly (readonly [parameter: string, member: string])[];
}[] = [
  { table: 'accounts', path: 'accounts', list: 'accounts', fewest: 2, cursor: [['account.id', 'account']] },
  { table: 'tokens', path: 'tokens', list: 'tokens', fewest: 2, cursor: [['token.id', 'token_id']] },
  {
    table: 'tokens of an account',
    path: 'accounts/{account}/tokens',
    list: 'tokens',
    fewest: 2,
    cursor: [['token.id', 'token_id']],
  },
  {
    table: 'NFTs of an account',
    path: 'accounts/{account}/nfts',
    list: 'nfts',
    fewest: 2,
    cursor: [
      ['token.id', 'token_id'],
      ['serialnumber', 'serial_number'],
    ],
  },
  {
    table: 'approvals of hbar',
    path: 'accounts/{account}/allowances/crypto',
    list: 'allowances',
    fewest: 2,
    cursor: [['spender.id', 'spender']],
  },
  {
    table: 'approvals of tokens',
    path: 'accounts/{account}/allowances/tokens',
    list: 'allowances',
    fewest: 2,
    cursor: [
      ['spender.id', 'spender'],
      ['token.id', 'token_id'],
    ],
  },
  {
    table: 'approvals of collections',
    path: 'accounts/{account}/allowances/nfts',
    list: 'allowances',
    fewest: 2,
    cursor: [
      ['account.id', 'spender'],
      ['token.id', 'token_id'],
    ],
  },
  {
    table: 'pending airdrops',
    path: 'accounts/{account}/airdrops/pending',
    list: 'airdrops',
    fewest: 1,
    cursor: [
      ['sender.id', 'sender_id'],
      ['token.id', 'token_id'],
      ['serialnumber', 'serial_number'],
    ],
  },
  {
    table: 'rewards',
    path: 'accounts/{account}/rewards',
    list: 'rewards',
    fewest: 2,
    cursor: [['timestamp', 'timestamp']],
  },
  {
    table: 'holders',
    path: 'tokens/{token}/balances',
    list: 'balances',
    fewest: 2,
    cursor: [['account.id', 'account']],
  },
  {
    table: 'NFTs of a token',
    path: 'tokens/{token}/nfts',
    list: 'nfts',
    fewest: 2,
    cursor: [['serialnumber', 'serial_number']],
  },
  {
    table: 'transactions of an NFT',
    path: 'tokens/{token}/nfts/{serial}/transactions',
    list: 'transactions',
    fewest: 2,
    cursor: [['timestamp', 'consensus_timestamp']],
  },
  {
    table: 'messages',
    path: 'topics/{topic}/messages',
    list: 'messages',
    fewest: 2,
    cursor: [['timestamp', 'consensus_timestamp']],
  },
];
