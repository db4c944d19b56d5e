import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, printEntityId, printIdOrNull } from '../../../values/entity-id.ts';
import { column, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
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
import { accountId, type ResolveAlias, tokenId, topicId } from '../../items/ledger-ids.ts';
import type { CustomFee, FixedFee, Fraction } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { type ExactJson, printExactJson } from '../exact-json.ts';
import { changeTime } from '../fold/change-order.ts';
import type { Facet } from './facet.ts';

/** The types of transactions that tell of custom fees. */
const CUSTOM_FEE_TYPES = [
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
function decodeCustomFees(item: DecodedItem, resolve: ResolveAlias): readonly CustomFees[] {
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

/** Who gets a fee. */
interface Collected {
  /** Null when its alias is unknown. */
  readonly collector: EntityId | null;
  readonly areCollectorsExempt: boolean;
}

/** An amount of a token, or of hbar when the token is null. */
interface FeeAmount {
  readonly amount: bigint;
  readonly denominatingToken: EntityId | null;
}

interface FixedCustomFee extends FeeAmount, Collected {}

interface FeeFraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

interface FractionalCustomFee extends FeeFraction, Collected {
  readonly minimum: bigint;
  /** Null without one. */
  readonly maximum: bigint | null;
  readonly netOfTransfers: boolean;
}

interface RoyaltyCustomFee extends FeeFraction, Collected {
  readonly fallback: FeeAmount | null;
}

/** What a token or topic asks from a time on: every list is the whole one. */
export interface CustomFees {
  readonly entity: EntityId;
  /** Topics show less of their fees. */
  readonly of: 'token' | 'topic';
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly fixedFees: readonly FixedCustomFee[];
  readonly fractionalFees: readonly FractionalCustomFee[];
  readonly royaltyFees: readonly RoyaltyCustomFee[];
}

const CUSTOM_FEE = stateTable(
  'custom_fee',
  { entity: 'entity_id', lower: 'lower_ts' },
  {
    count: column<bigint | number>('fee_count'),
    fixed: column<string>('fixed_fees'),
    fractional: column<string>('fractional_fees'),
    royalty: column<string>('royalty_fees'),
  },
);

/** Since when the last list of an entity holds. */
const LAST_FEE = {
  ...stateTable('custom_fee', { entity: 'entity_id' }, { lower: column<bigint>('lower_ts') }),
  isOfNewest: true,
};

/**
 * Custom fees of tokens and topics: each list holds until the next one of the entity.
 *
 * @see contracts/mirror-entities.md sections 6.3, 9.1 and 11.4
 */
export const customFees: Facet<'customFees', CustomFees> = {
  name: 'customFees',
  decode: { types: CUSTOM_FEE_TYPES, rows: decodeCustomFees },

  touch(unit, keys) {
    for (const { entity } of unit.customFees) keys.add(LAST_FEE, entity);
  },

  fold(folded, state) {
    const last = state.rows(LAST_FEE);
    for (const fees of folded.unit.customFees) {
      const { consensusTimestamp, entity, fixedFees, fractionalFees, of, royaltyFees } = fees;
      const since = last.get(entity)?.lower ?? null;
      const lower = changeTime(consensusTimestamp, since, folded);
      if (since === null || lower > since) last.follow({ entity, lower });
      state.rows(CUSTOM_FEE).set({
        entity,
        lower,
        count: fixedFees.length + fractionalFees.length + royaltyFees.length,
        fixed: printExactJson(fixedFees.map(of === 'token' ? fixedJson : topicFeeJson)),
        fractional: printExactJson(fractionalFees.map((fee) => fractionalJson(fee, entity))),
        royalty: printExactJson(royaltyFees.map(royaltyJson)),
      });
    }
  },

  rebuild: { replaced: ['custom_fee'] },
};

function collectedJson({ areCollectorsExempt, collector }: Collected) {
  return {
    all_collectors_are_exempt: areCollectorsExempt,
    collector_account_id: printIdOrNull(collector),
  };
}

function amountJson({ amount, denominatingToken }: FeeAmount) {
  return { amount, denominating_token_id: printIdOrNull(denominatingToken) };
}

function fixedJson(fee: FixedCustomFee): ExactJson {
  return { ...collectedJson(fee), ...amountJson(fee) };
}

function topicFeeJson(fee: FixedCustomFee): ExactJson {
  return { ...amountJson(fee), collector_account_id: printIdOrNull(fee.collector) };
}

function fractionJson({ denominator, numerator }: FeeFraction) {
  return { numerator, denominator };
}

/** It is always paid in the token itself. */
function fractionalJson(fee: FractionalCustomFee, token: EntityId): ExactJson {
  return {
    ...collectedJson(fee),
    amount: fractionJson(fee),
    denominating_token_id: printEntityId(token),
    maximum: fee.maximum,
    minimum: fee.minimum,
    net_of_transfers: fee.netOfTransfers,
  };
}

function royaltyJson(fee: RoyaltyCustomFee): ExactJson {
  const { fallback } = fee;
  return {
    ...collectedJson(fee),
    amount: fractionJson(fee),
    fallback_fee: fallback === null ? null : amountJson(fallback),
  };
}

/**
 * Reads the object `custom_fees` of a token or topic as an answer shows it.
 *
 * @param owner with the time from which the fees hold when the object states none.
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
