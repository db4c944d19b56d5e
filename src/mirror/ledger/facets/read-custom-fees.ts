import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import {
  type FixtureHome,
  type FixtureObject,
  flag,
  idIn,
  integer,
  object,
  objects,
  time,
} from '../../items/fixture-members.ts';
import type { CustomFees } from './custom-fees.ts';

/**
 * Reads the object `custom_fees` of a token or topic as an answer shows it.
 *
 * @param owner with the time from which the fees hold when the object tells none.
 * @throws FixtureFault
 */
export function readCustomFees(
  fees: FixtureObject,
  owner: Pick<CustomFees, 'entity' | 'of'> & { readonly since: ConsensusTimestamp },
  home: FixtureHome,
): CustomFees {
  const id = idIn(home);
  const collected = (fee: FixtureObject) => ({
    collector: id(fee, 'collector_account_id'),
    areCollectorsExempt: flag(fee, 'all_collectors_are_exempt') ?? false,
  });
  const amountOf = (fee: FixtureObject) => ({
    amount: integer(fee, 'amount') ?? 0n,
    denominatingToken: id(fee, 'denominating_token_id'),
  });
  const fractionOf = (fee: FixtureObject) => {
    const fraction = object(fee, 'amount') ?? {};
    return {
      numerator: integer(fraction, 'numerator') ?? 0n,
      denominator: integer(fraction, 'denominator') ?? 0n,
    };
  };
  return {
    entity: owner.entity,
    of: owner.of,
    consensusTimestamp: time(fees, 'created_timestamp') ?? owner.since,
    fixedFees: objects(fees, 'fixed_fees').map((fee) => ({ ...amountOf(fee), ...collected(fee) })),
    fractionalFees: objects(fees, 'fractional_fees').map((fee) => ({
      ...fractionOf(fee),
      ...collected(fee),
      minimum: integer(fee, 'minimum') ?? 0n,
      maximum: integer(fee, 'maximum'),
      netOfTransfers: flag(fee, 'net_of_transfers') ?? false,
    })),
    royaltyFees: objects(fees, 'royalty_fees').map((fee) => {
      const fallback = object(fee, 'fallback_fee');
      return {
        ...fractionOf(fee),
        ...collected(fee),
        fallback: fallback === null ? null : amountOf(fallback),
      };
    }),
  };
}
