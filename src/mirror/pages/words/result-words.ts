import { isSuccess, RESULT, resultNumber } from '../../vocabulary/response-codes.ts';

/** The results that people meet most, explained. */
const MEANINGS: Readonly<Record<string, string>> = {
  SUCCESS: 'The transaction succeeded.',
  FEE_SCHEDULE_FILE_PART_UPLOADED: 'A part of the fee schedule was stored; more parts follow.',
  SUCCESS_BUT_MISSING_EXPECTED_OPERATION: 'It succeeded, but did not do what a hook expected.',
  ACCOUNT_DELETED: 'An account of the transaction was deleted before.',
  ACCOUNT_FROZEN_FOR_TOKEN: 'An account is frozen for a token of the transaction.',
  ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN: 'An account was not granted KYC for a token of the transaction.',
  AMOUNT_EXCEEDS_ALLOWANCE: 'The owner approved less than was to be spent.',
  BATCH_KEY_SET_ON_NON_INNER_TRANSACTION: 'A batch key belongs to the members of a batch alone.',
  CONTRACT_EXECUTION_EXCEPTION: 'The EVM stopped with an exception; its gas is used up.',
  CONTRACT_REVERT_EXECUTED: 'The contract reverted the call.',
  DUPLICATE_TRANSACTION: 'A transaction with the same id was handled before.',
  FAIL_INVALID: 'The network met a fault of its own while it handled the transaction.',
  INNER_TRANSACTION_FAILED: 'A member of the batch failed, so nothing of it took effect.',
  INSUFFICIENT_ACCOUNT_BALANCE: 'An account has less than it was to send.',
  INSUFFICIENT_GAS: 'The gas limit is below what the call needs.',
  INSUFFICIENT_PAYER_BALANCE: 'The payer has less than the fee.',
  INSUFFICIENT_TOKEN_BALANCE: 'An account has fewer tokens than it was to send.',
  INSUFFICIENT_TX_FEE: 'The fee that the payer offered is below the price.',
  INVALID_ACCOUNT_ID: 'An account of the transaction does not exist.',
  INVALID_CONTRACT_ID: 'The contract does not exist.',
  INVALID_NODE_ACCOUNT: 'The transaction names another node than the one that it was sent to.',
  INVALID_PAYER_SIGNATURE: "The payer's signature is missing or wrong.",
  INVALID_SIGNATURE: 'A signature that the transaction needs is missing or wrong.',
  INVALID_TOKEN_ID: 'The token does not exist.',
  INVALID_TOPIC_ID: 'The topic does not exist.',
  INVALID_TRANSACTION_START: 'The valid start lies in the future of the network.',
  MAX_CHILD_RECORDS_EXCEEDED: 'It would have caused more child transactions than are allowed.',
  NO_REMAINING_AUTOMATIC_ASSOCIATIONS: 'The receiver has no automatic association left for another token.',
  REVERTED_SUCCESS: 'It succeeded on its own, but the transaction around it was undone.',
  SCHEDULE_ALREADY_EXECUTED: 'The scheduled transaction was executed before.',
  SPENDER_DOES_NOT_HAVE_ALLOWANCE: 'The owner did not approve this spender.',
  TOKEN_IS_PAUSED: 'The token is paused.',
  TOKEN_NOT_ASSOCIATED_TO_ACCOUNT: 'An account is not associated with a token of the transaction.',
  TOKEN_WAS_DELETED: 'The token was deleted before.',
  TRANSACTION_EXPIRED: 'It reached the network after its valid duration.',
  UNKNOWN: 'The result has a number that this server has no name for.',
  WRONG_NONCE: "The nonce is not the sender's next one.",
};

/** Whether a transaction with this result did what it was asked to. */
export function hasSucceeded(result: string): boolean {
  return isSuccess(resultNumber(result) ?? RESULT.UNKNOWN);
}

/** One sentence about a result; of one that is not listed, its name in words. */
export function resultInWords(result: string): string {
  const known = MEANINGS[result];
  if (known !== undefined) return known;
  const words = result.toLowerCase().replaceAll('_', ' ');
  return `The transaction failed: ${words}.`;
}
