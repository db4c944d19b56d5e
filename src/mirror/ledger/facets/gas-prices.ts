import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { appendTable } from '../../../values/stored-tables.ts';
import type { Facet } from './facet.ts';

/** Gas prices as another mirror told them; they hold until others are told. */
interface ToldGasPrices {
  readonly asOf: ConsensusTimestamp;
  /** When the fee schedule was written from which they follow. */
  readonly scheduleTimestamp: ConsensusTimestamp;
  /** Tinybars. */
  readonly prices: readonly { readonly kind: string; readonly gas: bigint }[];
}

const TOLD_GAS_PRICE = appendTable('told_gas_price', 1, ['consensus_ts', 'schedule_ts', 'prices']);

/**
 * Prices that nobody can compute, since a mirror does not tell its fee schedules. A rebuild leaves them. There are none
 * where the fee schedules themselves are.
 */
export const gasPrices: Facet<'gasPrices', ToldGasPrices> = {
  name: 'gasPrices',

  fold({ unit }, state) {
    for (const { asOf, prices, scheduleTimestamp } of unit.gasPrices) {
      const members = prices.map(({ gas, kind }) => `${JSON.stringify(kind)}:"${gas}"`);
      state.append(TOLD_GAS_PRICE, [asOf, scheduleTimestamp, `{${members.join(',')}}`]);
    }
  },
};
