import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { printIdOrNull } from '../../../values/entity-id.ts';
import { type Hex, toHex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { notFoundError } from '../../errors.ts';
import { paddedHex } from '../../evm/quantities.ts';
import { type ExactJson, printExactJson } from '../../ledger/exact-json.ts';
import { andIntegers } from '../../parameters/anded-integers.ts';
import { checkParameters } from '../../parameters/check-parameters.ts';
import { cursorPage } from '../../parameters/cursor-page.ts';
import { parseFilter } from '../../parameters/filter-operator.ts';
import { type PageSettings, pageChecks, pageRequest } from '../../parameters/page-parameters.ts';
import { readQuery } from '../../parameters/query-text.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import type { ContractResultRepository } from '../results/contract-result-repository.ts';
import { findTransactionInPath, transactionInPath } from '../results/transaction-in-path.ts';
import type { ContractActionRepository, ShownAction } from './contract-action-repository.ts';

export interface ActionDependencies {
  readonly actions: ContractActionRepository;
  readonly results: Pick<ContractResultRepository, 'findByHash' | 'findById'>;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const INDEX = /^((eq|gt|gte|lt|lte):)?\d{1,10}$/;
/** Actions are those of the transaction that a client sent. */
const NONCE = 0;
const ADDRESS_DIGITS = 40;
const OPERATIONS = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'];
const CALL_TYPES = ['NO_ACTION', 'CALL', 'CREATE', 'PRECOMPILE', 'SYSTEM'];
const RESULT_DATA: Readonly<Record<number, string>> = { 11: 'OUTPUT', 12: 'REVERT_REASON', 13: 'ERROR' };

/**
 * Answers `GET /api/v1/contracts/results/{transaction id or hash}/actions`.
 *
 * @throws MirrorApiError 400 for another form or bad parameters, 404 for an unknown transaction.
 * @see contracts/mirror-contracts.md section 8
 */
export async function listActions(
  transactionText: string,
  target: string,
  { actions, maxRepeated, page, results }: ActionDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const named = transactionInPath(transactionText);
  const checks = { ...pageChecks(page), index: (text: string) => INDEX.test(text) };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page, 'asc');
  const indexes = andIntegers(
    (values.get('index') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const transaction = await findTransactionInPath(named, NONCE, results);
  if (transaction === null) throw notFoundError();
  const { consensusTimestamp, payer } = transaction;
  const { lower, upper } = indexes;
  const found =
    lower > upper
      ? []
      : await actions.page({
          ...{ consensusTimestamp, payer, lower, upper: upper < MAX_INT64 ? upper : MAX_INT64 },
          order: request.order,
          // One more tells whether a page follows.
          limit: request.limit + 1,
        });
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'index',
      of: (action: ShownAction) => BigInt(action.index),
      print: String,
      selection: { equal: null, lower, upper },
    },
    found,
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ actions: shown.map(actionDocument), links: { next } }), next };
}

function actionDocument(action: ShownAction): ExactJson {
  const recipient = action.recipientAccount ?? action.recipientContract;
  const recipientType = action.recipientAccount === null ? 'CONTRACT' : 'ACCOUNT';
  return {
    call_depth: action.callDepth,
    call_operation_type: OPERATIONS[action.operation] ?? 'UNKNOWN',
    call_type: CALL_TYPES[action.callType] ?? 'NO_ACTION',
    caller: printIdOrNull(action.caller),
    caller_type: action.caller === null ? null : action.isCallerContract ? 'CONTRACT' : 'ACCOUNT',
    from: action.caller === null ? null : toHex(longZeroOf(action.caller)),
    gas: action.gas,
    gas_used: action.gasUsed,
    index: action.index,
    input: bytesText(action.input),
    recipient: printIdOrNull(recipient),
    recipient_type: recipient === null ? null : recipientType,
    result_data: bytesText(action.resultData),
    result_data_type: RESULT_DATA[action.resultDataType] ?? 'OUTPUT',
    timestamp: printTimestamp(action.consensusTimestamp),
    to: receiver(action, recipient),
    value: action.value,
  };
}

/** The targeted address, else that of the recipient. */
function receiver({ targetedAddress }: ShownAction, recipient: bigint | null): string | null {
  if (targetedAddress !== null && targetedAddress.length > 0)
    return paddedHex(targetedAddress, ADDRESS_DIGITS);
  return recipient === null ? null : toHex(longZeroOf(recipient));
}

/** Hex of all bytes, `0x` for none. */
function bytesText(bytes: Uint8Array | null): Hex {
  return bytes === null ? '0x' : toHex(bytes);
}
