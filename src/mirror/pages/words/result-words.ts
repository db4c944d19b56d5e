import { isSuccess, RESULT, resultNumber } from '../../vocabulary/response-codes.ts';

/** The results that people meet most, explained. */
const MEANINGS: Readonly<Record<string, string>> = {
  SUCCESS: 'The transaction succeeded.',
  FEE_SCHEDULE_FILE_PART_UPLOADED: 'A part of the fee schedule was stored; more parts follow.',
  SUCCESS_BUT_MISSING_EXPECTED_OPERATION: 'Succeeded, but without an operation that a hook expected.',
  ACCOUNT_DELETED: 'An account of the transaction is already deleted.',
  ACCOUNT_FROZEN_FOR_TOKEN: 'An account is frozen for a token of the transaction.',
  ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN: 'An account was not granted KYC for a token of the transaction.',
  AMOUNT_EXCEEDS_ALLOWANCE: 'The amount exceeds the approved allowance.',
  BATCH_KEY_SET_ON_NON_INNER_TRANSACTION: 'Only transactions of a batch may have a batch key.',
  CONTRACT_EXECUTION_EXCEPTION: 'The EVM stopped with an exception; its gas is used up.',
  CONTRACT_REVERT_EXECUTED: 'The contract reverted the call.',
  DUPLICATE_TRANSACTION: 'A transaction with the same id was processed before.',
  FAIL_INVALID: 'Internal error of the network.',
  INNER_TRANSACTION_FAILED: 'One transaction failed, so the whole batch was rolled back.',
  INSUFFICIENT_ACCOUNT_BALANCE: 'Insufficient balance for the transfer.',
  INSUFFICIENT_GAS: 'The gas limit is below what the call needs.',
  INSUFFICIENT_PAYER_BALANCE: 'Insufficient payer balance for the fee.',
  INSUFFICIENT_TOKEN_BALANCE: 'Insufficient token balance for the transfer.',
  INSUFFICIENT_TX_FEE: 'The fee that the payer offered is below the price.',
  INVALID_ACCOUNT_ID: 'An account of the transaction does not exist.',
  INVALID_CONTRACT_ID: 'The contract does not exist.',
  INVALID_NODE_ACCOUNT: 'The transaction names a different node than the one it was sent to.',
  INVALID_PAYER_SIGNATURE: "The payer's signature is missing or wrong.",
  INVALID_SIGNATURE: 'A signature that the transaction needs is missing or wrong.',
  INVALID_TOKEN_ID: 'The token does not exist.',
  INVALID_TOPIC_ID: 'The topic does not exist.',
  INVALID_TRANSACTION_START: 'The valid start lies in the future of the network.',
  MAX_CHILD_RECORDS_EXCEEDED: 'The transaction exceeds the limit of child transactions.',
  NO_REMAINING_AUTOMATIC_ASSOCIATIONS: 'The receiver has no automatic associations left.',
  REVERTED_SUCCESS: 'Succeeded, but rolled back with its parent transaction.',
  SCHEDULE_ALREADY_EXECUTED: 'The scheduled transaction is already executed.',
  SPENDER_DOES_NOT_HAVE_ALLOWANCE: 'The owner did not approve this spender.',
  TOKEN_IS_PAUSED: 'The token is paused.',
  TOKEN_NOT_ASSOCIATED_TO_ACCOUNT: 'An account is not associated with a token of the transaction.',
  TOKEN_WAS_DELETED: 'The token is already deleted.',
  TRANSACTION_EXPIRED: 'Submitted after its valid duration.',
  UNKNOWN: 'Unknown result code.',
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
