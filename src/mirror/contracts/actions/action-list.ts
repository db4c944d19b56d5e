import { toHex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { notFoundError } from '../../errors.ts';
import { paddedHex } from '../../evm/quantities.ts';
import type { ContractAction } from '../../ledger/facets/contract-actions.ts';
import { hex, id, integer, itemOf, text, time } from '../../lists/fields.ts';
import { type ListContext, listOn } from '../../lists/list.ts';
import { ALL_OF, type Parameter, readConditions, repeated } from '../../lists/parameters.ts';
import { type AndedIntegers, andIntegers } from '../../parameters/anded-integers.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import type { ContractResultRepository } from '../results/contract-result-repository.sql.ts';
import { findTransactionInPath, namedTransaction } from '../results/transaction-in-path.ts';
import type { ContractActionRepository } from './contract-action-repository.sql.ts';

export interface ActionContext extends ListContext {
  readonly contractActions: ContractActionRepository;
  readonly contractResults: Pick<ContractResultRepository, 'findByHash' | 'findById'>;
}

const INDEX = /^((eq|gt|gte|lt|lte):)?\d{1,10}$/;
/** Actions are those of the transaction that a client sent. */
const NONCE = 0;
const ADDRESS_DIGITS = 40;
const OPERATIONS = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'];
const CALL_TYPES = ['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM'];
const RESULT_DATA: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' };
const NO_BYTES = new Uint8Array();
const BYTES = 'Hex of all bytes with `0x`; `0x` for none.';

export const ACTION = itemOf<ContractAction>()(
  {
    call_depth: integer(({ callDepth }) => callDepth),
    call_operation_type: text(({ operation }) => OPERATIONS[operation] ?? 'UNKNOWN'),
    call_type: text(({ callType }) => CALL_TYPES[callType] ?? 'NO_ACTION'),
    caller: id.orNull(({ caller }) => caller),
    caller_type: text.orNull(({ caller, isCallerContract }) =>
      caller === null ? null : isCallerContract ? 'CONTRACT' : 'ACCOUNT',
    ),
    from: hex.orNull(({ caller }) => (caller === null ? null : longZeroOf(caller))),
    gas: integer(({ gas }) => gas),
    gas_used: integer(({ gasUsed }) => gasUsed),
    index: integer(({ index }) => index),
    input: hex(({ input }) => input ?? NO_BYTES, BYTES),
    recipient: id.orNull(recipientOf),
    recipient_type: text.orNull((action) =>
      recipientOf(action) === null ? null : action.recipientAccount === null ? 'CONTRACT' : 'ACCOUNT',
    ),
    result_data: hex(({ resultData }) => resultData ?? NO_BYTES, BYTES),
    result_data_type: text(({ resultDataType }) => RESULT_DATA[resultDataType] ?? 'OUTPUT'),
    timestamp: time(({ consensusTimestamp }) => consensusTimestamp),
    to: text.orNull(receiverOf),
    value: integer(({ value }) => value),
  },
  'ContractAction',
);

function recipientOf({ recipientAccount, recipientContract }: ContractAction): bigint | null {
  return recipientAccount ?? recipientContract;
}

/** The targeted address, else that of the recipient. */
function receiverOf(action: ContractAction): string | null {
  const { targetedAddress } = action;
  if (targetedAddress !== null && targetedAddress.length > 0)
    return paddedHex(targetedAddress, ADDRESS_DIGITS);
  const recipient = recipientOf(action);
  return recipient === null ? null : toHex(longZeroOf(recipient));
}

/** May select nothing: an unknown transaction is 404 nevertheless. */
const index: Parameter<AndedIntegers> = {
  schema: repeated('((eq|gt|gte|lt|lte):)?', '\\d{1,10}', {}),
  check: (text) => INDEX.test(text),
  read: (texts) => andIntegers(readConditions(texts, BigInt)),
  left: ALL_OF.left,
};

/** @see contracts/mirror-contracts.md section 8 */
export const actionList = listOn<ActionContext>()({
  path: '/api/v1/contracts/results/:transactionIdOrHash/actions',
  summary: 'Execution trace of a transaction',
  name: 'actions',
  // It does not change.
  maxAgeSeconds: 600,
  order: ['asc'],
  subject: namedTransaction,
  parameters: { index },
  async rows({ index, limit, order, subject }, { contractActions, contractResults }) {
    const transaction = await findTransactionInPath(subject, NONCE, contractResults);
    if (transaction === null) throw notFoundError();
    const { consensusTimestamp, payer } = transaction;
    const { lower, upper } = index;
    if (lower > upper) return [];
    const most = upper < MAX_INT64 ? upper : MAX_INT64;
    return contractActions.page({ consensusTimestamp, payer, lower, upper: most, order, limit });
  },
  cursor: { parameter: 'index', of: (action) => BigInt(action.index), print: String },
  lengthOf: ({ input, resultData }) => 2 * ((input?.length ?? 0) + (resultData?.length ?? 0)),
  item: ACTION,
});
