import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, printEntityId, printIdOrNull } from '../../../values/entity-id.ts';
import { type ExactJson, printExactJson } from '../exact-json.ts';
import { changeTime } from '../fold/change-order.ts';
import { column, stateTable } from '../fold/tables.ts';
import { CUSTOM_FEE_TYPES, decodeCustomFees } from './decode-custom-fees.ts';
import type { Facet } from './facet.ts';

/** Who gets a fee. */
interface Collected {
  /** Null when its alias is unknown. */
  readonly collector: EntityId | null;
  readonly areCollectorsExempt: boolean;
}

/** An amount of a token, or of hbar when the token is null. */
export interface FeeAmount {
  readonly amount: bigint;
  readonly denominatingToken: EntityId | null;
}

export interface FixedCustomFee extends FeeAmount, Collected {}

interface FeeFraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export interface FractionalCustomFee extends FeeFraction, Collected {
  readonly minimum: bigint;
  /** Null without one. */
  readonly maximum: bigint | null;
  readonly netOfTransfers: boolean;
}

export interface RoyaltyCustomFee extends FeeFraction, Collected {
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

declare module '../rows.ts' {
  interface FacetRows {
    readonly customFees: readonly CustomFees[];
  }
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
export const customFees: Facet<'customFees'> = {
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
