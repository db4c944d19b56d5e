import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, timestampOf, tokenId } from '../../items/ledger-ids.ts';
import type {
  AssessedCustomFee,
  HbarTransfer,
  LedgerTransaction,
  MaxCustomFee,
  NftTransfer,
  TokenTransfer,
} from '../../ledger/rows.ts';
import type { AccountAmount } from '../../protobuf/message-types.ts';
import { messages, toBigInt } from '../../protobuf/messages.ts';
import { signedBody } from '../../protobuf/transaction-body.ts';
import { rawField } from '../../protobuf/wire.ts';
import { isSuccess, RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOfTransaction } from './entity-of-transaction.ts';
import type { KnownEntities } from './known-entities.ts';

/** The payer of a transaction that names none, such as one of a kind that is not known yet. */
const NOBODY = entityId(0n);
const MEMO_FIELD = 6;
const BATCH_KEY_FIELD = 73;
const NO_MEMO = new Uint8Array();
const NO_MOVES: TokenMoves = { tokenTransfers: [], nftTransfers: [] };

/**
 * The ledger row of one item.
 *
 * @param isSuccessful whether the item and its parent succeeded
 * @throws LedgerlensError `malformed`
 * @see contracts/mirror-transactions.md section 8
 */
export function decodeTransaction(
  decoded: DecodedItem,
  isSuccessful: boolean,
  known: KnownEntities,
): LedgerTransaction {
  const { resolve } = known;
  const { body, record, bodyBytes, item } = decoded;
  const id = body.transactionID ?? record.transactionID;
  // A failure that keeps its token transfers.
  const movesTokens = isSuccessful || decoded.result === RESULT.FAIL_INVALID;
  return {
    consensusTimestamp: decoded.consensusTimestamp,
    payer: accountId(id?.accountID, resolve) ?? NOBODY,
    validStart: timestampOf(id?.transactionValidStart ?? null) ?? consensusTimestamp(0n),
    nonce: id?.nonce ?? 0,
    scheduled: record.scheduleRef !== null,
    type: decoded.type,
    result: decoded.result,
    entityId: entityOfTransaction(decoded, resolve),
    node: accountId(body.nodeAccountID, resolve),
    parentConsensusTimestamp: decoded.parentConsensusTimestamp,
    chargedFee: int64(toBigInt(record.transactionFee)),
    maxFee: int64(toBigInt(body.transactionFee)),
    validDurationSeconds:
      body.transactionValidDuration === null ? null : toBigInt(body.transactionValidDuration.seconds),
    memo: rawField(bodyBytes, MEMO_FIELD) ?? NO_MEMO,
    hash: decoded.hash,
    batchKey: rawField(bodyBytes, BATCH_KEY_FIELD),
    maxCustomFees: maxCustomFees(decoded, resolve),
    innerTransactions: (body.atomicBatch?.transactions ?? []).flatMap((bytes) =>
      innerTransaction(bytes, resolve),
    ),
    highVolume: body.highVolume,
    highVolumePricingMultiplier: positiveOrNull(toBigInt(record.highVolumePricingMultiplier)),
    transfers: hbarTransfers(decoded, resolve),
    ...(movesTokens ? tokenMoves(decoded, known) : NO_MOVES),
    stakingRewards: stakingRewards(decoded, resolve),
    assessedCustomFees: movesTokens ? assessedCustomFees(decoded, resolve) : [],
    transactionBytes: item.transaction,
    recordBytes: item.record,
  };
}

function tokenMoves(decoded: DecodedItem, known: KnownEntities): TokenMoves {
  if (decoded.record.tokenTransferLists.length === 0) return NO_MOVES;
  const moves = {
    tokenTransfers: tokenTransfers(decoded, known.resolve),
    nftTransfers: nftTransfers(decoded, known.resolve),
  };
  return decoded.type === TYPE.TOKENDISSOCIATE ? withNftsGivenUp(moves, known) : moves;
}

function maxCustomFees({ body }: DecodedItem, resolve: ResolveAlias): readonly MaxCustomFee[] {
  return body.maxCustomFees.flatMap((limit) => {
    const account = accountId(limit.accountId, resolve);
    // A limit for an account that does not exist bounds nothing.
    if (account === null) return [];
    return limit.fees.map((fee) => ({
      account,
      amount: toBigInt(fee.amount),
      denominatingToken: tokenId(fee.denominatingTokenId),
    }));
  });
}

/** Bytes that are no transaction are possible in a batch that failed: they give no row. */
function innerTransaction(bytes: Uint8Array, resolve: ResolveAlias): LedgerTransaction['innerTransactions'] {
  const id = inReadable(() => messages.TransactionBody.decode(signedBody(bytes)).transactionID);
  const payer = accountId(id?.accountID, resolve);
  const validStart = timestampOf(id?.transactionValidStart ?? null);
  return payer === null || validStart === null ? [] : [{ payer, validStart }];
}

function inReadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LedgerlensError && error.code === 'malformed') return null;
    throw error;
  }
}

/** Fees are unsigned on the wire and signed in every database; absurd ones of failed transactions wrap. */
function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function positiveOrNull(value: bigint): bigint | null {
  return value === 0n ? null : int64(value);
}

/** Until 2019-12-31 the records of failed transfers also list what the body asked for. */
const ERRATA_END = 1_577_836_799_000_000_000n;

/**
 * Every entry of the record's transfer list, also of failed transactions; without those of accounts that an unknown
 * alias names.
 *
 * @see contracts/streams.md section 6, rows transfers and 2019 errata
 */
function hbarTransfers(decoded: DecodedItem, resolve: ResolveAlias): readonly HbarTransfer[] {
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
function tokenTransfers({ body, record }: DecodedItem, resolve: ResolveAlias): readonly TokenTransfer[] {
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
function nftTransfers({ body, record }: DecodedItem, resolve: ResolveAlias): readonly NftTransfer[] {
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
function stakingRewards({ record }: DecodedItem, resolve: ResolveAlias) {
  return record.paidStakingRewards.flatMap((entry) => {
    const account = accountId(entry.accountID, resolve);
    return account === null ? [] : [{ account, amount: toBigInt(entry.amount) }];
  });
}

/** Custom fees that the network charged; the caller decides whether they count. */
function assessedCustomFees({ record }: DecodedItem, resolve: ResolveAlias): readonly AssessedCustomFee[] {
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
type TokenMoves = Pick<LedgerTransaction, 'tokenTransfers' | 'nftTransfers'>;

/**
 * Shows what the account of a dissociation gave up of deleted unique tokens: the record has one negative transfer for
 * such a token, which stands among the NFTs with the amount in place of a serial number.
 *
 * @see contracts/mirror-entities.md section 11.4, dissociating a deleted token
 */
function withNftsGivenUp(moves: TokenMoves, known: Pick<KnownEntities, 'tokenKind'>): TokenMoves {
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
