import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { decodeEntityId, printEntityId } from '../../values/entity-id.ts';
import { bufferOf } from '../../values/hex.ts';
import type { Dialect } from '../dialect.ts';
import { resultName } from '../vocabulary/response-codes.ts';
import { transactionTypeName } from '../vocabulary/transaction-types.ts';
import { showsStakingRewards } from './account-rows.ts';
import { keyJson } from './key-json.ts';
import type { HbarTransfer, LedgerTransaction, TokenTransfer } from './rows.ts';

/**
 * The list object of one transaction, ready to send but for its marks ({@link unmarked}), whose members are in alphabetical order.
 *
 * Switching the dialect needs no new import. The single transaction puts `"assessed_custom_fees":…,` behind the first brace.
 */
export interface PreparedTransaction {
  readonly body: string;
  /** Of the dialect `spec` where it differs in more than the marks; null where it does not. */
  readonly bodySpec: string | null;
  /** JSON list; null when there are none, because the member is absent then. */
  readonly assessedFees: string | null;
}

/** What stands in a prepared text where the dialects differ: no JSON text has such characters. */
const MARK = {
  /** Around a number that public networks send as text. */
  quote: '\u0001',
  /** Where there is no batch key. */
  noBatchKey: '\u0002',
} as const;

/** What the marks stand for: contracts/mirror-transactions.md section 1, contracts/seed.txt section 2.3. */
const MARKED: Readonly<Record<Dialect, Readonly<Record<keyof typeof MARK, string>>>> = {
  spec: { quote: '', noBatchKey: '' },
  hiero: { quote: '"', noBatchKey: '"batch_key":null,' },
};

/** Prepared texts as a dialect sends them. In SQL it takes six times as long. */
export function unmarked(text: string, dialect: Dialect): string {
  const { noBatchKey, quote } = MARKED[dialect];
  return text.replaceAll(MARK.noBatchKey, noBatchKey).replaceAll(MARK.quote, quote);
}

/**
 * Prepares the JSON of a transaction at import.
 *
 * @param showBytes whether the member `bytes` tells the serialized transaction; otherwise it is null.
 * @see contracts/mirror-transactions.md section 2
 */
export function prepareTransaction(transaction: LedgerTransaction, showBytes: boolean): PreparedTransaction {
  const rewards = showsStakingRewards(transaction) ? transaction.stakingRewards : [];
  const rewardList = (accountOf: (reward: LedgerTransaction['stakingRewards'][number]) => string) =>
    list(rewards, (reward) => `{"account":${accountOf(reward)},"amount":${reward.amount}}`);
  const bodyWith = (shownRewards: string) => members(transaction, shownRewards, showBytes);
  return {
    body: bodyWith(rewardList(({ account }) => `"${printEntityId(account)}"`)),
    bodySpec:
      rewards.length === 0 ? null : bodyWith(rewardList(({ account }) => `${decodeEntityId(account).num}`)),
    assessedFees: assessedFees(transaction),
  };
}

/** `payer-seconds-nanoseconds`, the last part padded to nine digits. */
export function printTransactionId(payer: bigint, validStart: bigint): string {
  return `${printEntityId(payer)}-${printTimestamp(validStart).replace('.', '-')}`;
}

/**
 * Written as text: a printer for any object takes a seventh of the time of an import. Every string in it is an
 * id, a time, base64 or a name of a closed set, so nothing needs escaping.
 */
function members(transaction: LedgerTransaction, rewards: string, showBytes: boolean): string {
  const parent = transaction.parentConsensusTimestamp;
  const validStart = printTimestamp(transaction.validStart);
  const batchKey = keyJson(transaction.batchKey);
  return (
    `{${batchKey === null ? MARK.noBatchKey : `"batch_key":${JSON.stringify(batchKey)},`}` +
    `"bytes":${showBytes ? base64(transaction.transactionBytes) : null}` +
    `,"charged_tx_fee":${transaction.chargedFee}` +
    `,"consensus_timestamp":"${printTimestamp(transaction.consensusTimestamp)}"` +
    `,"entity_id":${idOrNull(transaction.entityId)}` +
    `,"high_volume":${transaction.highVolume}` +
    `,"high_volume_pricing_multiplier":${transaction.highVolumePricingMultiplier}` +
    `,"max_custom_fees":${list(
      transaction.maxCustomFees,
      ({ account, amount, denominatingToken }) =>
        `{"account_id":"${printEntityId(account)}","amount":${amount}` +
        `,"denominating_token_id":${idOrNull(denominatingToken)}}`,
    )}` +
    `,"max_fee":${marked(transaction.maxFee)}` +
    `,"memo_base64":${base64(transaction.memo)}` +
    `,"name":"${transactionTypeName(transaction.type)}"` +
    `,"nft_transfers":${list(
      transaction.nftTransfers,
      ({ isApproval, receiver, sender, serial, token }) =>
        `{"is_approval":${isApproval},"receiver_account_id":${idOrNull(receiver)}` +
        `,"sender_account_id":${idOrNull(sender)},"serial_number":${serial},"token_id":${idOrNull(token)}}`,
    )}` +
    `,"node":${idOrNull(transaction.node)}` +
    `,"nonce":${transaction.nonce}` +
    `,"parent_consensus_timestamp":${parent === null ? null : `"${printTimestamp(parent)}"`}` +
    `,"result":"${resultName(transaction.result)}"` +
    `,"scheduled":${transaction.scheduled}` +
    `,"staking_reward_transfers":${rewards}` +
    `,"token_transfers":${list(
      [...transaction.tokenTransfers].sort(byTokenThenAccount),
      ({ account, amount, isApproval, token }) =>
        `{"token_id":"${printEntityId(token)}","account":"${printEntityId(account)}","amount":${amount}` +
        `,"is_approval":${isApproval}}`,
    )}` +
    `,"transaction_hash":${base64(transaction.hash)}` +
    `,"transaction_id":"${printEntityId(transaction.payer)}-${validStart.replace('.', '-')}"` +
    `,"transfers":${list(
      [...transaction.transfers].sort(byAccountThenAmount),
      ({ account, amount, isApproval }) =>
        `{"account":"${printEntityId(account)}","amount":${amount},"is_approval":${isApproval}}`,
    )}` +
    `,"valid_duration_seconds":${marked(transaction.validDurationSeconds)}` +
    `,"valid_start_timestamp":"${validStart}"}`
  );
}

function assessedFees({ assessedCustomFees }: LedgerTransaction): string | null {
  if (assessedCustomFees.length === 0) return null;
  return list(
    [...assessedCustomFees].sort((a, b) => compare(a.collector, b.collector) || compare(a.amount, b.amount)),
    ({ amount, collector, effectivePayers, token }) =>
      `{"amount":${amount},"collector_account_id":"${printEntityId(collector)}"` +
      `,"effective_payer_account_ids":${list(effectivePayers, (payer) => `"${printEntityId(payer)}"`)}` +
      `,"token_id":${idOrNull(token)}}`,
  );
}

function list<Row>(rows: readonly Row[], print: (row: Row) => string): string {
  if (rows.length === 0) return '[]';
  let text = '';
  for (const row of rows) text += (text === '' ? '[' : ',') + print(row);
  return `${text}]`;
}

/** A number that public networks send as text. */
function marked(value: bigint | null): string | null {
  return value === null ? null : `${MARK.quote}${value}${MARK.quote}`;
}

/** JSON; an all-zero id means none. */
function idOrNull(id: bigint | null): string | null {
  return id === null || id === 0n ? null : `"${printEntityId(id)}"`;
}

/** JSON. */
function base64(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  return `"${bytes.length === 0 ? '' : bufferOf(bytes).toString('base64')}"`;
}

function byTokenThenAccount(a: TokenTransfer, b: TokenTransfer): number {
  return compare(a.token, b.token) || compare(a.account, b.account);
}

function byAccountThenAmount(a: HbarTransfer, b: HbarTransfer): number {
  return compare(a.account, b.account) || compare(a.amount, b.amount);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
