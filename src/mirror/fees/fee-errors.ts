import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** Why a request body cannot be priced; the route answers 400 with the error's message as detail. */
type UnpriceableReason =
  | 'empty_body'
  | 'unparsable_transaction'
  | 'no_transaction_body'
  | 'unknown_transaction_type'
  | 'transaction_too_large'
  | 'too_many_entries'
  | 'too_many_lookups'
  | 'inner_transaction';

/**
 * A transaction that no estimate can be made for. The messages are texts that clients show.
 *
 * @see contracts/fees-estimate.md sections 7 and 8
 */
export class UnpriceableTransactionError extends LedgerlensError {
  constructor(reason: UnpriceableReason, message: string, cause?: unknown) {
    super(reason, message, cause === undefined ? {} : { cause });
  }
}

export function emptyBody(): UnpriceableTransactionError {
  return new UnpriceableTransactionError('empty_body', 'Failed to read request');
}

export function unparsableTransaction(cause: unknown): UnpriceableTransactionError {
  return new UnpriceableTransactionError('unparsable_transaction', 'Unable to parse transaction', cause);
}

export function noTransactionBody(): UnpriceableTransactionError {
  return new UnpriceableTransactionError(
    'no_transaction_body',
    'Transaction must contain body bytes or signed transaction bytes',
  );
}

export function unknownTransactionType(): UnpriceableTransactionError {
  return new UnpriceableTransactionError('unknown_transaction_type', 'Unknown transaction type');
}

export function transactionTooLarge(size: number, maximum: number): UnpriceableTransactionError {
  return new UnpriceableTransactionError(
    'transaction_too_large',
    `Transaction size ${size} exceeds maximum ${maximum} bytes`,
  );
}

export function tooManyEntries(count: number, noun: string, maximum: number): UnpriceableTransactionError {
  return new UnpriceableTransactionError(
    'too_many_entries',
    `Transaction contains ${count} ${noun}, which exceeds the maximum of ${maximum}`,
  );
}

export function tooManyLookups(maximum: number): UnpriceableTransactionError {
  return new UnpriceableTransactionError(
    'too_many_lookups',
    `Fee estimation exceeded the maximum of ${maximum} entity lookups`,
  );
}

/** @param place of the inner transaction, counted from 1. */
export function unpriceableInner(
  place: number,
  cause: UnpriceableTransactionError,
): UnpriceableTransactionError {
  return new UnpriceableTransactionError(
    'inner_transaction',
    `Inner transaction ${place}: ${cause.message}`,
    cause,
  );
}

/** A fee schedule that must not be used; `problem` names the first rule that it breaks. */
export class InvalidFeeScheduleError extends LedgerlensError {
  readonly problem: string;

  constructor(problem: string, cause?: unknown) {
    super('invalid_fee_schedule', `invalid fee schedule: ${problem}`, cause === undefined ? {} : { cause });
    this.problem = problem;
  }
}
