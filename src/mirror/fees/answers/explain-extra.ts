import type { ChargedExtra } from '../pricing/price-transaction.ts';

const TOKEN_KEYS = 'the admin, fee schedule, freeze, KYC, metadata, pause, supply and wipe key';
const TOPIC_KEYS = 'the admin, fee schedule and submit key';

/** Where the keys of a type are. */
const KEYS: Readonly<Record<string, string>> = {
  consensusCreateTopic: TOPIC_KEYS,
  consensusUpdateTopic: `${TOPIC_KEYS} and the list of exempt keys`,
  contractCreateInstance: 'the admin key',
  contractUpdateInstance: 'the admin key',
  cryptoCreateAccount: "the account's key",
  cryptoUpdateAccount: "the account's new key",
  fileCreate: "the file's key list",
  fileUpdate: "the file's new key list",
  scheduleCreate: 'the admin key',
  tokenCreation: TOKEN_KEYS,
  tokenUpdate: TOKEN_KEYS,
};

/** What one unit of an extra is, and where it was counted. */
const UNITS: Readonly<Record<string, string>> = {
  SIGNATURES: 'pairs in the signature map, or the number that was asked for',
  PROCESSING_BYTES: 'bytes of the whole signed transaction',
  ACCOUNTS: 'different accounts in the transfer lists, an alias and a number counting as two',
  ALLOWANCES: 'entries of the allowance lists',
  CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 'once, because the new topic has custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE: 'once, because the topic has custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES: 'bytes of the message, for a topic with custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES: 'bytes of the message',
  GAS: 'gas limits of the hooks that are called, twice for hooks that run before and after',
  HOOK_EXECUTION: 'hooks that are called, twice for hooks that run before and after',
  HOOK_SLOT_UPDATE: 'storage slots and mapping entries to write',
  HOOK_UPDATES: 'hooks to create or to delete',
  NFT_UPDATE: 'serial numbers to update',
  SCHEDULE_CREATE_CONTRACT_CALL_BASE: 'once, because a contract call is scheduled',
  STATE_BYTES: "bytes of the file's contents",
  TOKEN_ASSOCIATE: 'tokens to associate',
  TOKEN_CREATE_WITH_CUSTOM_FEE: 'once, because the new token has custom fees or a fee schedule key',
  TOKEN_MINT_NFT: 'NFTs to mint, one for each metadata entry',
  TOKEN_MINT_NFT_BASE: 'once, because NFTs are minted',
  TOKEN_TRANSFER_BASE: 'once, because tokens without custom fees are moved',
  TOKEN_TRANSFER_BASE_CUSTOM_FEES: 'once, because a token with custom fees is moved',
  TOKEN_TYPES: 'fungible tokens and single NFTs to move; from the bytes alone, entries of one token list',
};

/**
 * One sentence about an extra: what was counted and where.
 *
 * @param member name of the type in `TransactionBody.data`.
 * @see contracts/fees-estimate.md section 12, explanation
 */
export function explainExtra(member: string, { charged, count, included, name }: ChargedExtra): string {
  const keys = KEYS[member];
  const unit = name === 'KEYS' && keys !== undefined ? `keys in ${keys}` : (UNITS[name] ?? 'units');
  const covered = included === 0n ? 'none is' : included === 1n ? '1 is' : `${included} are`;
  return `${count} counted (${unit}); ${covered} covered by the base fee, ${charged} charged.`;
}

/** What an estimate of token transfers from the bytes alone leaves out. */
export const TOKEN_BASE_MISSING =
  'The base price of token transfers depends on the tokens and is not in an INTRINSIC estimate: use mode=state';
