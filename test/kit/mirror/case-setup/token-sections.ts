import type { CustomFees } from '../../../../src/mirror/ledger/facets/custom-fees.ts';
import type { TokenChange, TokenRow } from '../../../../src/mirror/ledger/facets/tokens.ts';
import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import {
  bytesOf,
  type CaseRow,
  type CaseSetup,
  id,
  idOrNull,
  integer,
  integerOrNull,
  object,
  rows,
  section,
  text,
  timeRange,
} from './case-row.ts';

const MAX_SUPPLY = 9_223_372_036_854_775_807n;
const COLLECTOR = 300n;
const TREASURY = 98n;
const FREEZE_STATUS = ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'] as const;
const KYC_STATUS = ['NOT_APPLICABLE', 'GRANTED', 'REVOKED'] as const;

/** Sections `tokens` and `customfees`; a row whose range has an end is history. */
export function tokenSections(setup: CaseSetup): FixtureRows {
  const tokens = section(setup, 'tokens');
  const topics = new Set(section(setup, 'topics').map((row) => id(row, 'id')));
  return {
    tokens: tokens.map(tokenChange),
    customFees: [
      ...tokens.flatMap(feesOfToken),
      ...section(setup, 'customfees').map((row) =>
        feeRow(row, topics.has(id(row, 'entity_id')) ? 'topic' : 'token'),
      ),
    ],
  };
}

function tokenChange(row: CaseRow): TokenChange {
  const { lower, upper } = timeRange(row, createdOf(row));
  return {
    token: id(row, 'token_id'),
    consensusTimestamp: consensusTimestamp(lower),
    row: tokenRow(row),
    ...(upper === null ? {} : { until: consensusTimestamp(upper) }),
  };
}

function tokenRow(row: CaseRow): TokenRow {
  const isUnique = row['type'] === 'NON_FUNGIBLE_UNIQUE';
  return {
    kind: isUnique ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    createdTimestamp: consensusTimestamp(createdOf(row)),
    name: text(row, 'name', 'Token name') ?? '',
    symbol: text(row, 'symbol', 'YBTJBOAZ') ?? '',
    decimals: isUnique ? 0 : Number(integer(row, 'decimals', 1000n)),
    initialSupply: isUnique ? 0n : integer(row, 'initial_supply', 1_000_000n),
    totalSupply: integer(row, 'total_supply', 1_000_000n),
    maxSupply: integer(row, 'max_supply', MAX_SUPPLY),
    supplyType: row['supply_type'] === 'FINITE' ? 'FINITE' : 'INFINITE',
    freezeDefault: row['freeze_default'] === true,
    freezeStatus: FREEZE_STATUS[Number(integer(row, 'freeze_status', 0n))] ?? 'NOT_APPLICABLE',
    kycStatus: KYC_STATUS[Number(integer(row, 'kyc_status', 0n))] ?? 'NOT_APPLICABLE',
    pauseStatus: (text(row, 'pause_status', null) ?? 'NOT_APPLICABLE') as TokenRow['pauseStatus'],
    treasury: id(row, 'treasury_account_id', TREASURY),
    metadata: bytesOrNull(row, 'metadata'),
    feeScheduleKey: bytesOrNull(row, 'fee_schedule_key'),
    freezeKey: bytesOrNull(row, 'freeze_key'),
    kycKey: bytesOrNull(row, 'kyc_key'),
    metadataKey: bytesOrNull(row, 'metadata_key'),
    pauseKey: bytesOrNull(row, 'pause_key'),
    supplyKey: bytesOrNull(row, 'supply_key'),
    wipeKey: bytesOrNull(row, 'wipe_key'),
  };
}

/** Without the member the token has one empty row. */
function feesOfToken(row: CaseRow): readonly CustomFees[] {
  if (row['custom_fees'] !== undefined) return rows(row, 'custom_fees').map((fees) => feeRow(fees, 'token'));
  if (timeRange(row, 0n).upper !== null) return [];
  const created = createdOf(row);
  return [feeRow({ entity_id: row['token_id'], timestamp_range: `[${created},)` }, 'token')];
}

function feeRow(row: CaseRow, of: CustomFees['of']): CustomFees {
  const collected = (fee: CaseRow) => ({
    collector: id(fee, 'collector_account_id', COLLECTOR),
    areCollectorsExempt: fee['all_collectors_are_exempt'] === true,
  });
  const amountOf = (fee: CaseRow) => ({
    amount: integer(fee, 'amount'),
    denominatingToken: idOrNull(fee, 'denominating_token_id'),
  });
  const fractionOf = (fee: CaseRow) => ({
    numerator: integer(fee, 'numerator'),
    denominator: integer(fee, 'denominator'),
  });
  return {
    entity: id(row, 'entity_id'),
    of,
    consensusTimestamp: consensusTimestamp(timeRange(row, 0n).lower),
    fixedFees: rows(row, 'fixed_fees').map((fee) => ({ ...amountOf(fee), ...collected(fee) })),
    fractionalFees: rows(row, 'fractional_fees').map((fee) => ({
      ...fractionOf(fee),
      ...collected(fee),
      minimum: integer(fee, 'minimum_amount', 0n),
      maximum: integerOrNull(fee, 'maximum_amount', null),
      netOfTransfers: fee['net_of_transfers'] === true,
    })),
    royaltyFees: rows(row, 'royalty_fees').map((fee) => ({
      ...fractionOf(fee),
      ...collected(fee),
      fallback: fee['fallback_fee'] == null ? null : amountOf(object(fee, 'fallback_fee')),
    })),
  };
}

function createdOf(row: CaseRow): bigint {
  return integer(row, 'created_timestamp', 0n);
}

function bytesOrNull(row: CaseRow, name: string): Uint8Array | null {
  const value = text(row, name, null);
  return value === null ? null : bytesOf(value);
}
