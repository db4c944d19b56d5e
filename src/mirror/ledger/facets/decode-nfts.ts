import type Long from 'long';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { TokenId } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { ownerOf } from './allowance-owner.ts';
import type { ItemDecoder } from './facet.ts';
import type { NftChange } from './nfts.ts';

type Change = Omit<NftChange, 'kind' | 'token' | 'serial' | 'consensusTimestamp'>;

const NO_BYTES = new Uint8Array();

/**
 * What successful transactions change of NFTs beside moving them; their moves are transfers.
 *
 * @see contracts/mirror-entities.md sections 11.4, 11.5 and 11.6
 */
export const decodeNfts: ItemDecoder<NftChange> = {
  types: [
    TYPE.TOKENMINT,
    TYPE.TOKENBURN,
    TYPE.TOKENWIPE,
    TYPE.TOKENUPDATENFTS,
    TYPE.CRYPTOAPPROVEALLOWANCE,
    TYPE.CRYPTODELETEALLOWANCE,
  ],
  rows(item, resolve) {
    const { body, record } = item;
    const { tokenBurn, tokenMint, tokenUpdateNfts, tokenWipe } = body;
    if (tokenMint !== null) {
      // A token that is not unique gives no serial numbers.
      return changesOf(item, tokenMint.token, record.receipt?.serialNumbers ?? [], (index) => ({
        isCreated: true,
        metadata: bytes(tokenMint.metadata[index] ?? NO_BYTES),
      }));
    }
    const destroyed = tokenBurn ?? tokenWipe;
    if (destroyed !== null) {
      const gone = { account: null, isDeleted: true };
      return changesOf(item, destroyed.token, destroyed.serialNumbers, () => gone);
    }
    if (tokenUpdateNfts !== null) {
      const { metadata, serialNumbers, token } = tokenUpdateNfts;
      if (metadata === null) return [];
      return changesOf(item, token, serialNumbers, () => ({ metadata: bytes(metadata.value) }));
    }
    return [...approvals(item, resolve), ...deletedApprovals(item)];
  },
};

/** Of one serial number the last entry counts. */
function approvals(item: DecodedItem, resolve: ResolveAlias): readonly NftChange[] {
  const { cryptoApproveAllowance, transactionID } = item.body;
  return (cryptoApproveAllowance?.nftAllowances ?? []).flatMap((entry) => {
    const spender = accountId(entry.spender, resolve);
    const account = ownerOf(entry.owner, transactionID?.accountID ?? null, resolve);
    // Nobody is known by that alias: nothing can be told of the entry.
    if (spender === null || account === null) return [];
    const delegatingSpender = accountId(entry.delegatingSpender, resolve);
    const approved = { account, spender, delegatingSpender };
    return changesOf(item, entry.tokenId, entry.serialNumbers, () => approved);
  });
}

function deletedApprovals(item: DecodedItem): readonly NftChange[] {
  const unapproved = { spender: null, delegatingSpender: null };
  return (item.body.cryptoDeleteAllowance?.nftAllowances ?? []).flatMap(({ serialNumbers, tokenId: token }) =>
    changesOf(item, token, serialNumbers, () => unapproved),
  );
}

function changesOf(
  { consensusTimestamp }: DecodedItem,
  given: TokenId | null,
  serials: readonly Long[],
  change: (index: number) => Change,
): readonly NftChange[] {
  const token = tokenId(given);
  if (token === null) return [];
  return serials.flatMap((each, index) => {
    const serial = toBigInt(each);
    // No NFT has such a number.
    if (serial < 1n) return [];
    return [{ kind: 'change' as const, token, serial, consensusTimestamp, ...change(index) }];
  });
}

/** Empty bytes need not come as an array of bytes. */
function bytes(given: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(given);
}
