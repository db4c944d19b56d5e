import { type EntityId, entityId } from '../../../values/entity-id.ts';
import {
  FixtureFault,
  type FixtureObject,
  hex,
  idIn,
  ids,
  integer,
  objects,
  text,
} from '../../items/fixture-members.ts';
import { entityOfLongZero } from '../../vocabulary/long-zero-address.ts';
import { bloomOfLine } from './bloom-of-line.ts';
import type { ContractResult } from './contract-results.ts';
import type { FacetOutput, FixtureContext } from './facet.ts';
import { transactionOfLine } from './transaction-of-line.ts';

const ADDRESS_BYTES = 20;
/** Of a contract that is not known. */
const NO_CONTRACT = entityId(0n);

/**
 * Reads a result as the answers show it. Payer, nonce and outcome are those of its transaction.
 *
 * @see contracts/mirror-contracts.md section 4.1
 */
export function readContractResultLine(
  row: FixtureObject,
  context: FixtureContext,
): FacetOutput<ContractResult> {
  refuseLinesOfTheirOwn(row, { logs: 'contract_log', state_changes: 'contract_state' });
  const { transaction, ...found } = transactionOfLine(row, 'hash', context);
  const callResult = hex(row, 'call_result');
  const gasUsed = integer(row, 'gas_used');
  const result: ContractResult = {
    consensusTimestamp: transaction.consensusTimestamp,
    payer: transaction.payer,
    nonce: transaction.nonce,
    result: transaction.result,
    contract: idIn(context.home)(row, 'contract_id') ?? NO_CONTRACT,
    ...senderOf(row, transaction.payer, context),
    ...found,
    amount: integer(row, 'amount'),
    gasLimit: integer(row, 'gas_limit') ?? 0n,
    gasUsed,
    gasConsumed: integer(row, 'gas_consumed'),
    bloom: bloomOfLine(row),
    callResult: callResult ?? new Uint8Array(),
    errorMessage: text(row, 'error_message'),
    functionParameters: hex(row, 'function_parameters'),
    failedInitcode: hex(row, 'failed_initcode'),
    createdContracts: ids(row, 'created_contract_ids', context.home),
    hasRun: callResult !== null || gasUsed !== null,
  };
  return { rows: [result] };
}

/** An address made of a number, or one of another line, is an entity; without `from` it is the payer. */
function senderOf(
  row: FixtureObject,
  payer: EntityId,
  { entityOf, home }: FixtureContext,
): Pick<ContractResult, 'sender' | 'senderAlias'> {
  const address = hex(row, 'from', ADDRESS_BYTES);
  if (address === null) return { sender: payer, senderAlias: null };
  const sender = entityOfLongZero(address, home) ?? entityOf(address);
  return { sender, senderAlias: sender === null ? address : null };
}

/**
 * Refuses lists that an answer shows inside an object, and a fixture beside it, rather than losing them.
 *
 * @param kinds kind of line by member
 * @throws FixtureFault
 */
function refuseLinesOfTheirOwn(row: FixtureObject, kinds: Readonly<Record<string, string>>): void {
  for (const [member, kind] of Object.entries(kinds)) {
    if (objects(row, member).length > 0) {
      throw new FixtureFault(`"${member}" must be empty: write each as a line of kind "${kind}"`);
    }
  }
}
