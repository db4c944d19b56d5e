import type { Sql } from '../../../storage/sql/sql.ts';
import type { Awaitable } from '../../../values/and-then.ts';
import type { IntegerSelection } from '../../parameters/integer-range.ts';
import type { ResultSelection } from './contract-result-repository.ts';

/** What a result is chosen by. */
export type KeyRow = readonly [at: bigint, sender: bigint | null, transactionIndex: bigint | null];

/** Those from one number to another, both included. */
type SenderRange = Pick<IntegerSelection, 'lower' | 'upper'>;

/** Above that, walking over time meets a page of them sooner. */
const FEW = 5000;

/**
 * Prepares the search for all results of a range of senders that have few, which a walk over time might meet late or never.
 *
 * It finds null when they have many, else those of the contract that is asked for, in no order.
 *
 * @see docs/adr/0018-contract-activity.md
 */
export function createFewSenders(
  sql: Sql,
): (selection: ResultSelection, range: SenderRange) => Awaitable<readonly KeyRow[] | null> {
  const ofSenders = (listing: string) => {
    const range = `from contract_result where ${listing} and sender_id between ? and ? order by sender_id, consensus_ts`;
    return {
      // Most ranges are too wide, and rows take five times as long to be read as to be counted.
      count: sql.prepareValue<[bigint, bigint, number], number>(
        `select count(*) from (select 1 ${range} limit ?) as counted`,
      ),
      rows: sql.prepareExactColumns<[bigint, bigint, number], readonly [...KeyRow, contract: bigint]>(
        `select consensus_ts, sender_id, transaction_index, contract_id ${range} limit ?`,
      ),
    };
  };
  const all = ofSenders('listing = 1');
  const withInternal = ofSenders('listing > 0');

  return ({ contract, isInternal }, { lower, upper }) => {
    const { count, rows } = isInternal ? withInternal : all;
    return sql.read(function* () {
      if (((yield* count.get(lower, upper, FEW + 1)) ?? 0) > FEW) return null;
      const found = yield* rows.all(lower, upper, FEW + 1);
      // Others may have come meanwhile.
      if (found.length > FEW) return null;
      return found.flatMap(([at, sender, transactionIndex, of]) =>
        contract === null || of === contract ? [[at, sender, transactionIndex] as const] : [],
      );
    });
  };
}
