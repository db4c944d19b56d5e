import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { foldCase } from '../../../values/fold-case.ts';
import { appendTable, type Columns, column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
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
import { changeSince } from '../fold/change-order.ts';
import type { FoldedUnit, FoldState } from '../fold/fold-state.ts';
import { int64OrNull } from '../fold/int64-or-null.ts';
import type { EntityChange, UnitHeader } from '../rows.ts';
import { readCustomFees } from './custom-fees.ts';
import { decodeToken, TOKEN_TYPES } from './decode-tokens.ts';
import type { Facet, FixtureContext, FixtureRow } from './facet.ts';
import { type OfTokenKeys, ofTokenKeys } from './token-keys.ts';

export type TokenKind = 'FUNGIBLE_COMMON' | 'NON_FUNGIBLE_UNIQUE';

/** What updates of a token change; keys are serialized, null for none. */
export interface TokenSettings extends OfTokenKeys<Uint8Array | null> {
  readonly name: string;
  readonly symbol: string;
  /** Null when its alias is unknown. */
  readonly treasury: EntityId | null;
  readonly metadata: Uint8Array | null;
  readonly pauseStatus: 'NOT_APPLICABLE' | 'PAUSED' | 'UNPAUSED';
}

/** A whole token. */
export interface TokenRow extends TokenSettings {
  readonly kind: TokenKind;
  readonly createdTimestamp: ConsensusTimestamp | null;
  readonly decimals: number;
  readonly initialSupply: bigint;
  readonly maxSupply: bigint;
  readonly supplyType: 'FINITE' | 'INFINITE';
  readonly freezeDefault: boolean;
  /** Of accounts that begin to hold the token. */
  readonly freezeStatus: 'FROZEN' | 'NOT_APPLICABLE' | 'UNFROZEN';
  readonly kycStatus: 'GRANTED' | 'NOT_APPLICABLE' | 'REVOKED';
  readonly totalSupply: bigint;
}

/** What an item or the line of a fixture tells of a token, from its time on. */
export type TokenChange = {
  readonly token: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
} & (
  | {
      /** It was created, or a line states it. */
      readonly row: TokenRow;
      /** Given when it was so until before a time only. */
      readonly until?: ConsensusTimestamp;
    }
  | { readonly update: Partial<TokenSettings> }
  | { readonly totalSupply: bigint }
  | {
      /** What is told is the difference. */
      readonly supplyChange: bigint;
    }
);

const KEY = { token: 'token_id' } as const;

/** Has a row for each token that was created in the imported part. */
export const TOKEN_KIND = stateTable('token', KEY, { kind: column<string>('kind') });
/** Units of a fungible token, or the number of NFTs; mints, burns and wipes tell it anew. */
const TOKEN_SUPPLY = stateTable('token', KEY, {
  totalSupply: column<bigint | null>('total_supply'),
});
const TOKEN = stateTable('token', KEY, {
  /** Null while only the kind is known. */
  lower: column<bigint | null>('lower_ts'),
  kind: 'kind',
  created: column<bigint | null>('created_ts'),
  name: 'name',
  foldedName: column<string | null>('folded_name'),
  symbol: 'symbol',
  decimals: 'decimals',
  initialSupply: 'initial_supply',
  maxSupply: 'max_supply',
  supplyType: 'supply_type',
  freezeDefault: 'freeze_default',
  freezeStatus: 'freeze_status',
  kycStatus: 'kyc_status',
  pauseStatus: 'pause_status',
  treasury: 'treasury',
  metadata: 'metadata',
  ...ofTokenKeys((key) => column<Uint8Array | null>(key.column)),
});
type StoredSettings = RowOf<typeof TOKEN>;
const TOKEN_HISTORY = appendTable('token_history', 2, [...TOKEN.columns, 'upper_ts', 'total_supply']);
const FIRST_MINOR_WITH_METADATA = 49;
const NO_METADATA = { metadata: null, metadataKey: null };

/**
 * Tokens as they are, and as they were before each update. Without its creation a token has no row.
 *
 * @see contracts/mirror-entities.md sections 11.2 and 11.4
 */
export const tokens: Facet<'tokens', TokenChange> = {
  name: 'tokens',
  decode: { types: TOKEN_TYPES, rows: decodeToken },
  fixture: { kind: 'token', read: readTokenLine },

  touch(unit, keys) {
    for (const { token } of unit.tokens) {
      keys.add(TOKEN_KIND, token);
      keys.add(TOKEN, token);
      keys.add(TOKEN_SUPPLY, token);
    }
  },

  fold(folded, state) {
    const hasMetadata = tellsMetadata(folded.unit.header);
    for (const change of folded.unit.tokens) {
      if ('row' in change)
        tell(hasMetadata ? change : { ...change, row: { ...change.row, ...NO_METADATA } }, folded, state);
      else if ('update' in change) update(change, hasMetadata, folded, state);
      else if ('totalSupply' in change) supply(change, state);
      else changeSupply(change, state);
    }
  },

  rebuild: { replaced: ['token', 'token_history'] },
};

type ToldRow = Extract<TokenChange, { readonly row: TokenRow }>;
type ToldSupply = Extract<TokenChange, { readonly totalSupply: bigint }>;
type ToldSupplyChange = Extract<TokenChange, { readonly supplyChange: bigint }>;
type ToldUpdate = Extract<TokenChange, { readonly update: Partial<TokenSettings> }>;

function tell(
  { consensusTimestamp, row, token, until }: ToldRow,
  folded: FoldedUnit,
  state: FoldState,
): void {
  const settings = storedSettings(token, consensusTimestamp, row);
  if (until !== undefined) {
    state.append(TOKEN_HISTORY, historyRow(settings, row.totalSupply, until));
    return;
  }
  const lower = beginRow(token, consensusTimestamp, folded, state);
  if (lower === null) return;
  state.rows(TOKEN_KIND).follow({ token, kind: row.kind });
  state.rows(TOKEN).set({ ...settings, lower });
  state.rows(TOKEN_SUPPLY).set({ token, totalSupply: row.totalSupply });
}

function update(change: ToldUpdate, hasMetadata: boolean, folded: FoldedUnit, state: FoldState): void {
  const { consensusTimestamp, token, update: told } = change;
  const stored = state.rows(TOKEN).get(token);
  if (stored === null || stored.lower === null) return;
  const lower = beginRow(token, consensusTimestamp, folded, state);
  if (lower === null) return;
  const { metadata, metadataKey } = stored;
  const foldedName = told.name === undefined ? stored.foldedName : foldCase(told.name);
  const kept = hasMetadata ? {} : { metadata, metadataKey };
  state.rows(TOKEN).set({ ...stored, ...told, ...kept, foldedName, lower });
}

/** A supply without the token tells of no token. */
function supply({ token, totalSupply }: ToldSupply, state: FoldState): void {
  if (state.rows(TOKEN_KIND).get(token) !== null) state.rows(TOKEN_SUPPLY).set({ token, totalSupply });
}

function changeSupply({ supplyChange, token }: ToldSupplyChange, state: FoldState): void {
  const stored = state.rows(TOKEN_SUPPLY).get(token)?.totalSupply ?? null;
  if (stored === null) return;
  state.rows(TOKEN_SUPPLY).set({ token, totalSupply: int64OrNull(stored + supplyChange) });
}

/** Tokens have metadata since version 0.49 of the network's API (HIP-646). Lines of fixtures tell what they tell. */
function tellsMetadata({ hapiVersion, kind }: UnitHeader): boolean {
  if (kind === 'fixture') return true;
  const [major = 0, minor = 0] = (hapiVersion ?? '').split('.').map(Number);
  return major > 0 || minor >= FIRST_MINOR_WITH_METADATA;
}

/** Ends the current row of a token where a change begins, unless it begins there itself; null when nothing changes. */
function beginRow(token: EntityId, at: bigint, folded: FoldedUnit, state: FoldState): bigint | null {
  const stored = state.rows(TOKEN).get(token);
  const lower = changeSince(at, stored?.lower ?? null, folded);
  if (lower === null || stored === null || stored.lower === null || stored.lower === lower) return lower;
  const totalSupply = state.rows(TOKEN_SUPPLY).get(token)?.totalSupply ?? null;
  state.append(TOKEN_HISTORY, historyRow(stored, totalSupply, lower));
  return lower;
}

function historyRow(settings: StoredSettings, totalSupply: bigint | null, upper: bigint): Columns {
  return [...TOKEN.write(settings), upper, totalSupply];
}

function storedSettings(token: EntityId, lower: bigint, row: TokenRow): StoredSettings {
  return {
    ...row,
    token,
    lower,
    created: row.createdTimestamp,
    foldedName: foldCase(row.name),
    freezeDefault: row.freezeDefault ? 1 : 0,
  };
}

const FIRST_NANOSECOND = consensusTimestamp(0n);

/**
 * Reads the object of `tokens/{tokenId}` as far as given: absent members are those of a token without them.
 *
 * @see contracts/streams.md section 10.1, kind token
 */
function readTokenLine(line: FixtureObject, { home }: FixtureContext): FixtureRow<TokenChange> {
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
