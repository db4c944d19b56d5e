import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import {
  base64,
  count,
  type FixtureObject,
  flag,
  idIn,
  integer,
  key,
  nanoseconds,
  object,
  oneOf,
  required,
  text,
  time,
  withoutNulls,
} from '../../items/fixture-members.ts';
import type { EntityChange } from '../rows.ts';
import type { FixtureContext, FixtureRow } from './facet.ts';
import { readCustomFees } from './read-custom-fees.ts';
import { ofTokenKeys } from './token-keys.ts';
import type { TokenChange, TokenRow } from './tokens.ts';

const FIRST_NANOSECOND = consensusTimestamp(0n);

/**
 * Reads the object of `tokens/{tokenId}` as far as given: absent members are those of a token without them.
 *
 * @see contracts/streams.md section 10.1, kind token
 */
export function readTokenLine(line: FixtureObject, { home }: FixtureContext): FixtureRow<TokenChange> {
  const token = required(line, 'token_id', idIn(home));
  const row = tokenRow(line, idIn(home));
  const fees = object(line, 'custom_fees') ?? (line['custom_fees'] === null ? null : {});
  const since = row.createdTimestamp ?? FIRST_NANOSECOND;
  return {
    rows: [{ token, consensusTimestamp: time(line, 'modified_timestamp') ?? since, row }],
    entities: [
      { entity: token, type: 'TOKEN', alias: null, evmAddress: null, createdTimestamp: row.createdTimestamp },
    ],
    entityChanges: [{ entity: token, type: 'TOKEN', ...settings(line, idIn(home)) }],
    others: {
      customFees: fees === null ? [] : [readCustomFees(fees, { entity: token, of: 'token', since }, home)],
    },
  };
}

function tokenRow(line: FixtureObject, id: ReturnType<typeof idIn>): TokenRow {
  const keys = ofTokenKeys(({ column }) => key(line, column));
  const freezeDefault = flag(line, 'freeze_default') ?? false;
  const initialSupply = integer(line, 'initial_supply') ?? 0n;
  return {
    ...keys,
    kind: oneOf('FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE')(line, 'type') ?? 'FUNGIBLE_COMMON',
    createdTimestamp: time(line, 'created_timestamp'),
    name: text(line, 'name') ?? '',
    symbol: text(line, 'symbol') ?? '',
    decimals: count(line, 'decimals') ?? 0,
    initialSupply,
    totalSupply: integer(line, 'total_supply') ?? initialSupply,
    maxSupply: integer(line, 'max_supply') ?? 0n,
    supplyType: oneOf('FINITE', 'INFINITE')(line, 'supply_type') ?? 'INFINITE',
    treasury: id(line, 'treasury_account_id'),
    metadata: base64(line, 'metadata'),
    freezeDefault,
    freezeStatus: keys.freezeKey === null ? 'NOT_APPLICABLE' : freezeDefault ? 'FROZEN' : 'UNFROZEN',
    kycStatus: keys.kycKey === null ? 'NOT_APPLICABLE' : 'REVOKED',
    pauseStatus:
      oneOf('NOT_APPLICABLE', 'PAUSED', 'UNPAUSED')(line, 'pause_status') ??
      (keys.pauseKey === null ? 'NOT_APPLICABLE' : 'UNPAUSED'),
  };
}

function settings(line: FixtureObject, id: ReturnType<typeof idIn>): Omit<EntityChange, 'entity'> {
  return withoutNulls({
    key: key(line, 'admin_key'),
    autoRenewAccount: id(line, 'auto_renew_account'),
    autoRenewPeriod: integer(line, 'auto_renew_period'),
    expiryTimestamp: nanoseconds(line, 'expiry_timestamp'),
    isDeleted: flag(line, 'deleted'),
    memo: text(line, 'memo'),
  });
}
