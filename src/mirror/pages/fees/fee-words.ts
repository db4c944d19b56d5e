/** What extras of the fee schedule are called on the page. */
const NAMES: Readonly<Record<string, string>> = {
  ACCOUNTS: 'Accounts',
  AIRDROPS: 'Pending airdrops',
  ALLOWANCES: 'Allowances',
  CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 'Topic with custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE: 'Message to a topic with custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES: 'Bytes of the message',
  CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES: 'Bytes of the message',
  CREATED_ACCOUNTS: 'Created accounts',
  GAS: 'Gas',
  HOOK_EXECUTION: 'Calls of hooks',
  HOOK_SLOT_UPDATE: 'Storage slots of hooks',
  HOOK_UPDATES: 'Hooks created or deleted',
  KEYS: 'Keys',
  NFT_UPDATE: 'NFTs updated',
  PROCESSING_BYTES: 'Bytes of the transaction',
  SCHEDULE_CREATE_CONTRACT_CALL_BASE: 'Scheduled contract call',
  SIGNATURES: 'Signatures',
  STATE_BYTES: 'Bytes to store',
  TOKEN_ASSOCIATE: 'Token associations',
  TOKEN_CREATE_WITH_CUSTOM_FEE: 'Token with custom fees',
  TOKEN_MINT_NFT: 'NFTs to mint',
  TOKEN_MINT_NFT_BASE: 'Minting NFTs',
  TOKEN_TRANSFER_BASE: 'Token transfer',
  TOKEN_TRANSFER_BASE_CUSTOM_FEES: 'Token transfer with custom fees',
  TOKEN_TYPES: 'Tokens and NFTs transferred',
};

/** An extra in words; one that is not listed keeps its name. */
export function extraInWords(name: string): string {
  return NAMES[name] ?? name;
}
