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

/** A fee schedule that must not be used; `problem` names the first rule that it breaks. */
export class InvalidFeeScheduleError extends LedgerlensError {
  readonly problem: string;

  constructor(problem: string, cause?: unknown) {
    super('invalid_fee_schedule', `invalid fee schedule: ${problem}`, cause === undefined ? {} : { cause });
    this.problem = problem;
  }
}
