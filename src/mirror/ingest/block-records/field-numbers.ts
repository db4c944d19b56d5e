/*
 * Numbers of the members of blocks, in one place: later releases may shift them.
 * See contracts/streams.md sections 9.2 and 9.7.
 */

/** Members of `BlockItem` that have a meaning here. */
export const ITEM = {
  header: 1,
  eventHeader: 2,
  roundHeader: 3,
  signedTransaction: 4,
  transactionResult: 5,
  transactionOutput: 6,
  stateChanges: 7,
  filtered: 8,
  proof: 9,
  recordFile: 10,
  traceData: 11,
  footer: 12,
  redacted: 19,
} as const;

export const HEADER = { number: 3, timestamp: 4 } as const;

export const SIGNED = { body: 1, signatures: 2, usesOldHash: 3 } as const;

export const BODY = { transactionId: 1, memo: 6 } as const;

export const RESULT_FIELD = {
  status: 1,
  consensusTimestamp: 2,
  parentConsensusTimestamp: 3,
  scheduleRef: 5,
  fee: 6,
  transferList: 7,
  tokenTransferLists: 8,
  automaticTokenAssociations: 9,
  paidStakingRewards: 10,
  assessedCustomFees: 12,
  highVolumeMultiplier: 13,
} as const;

export const STATE_CHANGES = { consensusTimestamp: 1, change: 2 } as const;

export const STATE_CHANGE = { stateId: 1, mapUpdate: 5, mapDelete: 6 } as const;

export const MAP_CHANGE = { key: 1, value: 2, isIdentical: 3 } as const;

/** Maps of the state: their number, and which member of the oneofs their keys and values are. */
export const STATE = {
  accounts: { id: 2, key: 1, value: 1 },
  storage: { id: 4, key: 10, value: 9 },
  bytecode: { id: 5, key: 13, value: 3 },
  files: { id: 6, key: 4, value: 4 },
  tokens: { id: 7, key: 11, value: 11 },
  tokenRelations: { id: 9, key: 25, value: 12 },
  schedules: { id: 14, key: 9, value: 7 },
  nodes: { id: 20, key: 3, value: 14 },
  topics: { id: 21, key: 12, value: 13 },
  pendingAirdrops: { id: 25, key: 14, value: 15 },
  registeredNodes: { id: 56, key: 3, value: 0 },
} as const;

export const ACCOUNT = {
  id: 1,
  alias: 2,
  key: 3,
  expirySeconds: 4,
  balance: 5,
  memo: 6,
  isDeleted: 7,
  isReceiverSigRequired: 13,
  maxAutomaticAssociations: 18,
  isContract: 21,
  ethereumNonce: 23,
  autoRenewAccount: 25,
  autoRenewSeconds: 26,
} as const;

export const FILE = { contents: 4 } as const;

/** In `Bytecode`. */
export const BYTECODE = { code: 1 } as const;

export const TOKEN_RELATION = { token: 1, account: 2, balance: 3 } as const;

/** In `AccountPendingAirdrop` and the value in it. */
export const PENDING_AIRDROP = { value: 1, amount: 1 } as const;

/** In `PendingAirdropId` and the id of an NFT. */
export const AIRDROP_ID = { sender: 1, receiver: 2, token: 3, nft: 4, nftToken: 1, nftSerial: 2 } as const;

export const TRACE = { evm: 1, submitMessage: 4 } as const;

export const EVM_TRACE = { initcode: 1, action: 2, slotUsage: 3, log: 4 } as const;

export const EVM_RESULT = {
  sender: 1,
  contract: 2,
  resultData: 3,
  errorMessage: 4,
  gasUsed: 5,
  callContext: 6,
  executedHook: 7,
  contractNonces: 8,
  signerNonce: 9,
} as const;

/** What an output of a transaction is, with its number in the older published copy and in the shifted one. */
export const OUTPUT = {
  prng: [2, 1],
  contractCall: [3, 2],
  ethereum: [4, 3],
  contractCreate: [5, 4],
  createSchedule: [6, 5],
  signSchedule: [7, 6],
  createAccount: [8, 7],
} as const;
