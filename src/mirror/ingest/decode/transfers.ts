import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type {
  AssessedCustomFee,
  HbarTransfer,
  LedgerTransaction,
  NftTransfer,
  TokenTransfer,
} from '../../ledger/rows.ts';
import type { AccountAmount } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { KnownEntities } from './known-entities.ts';

/** Until 2019-12-31 the records of failed transfers also list what the body asked for. */
const ERRATA_END = 1_577_836_799_000_000_000n;

/**
 * Every entry of the record's transfer list, also of failed transactions; without those of accounts that an unknown
 * alias names.
 *
 * @see contracts/streams.md section 6, rows transfers and 2019 errata
 */
export function hbarTransfers(decoded: DecodedItem, resolve: ResolveAlias): readonly HbarTransfer[] {
  const { body, record } = decoded;
  const asked = body.cryptoTransfer?.transfers?.accountAmounts ?? [];
  const approved = entryKeys(asked.filter(isApproved), resolve);
  const neverHappened = listsWhatNeverHappened(decoded) ? entryKeys(asked, resolve) : NO_KEYS;
  // Most transactions have neither, and no key is made for their entries.
  const isPlain = approved.size + neverHappened.size === 0;
  const transfers: HbarTransfer[] = [];
  for (const entry of record.transferList?.accountAmounts ?? []) {
    const account = accountId(entry.accountID, resolve);
    if (account === null) continue;
    const amount = toBigInt(entry.amount);
    if (isPlain) {
      transfers.push({ account, amount, isApproval: false });
      continue;
    }
    const key = `${account}:${amount}`;
    transfers.push({
      account,
      amount,
      isApproval: amount < 0n && approved.has(key),
      ...(neverHappened.has(key) ? { neverHappened: true } : {}),
    });
  }
  return transfers;
}

function listsWhatNeverHappened({ consensusTimestamp, result, type }: DecodedItem): boolean {
  return type === TYPE.CRYPTOTRANSFER && consensusTimestamp < ERRATA_END && !isSuccess(result);
}

/** Fungible token transfers; the caller decides whether they count. */
export function tokenTransfers(
  { body, record }: DecodedItem,
  resolve: ResolveAlias,
): readonly TokenTransfer[] {
  const exact = new Map<string, boolean>();
  const anyApproved = new Set<string>();
  for (const list of body.cryptoTransfer?.tokenTransfers ?? []) {
    const token = tokenId(list.token);
    for (const entry of list.transfers) {
      const account = accountId(entry.accountID, resolve);
      exact.set(`${token}:${account}:${toBigInt(entry.amount)}`, entry.isApproval);
      if (entry.isApproval) anyApproved.add(`${token}:${account}`);
    }
  }
  return record.tokenTransferLists.flatMap((list) => {
    const token = tokenId(list.token);
    return list.transfers.flatMap((entry) => {
      const account = accountId(entry.accountID, resolve);
      if (token === null || account === null) return [];
      const amount = toBigInt(entry.amount);
      const approval = exact.get(`${token}:${account}:${amount}`) ?? anyApproved.has(`${token}:${account}`);
      return { token, account, amount, isApproval: amount < 0n && approval };
    });
  });
}

/** NFT transfers in record order; the caller decides whether they count. */
export function nftTransfers({ body, record }: DecodedItem, resolve: ResolveAlias): readonly NftTransfer[] {
  const approved = new Set<string>();
  for (const list of body.cryptoTransfer?.tokenTransfers ?? []) {
    for (const entry of list.nftTransfers) {
      const sender = accountId(entry.senderAccountID, resolve);
      if (entry.isApproval) approved.add(`${tokenId(list.token)}:${toBigInt(entry.serialNumber)}:${sender}`);
    }
  }
  return record.tokenTransferLists.flatMap((list) => {
    const token = tokenId(list.token);
    if (token === null) return [];
    return list.nftTransfers.map((entry) => {
      const sender = accountId(entry.senderAccountID, resolve);
      const serial = toBigInt(entry.serialNumber);
      return {
        token,
        sender,
        receiver: accountId(entry.receiverAccountID, resolve),
        serial,
        isApproval: approved.has(`${token}:${serial}:${sender}`),
      };
    });
  });
}

/** Rewards paid by the way, always taken from the record. */
export function stakingRewards({ record }: DecodedItem, resolve: ResolveAlias) {
  return record.paidStakingRewards.flatMap((entry) => {
    const account = accountId(entry.accountID, resolve);
    return account === null ? [] : [{ account, amount: toBigInt(entry.amount) }];
  });
}

/** Custom fees that the network charged; the caller decides whether they count. */
export function assessedCustomFees(
  { record }: DecodedItem,
  resolve: ResolveAlias,
): readonly AssessedCustomFee[] {
  return record.assessedCustomFees.flatMap((fee) => {
    const collector = accountId(fee.feeCollectorAccountId, resolve);
    const effectivePayers = fee.effectivePayerAccountId.flatMap((payer) => accountId(payer, resolve) ?? []);
    return collector === null
      ? []
      : [{ amount: toBigInt(fee.amount), collector, token: tokenId(fee.tokenId), effectivePayers }];
  });
}

function isApproved({ isApproval }: AccountAmount): boolean {
  return isApproval;
}

const NO_KEYS: ReadonlySet<string> = new Set();

function entryKeys(entries: readonly AccountAmount[], resolve: ResolveAlias): ReadonlySet<string> {
  if (entries.length === 0) return NO_KEYS;
  return new Set(entries.map((entry) => `${accountId(entry.accountID, resolve)}:${toBigInt(entry.amount)}`));
}

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
