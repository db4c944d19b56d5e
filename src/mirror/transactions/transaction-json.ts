import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { decodeEntityId, printEntityId } from '../../values/entity-id.ts';
import { showsStakingRewards } from '../ledger/account-rows.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import type { LedgerTransaction, TokenTransfer } from '../ledger/rows.ts';
import { resultName } from './response-codes.ts';
import { transactionTypeName } from './transaction-types.ts';

/**
 * The list object of one transaction, ready to send: `body + tail` is a JSON object.
 *
 * Members that differ between the dialects stand in the tails, so that switching needs no new import.
 * Between body and tail the single transaction puts `,"assessed_custom_fees":…`.
 */
export interface PreparedTransaction {
  readonly body: string;
  readonly tailSpec: string;
  readonly tailHiero: string;
  /** JSON list; null when there are none, because the member is absent then. */
  readonly assessedFees: string | null;
}

/**
 * Prepares the JSON of a transaction at import.
 *
 * @param showBytes whether the member `bytes` tells the serialized transaction; otherwise it is null.
 * @see contracts/mirror-transactions.md section 2
 */
export function prepareTransaction(transaction: LedgerTransaction, showBytes: boolean): PreparedTransaction {
  const body = printExactJson(commonMembers(transaction, showBytes));
  return {
    body: body.slice(0, -1),
    tailSpec: printTail(specMembers(transaction)),
    tailHiero: printTail(hieroMembers(transaction)),
    assessedFees: assessedFees(transaction),
  };
}

/** `payer-seconds-nanoseconds`, the last part padded to nine digits. */
export function printTransactionId(payer: bigint, validStart: bigint): string {
  return `${printEntityId(payer)}-${printTimestamp(validStart).replace('.', '-')}`;
}

function commonMembers(transaction: LedgerTransaction, showBytes: boolean): Record<string, ExactJson> {
  return {
    bytes: showBytes ? base64(transaction.transactionBytes) : null,
    charged_tx_fee: transaction.chargedFee,
    consensus_timestamp: printTimestamp(transaction.consensusTimestamp),
    entity_id: idOrNull(transaction.entityId),
    high_volume: transaction.highVolume,
    high_volume_pricing_multiplier: transaction.highVolumePricingMultiplier,
    max_custom_fees: transaction.maxCustomFees.map(({ account, amount, denominatingToken }) => ({
      account_id: printEntityId(account),
      amount,
      denominating_token_id: idOrNull(denominatingToken),
    })),
    memo_base64: base64(transaction.memo),
    name: transactionTypeName(transaction.type),
    nft_transfers: transaction.nftTransfers.map(({ isApproval, receiver, sender, serial, token }) => ({
      is_approval: isApproval,
      receiver_account_id: idOrNull(receiver),
      sender_account_id: idOrNull(sender),
      serial_number: serial,
      token_id: idOrNull(token),
    })),
    node: idOrNull(transaction.node),
    nonce: transaction.nonce,
    parent_consensus_timestamp:
      transaction.parentConsensusTimestamp === null
        ? null
        : printTimestamp(transaction.parentConsensusTimestamp),
    result: resultName(transaction.result),
    scheduled: transaction.scheduled,
    token_transfers: [...transaction.tokenTransfers].sort(byTokenThenAccount).map((row) => ({
      token_id: printEntityId(row.token),
      account: printEntityId(row.account),
      amount: row.amount,
      is_approval: row.isApproval,
    })),
    transaction_hash: base64(transaction.hash),
    transaction_id: printTransactionId(transaction.payer, transaction.validStart),
    transfers: [...transaction.transfers]
      .sort((a, b) => compare(a.account, b.account) || compare(a.amount, b.amount))
      .map(({ account, amount, isApproval }) => ({
        account: printEntityId(account),
        amount,
        is_approval: isApproval,
      })),
    valid_start_timestamp: printTimestamp(transaction.validStart),
  };
}

/** The members as the interface specification types them. @see contracts/seed.txt section 2.3 */
function specMembers(transaction: LedgerTransaction): Record<string, ExactJson> {
  const batchKey = keyJson(transaction.batchKey);
  return {
    max_fee: transaction.maxFee,
    staking_reward_transfers: visibleRewards(transaction).map(({ account, amount }) => ({
      account: decodeEntityId(account).num,
      amount,
    })),
    valid_duration_seconds: transaction.validDurationSeconds,
    ...(batchKey === null ? {} : { batch_key: { ...batchKey } }),
  };
}

/** The members as the public networks send them. @see contracts/mirror-transactions.md section 1 */
function hieroMembers(transaction: LedgerTransaction): Record<string, ExactJson> {
  const batchKey = keyJson(transaction.batchKey);
  return {
    batch_key: batchKey === null ? null : { ...batchKey },
    max_fee: transaction.maxFee?.toString() ?? null,
    staking_reward_transfers: visibleRewards(transaction).map(({ account, amount }) => ({
      account: printEntityId(account),
      amount,
    })),
    valid_duration_seconds: transaction.validDurationSeconds?.toString() ?? null,
  };
}

function visibleRewards(transaction: LedgerTransaction): LedgerTransaction['stakingRewards'] {
  return showsStakingRewards(transaction) ? transaction.stakingRewards : [];
}

function assessedFees({ assessedCustomFees }: LedgerTransaction): string | null {
  if (assessedCustomFees.length === 0) return null;
  const sorted = [...assessedCustomFees].sort(
    (a, b) => compare(a.collector, b.collector) || compare(a.amount, b.amount),
  );
  return printExactJson(
    sorted.map(({ amount, collector, effectivePayers, token }) => ({
      amount,
      collector_account_id: printEntityId(collector),
      effective_payer_account_ids: effectivePayers.map(printEntityId),
      token_id: idOrNull(token),
    })),
  );
}

/** Continues the object that `body` leaves open. */
function printTail(members: Record<string, ExactJson>): string {
  return `,${printExactJson(members).slice(1)}`;
}

/** An all-zero id means none. */
function idOrNull(id: bigint | null): string | null {
  return id === null || id === 0n ? null : printEntityId(id);
}

function base64(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function byTokenThenAccount(a: TokenTransfer, b: TokenTransfer): number {
  return compare(a.token, b.token) || compare(a.account, b.account);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
