import { enumNumbers } from '../protobuf/messages.ts';

/** The name that rows of an unlisted result number print. */
const UNKNOWN_RESULT_NAME = 'UNKNOWN';

/** Every response code of receipts, from the descriptor. @see contracts/mirror-transactions.md section 9 */
const RESULT_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries(enumNumbers('proto.ResponseCodeEnum')),
);
const RESULT_NAMES: ReadonlyMap<number, string> = new Map(
  [...RESULT_NUMBERS].map(([name, number]) => [number, name]),
);

/** Those that rules name, and ledgers of tests and of the simulated network. */
const NAMED = [
  'CONTRACT_REVERT_EXECUTED',
  'DUPLICATE_TRANSACTION',
  'FAIL_INVALID',
  'FEE_SCHEDULE_FILE_PART_UPLOADED',
  'IDENTICAL_SCHEDULE_ALREADY_CREATED',
  'INSUFFICIENT_ACCOUNT_BALANCE',
  'INSUFFICIENT_GAS',
  'INSUFFICIENT_PAYER_BALANCE',
  'INSUFFICIENT_TOKEN_BALANCE',
  'INVALID_ETHEREUM_TRANSACTION',
  'INVALID_REGISTERED_NODE_ID',
  'INVALID_SIGNATURE',
  'INVALID_TOPIC_ID',
  'MAX_CHILD_RECORDS_EXCEEDED',
  'SUCCESS',
  'SUCCESS_BUT_MISSING_EXPECTED_OPERATION',
  'UNKNOWN',
  'WRONG_NONCE',
] as const;

/** Their numbers. */
export const RESULT = Object.fromEntries(NAMED.map((name) => [name, RESULT_NUMBERS.get(name)])) as {
  readonly [Name in (typeof NAMED)[number]]: number;
};

const SUCCESS_NUMBERS: ReadonlySet<number> = new Set([
  RESULT.SUCCESS,
  RESULT.FEE_SCHEDULE_FILE_PART_UPLOADED,
  RESULT.SUCCESS_BUT_MISSING_EXPECTED_OPERATION,
]);

/** The text of the member `result`. */
export function resultName(number: number): string {
  return RESULT_NAMES.get(number) ?? UNKNOWN_RESULT_NAME;
}

/** The number of a text of the member `result`; null for any other text. */
export function resultNumber(name: string): number | null {
  return RESULT_NUMBERS.get(name) ?? null;
}

/**
 * Whether a transaction with this result did what it was asked to: what `result=success` selects, and what moves
 * balances and changes state. A child counts only when its parent succeeded too.
 *
 * @see contracts/mirror-transactions.md section 4, contracts/streams.md section 6, row Success
 */
export function isSuccess(number: number): boolean {
  return SUCCESS_NUMBERS.has(number);
}
