import type { LedgerTransaction, TokenTransfer } from '../../ledger/rows.ts';
import type { KnownEntities } from './known-entities.ts';

/** What a transaction moves of tokens. */
export type TokenMoves = Pick<LedgerTransaction, 'tokenTransfers' | 'nftTransfers'>;

/**
 * Shows what the account of a dissociation gave up of deleted unique tokens: the record has one negative transfer for
 * such a token, which stands among the NFTs with the amount in place of a serial number.
 *
 * @see contracts/mirror-entities.md section 11.4, dissociating a deleted token
 */
export function withNftsGivenUp(moves: TokenMoves, known: Pick<KnownEntities, 'tokenKind'>): TokenMoves {
  const isGivenUp = (transfer: TokenTransfer) =>
    isOnlyOne(transfer, moves.tokenTransfers) && known.tokenKind(transfer.token) === 'NON_FUNGIBLE_UNIQUE';
  const givenUp = moves.tokenTransfers.filter(isGivenUp);
  if (givenUp.length === 0) return moves;
  return {
    tokenTransfers: moves.tokenTransfers.filter((transfer) => !givenUp.includes(transfer)),
    nftTransfers: [
      ...moves.nftTransfers,
      ...givenUp.map(({ account, amount, token }) => ({
        token,
        sender: account,
        receiver: null,
        serial: amount,
        isApproval: false,
      })),
    ],
  };
}

/** What a living token loses comes back to its treasury, so that two are listed. */
function isOnlyOne({ amount, token }: TokenTransfer, all: readonly TokenTransfer[]): boolean {
  return amount < 0n && all.filter((each) => each.token === token).length === 1;
}
