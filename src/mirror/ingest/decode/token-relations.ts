import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { TokenRelation } from '../../ledger/rows.ts';

const NONE: readonly TokenRelation[] = [];

/**
 * The tokens that accounts begin or end to hold by a successful item: by request, automatically, and the treasury
 * of a new token.
 *
 * @see contracts/streams.md section 12
 */
export function tokenRelations(item: DecodedItem, resolve: ResolveAlias): readonly TokenRelation[] {
  const { body, record, consensusTimestamp } = item;
  const { tokenAssociate, tokenCreation, tokenDissociate } = body;
  const isAbout = tokenAssociate ?? tokenCreation ?? tokenDissociate;
  if (isAbout === null && record.automaticTokenAssociations.length === 0) return NONE;
  const relations: TokenRelation[] = [];
  const add = (account: EntityId | null, token: EntityId | null, isAssociated: boolean) => {
    if (account !== null && token !== null) {
      relations.push({ account, token, consensusTimestamp, isAssociated });
    }
  };
  for (const { accountId: account, tokenId: token } of record.automaticTokenAssociations) {
    add(accountId(account, resolve), tokenId(token), true);
  }
  if (tokenCreation !== null) {
    add(accountId(tokenCreation.treasury, resolve), tokenId(record.receipt?.tokenID ?? null), true);
  }
  for (const token of tokenAssociate?.tokens ?? []) {
    add(accountId(tokenAssociate?.account ?? null, resolve), tokenId(token), true);
  }
  for (const token of tokenDissociate?.tokens ?? []) {
    add(accountId(tokenDissociate?.account ?? null, resolve), tokenId(token), false);
  }
  return relations;
}
