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
  { header }: Pick<VerifiedUnit, 'header'>,
  { transactions }: Pick<LedgerUnit, 'transactions'>,
): UnitHeader {
  return {
    ...header,
    source,
    // A unit may have no items; then it tells its time itself.
    consensusStart: transactions.at(0)?.consensusTimestamp ?? instant,
    consensusEnd: transactions.at(-1)?.consensusTimestamp ?? instant,
    count: transactions.length,
  };
}
