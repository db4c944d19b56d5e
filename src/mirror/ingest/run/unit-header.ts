import type { LedgerUnit, UnitHeader } from '../../ledger/rows.ts';
import type { StreamUnit, VerifiedRows, VerifiedUnit } from '../units/stream-unit.ts';

/**
 * What is stored of a unit beside its transactions.
 *
 * @param source name of the source it came from
 */
export function unitHeader(
  source: string,
  { instant }: Pick<StreamUnit, 'instant'>,
  verified: VerifiedUnit,
  { transactions }: Pick<LedgerUnit, 'transactions'>,
): UnitHeader {
  // A unit may have no items; then it tells its time itself.
  const span = 'span' in verified ? verified.span : (spanOf(transactions) ?? { from: instant, to: instant });
  return {
    ...verified.header,
    source,
    consensusStart: span.from,
    consensusEnd: span.to,
    count: transactions.length,
  };
}

/** The least and the greatest time, wherever they stand; null without any. */
function spanOf(transactions: LedgerUnit['transactions']): VerifiedRows['span'] | null {
  const [first] = transactions;
  if (first === undefined) return null;
  let [from, to] = [first.consensusTimestamp, first.consensusTimestamp];
  for (const { consensusTimestamp: at } of transactions) {
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return { from, to };
}
