import type { LedgerUnit, UnitHeader } from '../../ledger/rows.ts';
import type { StreamUnit, VerifiedUnit } from '../units/stream-unit.ts';

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
  const span = 'span' in verified ? verified.span : null;
  return {
    ...verified.header,
    source,
    // A unit may have no items; then it tells its time itself.
    consensusStart: span?.from ?? transactions.at(0)?.consensusTimestamp ?? instant,
    consensusEnd: span?.to ?? transactions.at(-1)?.consensusTimestamp ?? instant,
    count: transactions.length,
  };
}
