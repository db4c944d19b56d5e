import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { withoutNulls } from '../../items/fixture-members.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { TokenCreateBody } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { type OfTokenKeys, ofTokenKeys } from './token-keys.ts';
import type { TokenChange, TokenKind, TokenRow, TokenSettings } from './tokens.ts';

const NON_FUNGIBLE_UNIQUE = 1;
const FINITE = 1;

/** The types of transactions that tell of a token itself. */
export const TOKEN_TYPES = [
  TYPE.TOKENCREATION,
  TYPE.TOKENUPDATE,
  TYPE.TOKENMINT,
  TYPE.TOKENBURN,
  TYPE.TOKENWIPE,
  TYPE.TOKENPAUSE,
  TYPE.TOKENUNPAUSE,
  TYPE.TOKENDISSOCIATE,
];

/** What a successful item tells of its token. @see contracts/mirror-entities.md section 11.4 */
export function decodeToken(item: DecodedItem, resolve: ResolveAlias): readonly TokenChange[] {
  const { body, consensusTimestamp, record } = item;
  if (body.tokenDissociate !== null) return suppliesGivenUp(item);
  const { tokenBurn, tokenCreation, tokenMint, tokenPause, tokenUnpause, tokenUpdate, tokenWipe } = body;
  const about = tokenUpdate ?? tokenMint ?? tokenBurn ?? tokenWipe ?? tokenPause ?? tokenUnpause;
  const token = tokenId(tokenCreation === null ? (about?.token ?? null) : (record.receipt?.tokenID ?? null));
  if (token === null) return [];
  const told = { token, consensusTimestamp };
  const row = createdToken(item, resolve);
  if (row !== null) return [{ ...told, row }];
  if (tokenUpdate !== null) return [{ ...told, update: updatedSettings(item, resolve) }];
  if (tokenPause !== null) return [{ ...told, update: { pauseStatus: 'PAUSED' } }];
  if (tokenUnpause !== null) return [{ ...told, update: { pauseStatus: 'UNPAUSED' } }];
  const supply = record.receipt?.newTotalSupply;
  return supply === undefined ? [] : [{ ...told, totalSupply: int64(supply) }];
}

/** Whoever gives up a deleted token destroys what he had: its list has that one transfer. */
function suppliesGivenUp({ consensusTimestamp, record }: DecodedItem): readonly TokenChange[] {
  return record.tokenTransferLists.flatMap(({ token: id, transfers }) => {
    const [only] = transfers;
    const token = tokenId(id);
    if (token === null || only === undefined || transfers.length > 1) return [];
    return { token, consensusTimestamp, supplyChange: toBigInt(only.amount) };
  });
}

/** The token that a successful item created; null when it created none. */
export function createdTokenKind({
  body: { tokenCreation },
  record,
}: DecodedItem): { readonly token: EntityId; readonly kind: TokenKind } | null {
  const token = tokenCreation === null ? null : tokenId(record.receipt?.tokenID ?? null);
  return token === null || tokenCreation === null ? null : { token, kind: kindOf(tokenCreation) };
}

function kindOf({ tokenType }: TokenCreateBody): TokenKind {
  return tokenType === NON_FUNGIBLE_UNIQUE ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON';
}

function createdToken(item: DecodedItem, resolve: ResolveAlias): TokenRow | null {
  const body = item.body.tokenCreation;
  if (body === null) return null;
  const keys = keysOf(item, 'creation');
  const initialSupply = int64(body.initialSupply);
  return {
    ...keys,
    kind: kindOf(body),
    createdTimestamp: item.consensusTimestamp,
    name: body.name,
    symbol: body.symbol,
    decimals: body.decimals,
    initialSupply,
    totalSupply: initialSupply,
    maxSupply: int64(body.maxSupply),
    supplyType: body.supplyType === FINITE ? 'FINITE' : 'INFINITE',
    freezeDefault: body.freezeDefault,
    freezeStatus: keys.freezeKey === null ? 'NOT_APPLICABLE' : body.freezeDefault ? 'FROZEN' : 'UNFROZEN',
    kycStatus: keys.kycKey === null ? 'NOT_APPLICABLE' : 'REVOKED',
    pauseStatus: keys.pauseKey === null ? 'NOT_APPLICABLE' : 'UNPAUSED',
    treasury: accountId(body.treasury, resolve),
    metadata: Uint8Array.from(body.metadata),
  };
}

/** Members that the update does not name stay away. */
function updatedSettings(item: DecodedItem, resolve: ResolveAlias): Partial<TokenSettings> {
  const body = item.body.tokenUpdate;
  if (body === null) return {};
  const treasury = accountId(body.treasury, resolve);
  return {
    ...withoutNulls(keysOf(item, 'update')),
    ...(body.name === '' ? {} : { name: body.name }),
    ...(body.symbol === '' ? {} : { symbol: body.symbol }),
    ...(treasury === null ? {} : { treasury }),
    ...(body.metadata === null ? {} : { metadata: Uint8Array.from(body.metadata.value) }),
  };
}

/** The keys as their original bytes; null where the message has none. */
function keysOf(
  { bodyBytes, type }: DecodedItem,
  message: 'creation' | 'update',
): OfTokenKeys<Uint8Array | null> {
  const data = rawField(bodyBytes, type);
  return ofTokenKeys((key) => {
    const bytes = data === null ? null : rawField(data, key[message]);
    return bytes === null ? null : Uint8Array.from(bytes);
  });
}

/** Unsigned members are int64 in the ledger. */
function int64(long: Parameters<typeof toBigInt>[0]): bigint {
  return BigInt.asIntN(64, toBigInt(long));
}
