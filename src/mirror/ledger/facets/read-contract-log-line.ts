import {
  count,
  FixtureFault,
  type FixtureObject,
  flag,
  hex,
  idIn,
  required,
  texts,
} from '../../items/fixture-members.ts';
import { bloomOfLine } from './bloom-of-line.ts';
import type { ContractLog } from './contract-logs.ts';
import type { FacetOutput, FixtureContext } from './facet.ts';
import { transactionOfLine, word } from './transaction-of-line.ts';

const MAX_TOPICS = 4;

/**
 * Reads a log as the answers show it, with `synthetic` for one that stands for an event of a token.
 *
 * @see contracts/mirror-contracts.md section 6
 */
export function readContractLogLine(row: FixtureObject, context: FixtureContext): FacetOutput<ContractLog> {
  const { transaction, ...found } = transactionOfLine(row, 'transaction_hash', context);
  const id = idIn(context.home);
  const log: ContractLog = {
    consensusTimestamp: transaction.consensusTimestamp,
    index: required(row, 'index', count),
    contract: required(row, 'contract_id', id),
    rootContract: id(row, 'root_contract_id'),
    payer: transaction.payer,
    ...found,
    bloom: bloomOfLine(row),
    data: hex(row, 'data'),
    topics: topicsOf(row),
    isSynthetic: flag(row, 'synthetic') ?? false,
  };
  return { rows: [log] };
}

function topicsOf(row: FixtureObject): readonly Uint8Array[] {
  const topics = texts(row, 'topics');
  if (topics.length > MAX_TOPICS) {
    throw new FixtureFault(`"topics" must be at most ${MAX_TOPICS}, not ${topics.length}`);
  }
  return topics.map((topic) => required({ topics: topic }, 'topics', word));
}
