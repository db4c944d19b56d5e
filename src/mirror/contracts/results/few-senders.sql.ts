import type { Sql } from '../../../storage/sql/sql.ts';
import { type IntegerSelection, selects } from '../../parameters/integer-range.ts';
import type { ResultSelection } from './contract-result-repository.ts';

/** What a result is chosen by. */
export interface KeyRow {
  readonly at: bigint;
  readonly sender: bigint | null;
  readonly transactionIndex: bigint | null;
}

/** Above that, walking over time meets a page of them sooner. */
const FEW = 2000;

/**
 * Prepares the search for all results of senders that have few, which a walk over time might meet late or never.
 *
 * It finds null when they have many, else those at the times and of the contract that are asked for, in no order.
 *
 * @see docs/adr/0090-what-contracts-did.md
 */
export function createFewSenders(
  sql: Sql,
): (selection: ResultSelection, senders: IntegerSelection) => Promise<readonly KeyRow[] | null> {
  const ofSenders = (listing: string) =>
    sql
      .prepare<[bigint, bigint, number], bigint>(
        `select consensus_ts from contract_result where ${listing} and sender_id between ? and ?
         order by sender_id, consensus_ts limit ${sql.dialect.boundLimit}`,
      )
      .safeIntegers(true)
      .pluck();
  const all = ofSenders('listing = 1');
  const withInternal = ofSenders('listing > 0');
  const rows = sql
    .prepare<unknown[], KeyRow & { readonly contract: bigint }>(
      `select consensus_ts as at, sender_id as sender, transaction_index as "transactionIndex", contract_id as contract
       from contract_result where ${sql.dialect.isListed('consensus_ts')}`,
    )
    .safeIntegers(true);

  return async ({ contract, isInternal, times }, { equal, lower, upper }) => {
    const ranges =
      equal === null ? [[lower, upper] as const] : [...equal].map((each) => [each, each] as const);
    const statement = isInternal ? withInternal : all;
    return sql.read(function* () {
      const found: bigint[] = [];
      for (const [from, to] of ranges) {
        found.push(...(yield* statement.all(from, to, FEW + 1 - found.length)));
        if (found.length > FEW) return null;
      }
      const wanted = found.filter((at) => selects(times, at));
      if (wanted.length === 0) return [];
      const read = yield* rows.all(sql.dialect.list(wanted));
      return read.filter((row) => contract === null || row.contract === contract);
    });
  };
}
