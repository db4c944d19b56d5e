import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId, topicId } from '../../items/ledger-ids.ts';
import type { CustomFee, FixedFee, Fraction } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type {
  CustomFees,
  FeeAmount,
  FixedCustomFee,
  FractionalCustomFee,
  RoyaltyCustomFee,
} from './custom-fees.ts';

/** The types of transactions that tell of custom fees. */
export const CUSTOM_FEE_TYPES = [
  TYPE.TOKENCREATION,
  TYPE.TOKENFEESCHEDULEUPDATE,
  TYPE.CONSENSUSCREATETOPIC,
  TYPE.CONSENSUSUPDATETOPIC,
];

/**
 * The custom fees that a successful item gives to a token or topic.
 *
 * Kinds of fees that this version does not know are left out; where nothing else was given, nothing is told.
 *
 * @see contracts/mirror-entities.md sections 11.4 and 11.5
 */
export function decodeCustomFees(item: DecodedItem, resolve: ResolveAlias): readonly CustomFees[] {
  const { body, consensusTimestamp, record } = item;
  const { consensusCreateTopic, consensusUpdateTopic, tokenCreation, tokenFeeScheduleUpdate } = body;
  const tokenFees = tokenCreation ?? tokenFeeScheduleUpdate;
  if (tokenFees !== null) {
    const token = tokenId(
      tokenCreation === null ? (tokenFeeScheduleUpdate?.tokenId ?? null) : (record.receipt?.tokenID ?? null),
    );
    const fees = token === null ? null : feesOfToken(tokenFees.customFees, token, resolve);
    return token === null || fees === null
      ? []
      : [{ entity: token, of: 'token', consensusTimestamp, ...fees }];
  }
  const topic = topicId(
    consensusCreateTopic === null
      ? (consensusUpdateTopic?.topicID ?? null)
      : (record.receipt?.topicID ?? null),
  );
  // An update without the list leaves the fees as they are.
  const fees = consensusCreateTopic?.customFees ?? consensusUpdateTopic?.customFees?.fees ?? null;
  if (topic === null || fees === null) return [];
  const fixedFees = fees.flatMap(({ feeCollectorAccountId, fixedFee }) =>
    fixedFee === null
      ? []
      : [
          {
            ...amountOf(fixedFee, null),
            collector: accountId(feeCollectorAccountId, resolve),
            areCollectorsExempt: false,
          },
        ],
  );
  return [{ entity: topic, of: 'topic', consensusTimestamp, fixedFees, fractionalFees: [], royaltyFees: [] }];
}

/** Null when there are fees, but none of a known kind. */
function feesOfToken(
  fees: readonly CustomFee[],
  token: EntityId,
  resolve: ResolveAlias,
): Pick<CustomFees, 'fixedFees' | 'fractionalFees' | 'royaltyFees'> | null {
  const fixedFees: FixedCustomFee[] = [];
  const fractionalFees: FractionalCustomFee[] = [];
  const royaltyFees: RoyaltyCustomFee[] = [];
  for (const each of fees) {
    const { allCollectorsAreExempt, fee, feeCollectorAccountId, fixedFee, fractionalFee, royaltyFee } = each;
    const collected = {
      collector: accountId(feeCollectorAccountId, resolve),
      areCollectorsExempt: allCollectorsAreExempt,
    };
    if (fee === 'fixedFee' && fixedFee !== null) {
      fixedFees.push({ ...amountOf(fixedFee, token), ...collected });
    } else if (fee === 'fractionalFee' && fractionalFee !== null) {
      const maximum = toBigInt(fractionalFee.maximumAmount);
      fractionalFees.push({
        ...fractionOf(fractionalFee.fractionalAmount),
        ...collected,
        minimum: toBigInt(fractionalFee.minimumAmount),
        maximum: maximum === 0n ? null : maximum,
        netOfTransfers: fractionalFee.netOfTransfers,
      });
    } else if (fee === 'royaltyFee' && royaltyFee !== null) {
      const { exchangeValueFraction, fallbackFee } = royaltyFee;
      royaltyFees.push({
        ...fractionOf(exchangeValueFraction),
        ...collected,
        fallback: fallbackFee === null ? null : amountOf(fallbackFee, token),
      });
    }
  }
  const isKnown = fixedFees.length + fractionalFees.length + royaltyFees.length > 0;
  return fees.length > 0 && !isKnown ? null : { fixedFees, fractionalFees, royaltyFees };
}

/** @param token that 0.0.0 stands for */
function amountOf({ amount, denominatingTokenId }: FixedFee, token: EntityId | null): FeeAmount {
  return {
    amount: toBigInt(amount),
    denominatingToken: denominatingTokenId === null ? null : (tokenId(denominatingTokenId) ?? token),
  };
}

function fractionOf(fraction: Fraction | null): { readonly numerator: bigint; readonly denominator: bigint } {
  return {
    numerator: fraction === null ? 0n : toBigInt(fraction.numerator),
    denominator: fraction === null ? 0n : toBigInt(fraction.denominator),
  };
}
