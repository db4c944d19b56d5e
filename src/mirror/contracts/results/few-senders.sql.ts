import type { Sql } from '../../../storage/sql/sql.ts';
import type { IntegerSelection } from '../../parameters/integer-range.ts';
import type { ResultSelection } from './contract-result-repository.ts';

/** What a result is chosen by. */
export interface KeyRow {
  readonly at: bigint;
  readonly sender: bigint | null;
  readonly transactionIndex: bigint | null;
}

/** Those from one number to another, both included. */
type SenderRange = Pick<IntegerSelection, 'lower' | 'upper'>;

/** Above that, walking over time meets a page of them sooner. */
const FEW = 2000;

/**
 * Prepares the search for all results of a range of senders that have few, which a walk over time might meet late or never.
 *
 * It finds null when they have many, else those of the contract that is asked for, in no order.
 *
 * @see docs/adr/0090-what-contracts-did.md
 */
export function createFewSenders(
  sql: Sql,
): (selection: ResultSelection, range: SenderRange) => Promise<readonly KeyRow[] | null> {
  const ofSenders = (listing: string) =>
    sql
      .prepare<[bigint, bigint, number], KeyRow & { readonly contract: bigint }>(
        `select consensus_ts as at, sender_id as sender, transaction_index as "transactionIndex", contract_id as contract
         from contract_result where ${listing} and sender_id between ? and ?
         order by sender_id, consensus_ts limit ${sql.dialect.boundLimit}`,
      )
      .safeIntegers(true);
  const all = ofSenders('listing = 1');
  const withInternal = ofSenders('listing > 0');

  return async ({ contract, isInternal }, { lower, upper }) => {
    const statement = isInternal ? withInternal : all;
    const found = await sql.read(() => statement.all(lower, upper, FEW + 1));
    if (found.length > FEW) return null;
    return found.filter((row) => contract === null || row.contract === contract);
  };
}
