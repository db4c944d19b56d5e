import type { ParameterDocs } from '../../../src/http/operation-docs.ts';

/** Words for parameters by name, where the schema of the route has none, and a value to try. */
export const PARAMETERS: Readonly<Record<string, ParameterDocs>> = {
  idOrAliasOrEvmAddress: { description: 'Account id, alias in base32, or EVM address.', example: '0.0.1001' },
  idOrHash: { description: 'Transaction id, or hash.', example: '0.0.1001-1700000000-000000000' },
  tokenId: { description: 'Token id.', example: '0.0.2001' },
  serialNumber: { description: 'From 1 on.', example: '1' },
  topicId: { description: 'Topic id.', example: '0.0.3001' },
  sequenceNumber: { description: 'From 1 on.', example: '1' },
  scheduleId: { description: 'Schedule id.', example: '0.0.4001' },
  transactionIdOrHash: {
    description: 'Transaction id, or hash of 64 digits.',
    example: '0.0.1001-1700000000-000000000',
  },
  contractIdOrAddress: { description: 'Contract id or EVM address.', example: '0.0.1005' },
  hashOrNumber: { description: 'Block number or hash.', example: '7' },
  hookId: { description: 'Number of the hook, chosen by its owner.', example: '1' },
  'account.id': {
    description: 'Account id or EVM address, with optional operator (eq, gt, gte, lt, lte, ne).',
    example: 'gte:0.0.1001',
  },
  'account.balance': {
    description: 'Balance in tinybars, with optional operator (eq, gt, gte, lt, lte, ne).',
    example: 'gte:100000000',
  },
  'account.publickey': {
    description: 'Public key in hex: accounts that have it now.',
    example: '6ceecd8bb224da491b3f4c3f1d5b4d1d6ae9e1fd1cb0f4c5b8a4d4e2f1a3c5d7',
  },
  'block.number': {
    description: 'Block number, with optional operator (eq, gt, gte, lt, lte, ne).',
    example: 'gte:1',
  },
  'block.hash': {
    description: 'Hash of the block, or its first 64 digits.',
    example: '0x6ceecd8bb224da491b3f4c3f1d5b4d1d6ae9e1fd1cb0f4c5b8a4d4e2f1a3c5d7',
  },
  'contract.id': {
    description: 'Contract id with optional operator (eq, gt, gte, lt, lte, ne), or EVM address.',
    example: 'gte:0.0.1005',
  },
  'transaction.hash': {
    description: 'Hash of the transaction whose logs are shown.',
    example: '0x6ceecd8bb224da491b3f4c3f1d5b4d1d6ae9e1fd1cb0f4c5b8a4d4e2f1a3c5d7',
  },
  'transaction.index': {
    description: 'Index within the block; requires a block number or hash.',
    example: '0',
  },
  'file.id': { description: 'Address book: 0.0.101 or 0.0.102.', example: '0.0.102' },
  'hook.id': {
    description: 'Number of the hook, with optional operator (eq, gt, gte, lt, lte, ne).',
    example: 'gte:1',
  },
  'node.id': {
    description: 'Number of the node, with optional operator (eq, gt, gte, lt, lte, ne).',
    example: 'gte:0',
  },
  'receiver.id': {
    description: 'Id or EVM address of the receiver, with optional operator (eq, gt, gte, lt, lte).',
    example: 'gte:0.0.1001',
  },
  'registerednode.id': {
    description: 'Number of the registered node, with optional operator (eq, gt, gte, lt, lte).',
    example: 'gte:1',
  },
  'schedule.id': { description: 'Schedule id, with optional operator.', example: 'gte:0.0.4001' },
  'sender.id': {
    description: 'Id or EVM address of the sender, with optional operator (eq, gt, gte, lt, lte).',
    example: 'gte:0.0.1001',
  },
  'spender.id': {
    description: 'Id or EVM address of the spender, with optional operator (eq, gt, gte, lt, lte).',
    example: 'gte:0.0.1001',
  },
  'token.id': {
    description: 'Token id, with optional operator (eq, gt, gte, lt, lte).',
    example: 'gte:0.0.2001',
  },
  balance: { description: 'Whether the response includes balances.', example: false },
  decode: { description: 'Whether rows are decoded, using verified contracts.', example: true },
  encoding: { description: 'Encoding of messages.', example: 'utf-8' },
  high_volume_throttle: { description: 'Assumed utilization in basis points.', example: 5000 },
  include: { description: 'Details in addition to the default members.', example: 'money,explanation' },
  from: {
    description: 'Id or EVM address of the sender, with optional operator (eq, gt, gte, lt, lte, ne).',
    example: '0.0.1001',
  },
  hbar: { description: 'Whether amounts are tinybars; false: weibars.', example: true },
  internal: { description: 'Whether results of calls inside other calls are included.', example: false },
  key: {
    description: 'Storage key of up to 32 bytes in hex, with optional operator (eq, gt, gte, lt, lte).',
    example: 'gte:0x01',
  },
  limit: { description: 'Items per page, 1 to 100.', example: 10 },
  mode: { description: 'What the estimate takes into account.', example: 'state' },
  name: { description: 'Part of the name.', example: 'coin' },
  nonce: {
    description: '0 for the transaction that was submitted; its children count from 1.',
    example: 0,
  },
  order: { description: 'Direction of the list.', example: 'asc' },
  owner: { description: 'Whether the path names the owner.', example: true },
  publickey: {
    description: 'Admin key in hex.',
    example: '6ceecd8bb224da491b3f4c3f1d5b4d1d6ae9e1fd1cb0f4c5b8a4d4e2f1a3c5d7',
  },
  q: { description: 'Returns one number as plain text.', example: 'circulating' },
  result: {
    description: 'Only transactions that succeeded, or only those that failed.',
    example: 'success',
  },
  scheduled: {
    description: 'Whether to show the execution of a schedule instead of the transaction that created it.',
    example: false,
  },
  sequencenumber: { description: 'Sequence number, with optional operator.', example: 'gte:1' },
  serialnumber: {
    description: 'Serial number, with optional operator (eq, gt, gte, lt, lte). Fungible tokens have 0.',
    example: 'gte:1',
  },
  signatures: { description: 'Signatures that the transaction will have.', example: 2 },
  slot: {
    description: 'Slot of up to 32 bytes in hex, with optional operator (eq, gt, gte, lt, lte).',
    example: '0x0',
  },
  ...Object.fromEntries([0, 1, 2, 3].map((position) => [`topic${position}`, topic(position)])),
  timestamp: {
    description:
      'Consensus time (seconds, a point, nanoseconds), with optional operator (eq, gt, gte, lt, lte, ne).',
    example: 'gte:1700000000.000000000',
  },
  transactiontype: { description: 'Only transactions of this kind.', example: 'CRYPTOTRANSFER' },
  transactions: { description: 'Whether the response includes transactions.', example: false },
  type: { description: 'Kind.', example: 'credit' },
};

function topic(position: number): ParameterDocs {
  return {
    description: `Topic ${position}, compared as a number; several are alternatives.`,
    example: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  };
}
