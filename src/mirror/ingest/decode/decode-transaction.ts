import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, timestampOf, tokenId } from '../../items/ledger-ids.ts';
import type { LedgerTransaction, MaxCustomFee } from '../../ledger/rows.ts';
import { messages, toBigInt } from '../../protobuf/messages.ts';
import { signedBody } from '../../protobuf/transaction-body.ts';
import { rawField } from '../../protobuf/wire.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOfTransaction } from './entity-of-transaction.ts';
import type { KnownEntities } from './known-entities.ts';
import {
  assessedCustomFees,
  hbarTransfers,
  nftTransfers,
  stakingRewards,
  type TokenMoves,
  tokenTransfers,
  withNftsGivenUp,
} from './transfers.ts';

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
