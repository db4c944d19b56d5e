import type { StatedReward } from '../../../../src/mirror/ledger/facets/staking-rewards.ts';
import { type FixtureRows, fixtureTransaction } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type {
  AssessedCustomFee,
  HbarTransfer,
  LedgerTransaction,
} from '../../../../src/mirror/ledger/rows.ts';
import { SYSTEM_ACCOUNT } from '../../../../src/mirror/vocabulary/system-accounts.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../../../src/values/entity-id.ts';
import {
  bytesOf,
  type CaseRow,
  type CaseSetup,
  groupBy,
  id,
  idOrNull,
  integer,
  integerOrNull,
  list,
  object,
  rows,
  section,
  text,
  timeOrNull,
  toInteger,
} from './case-row.ts';

const DEFAULT_NODE = 3n;

/** Sections `transactions`, `cryptotransfers`, `stakingRewardTransfers` and `assessedcustomfees`. */
export function transactionSections(setup: CaseSetup): FixtureRows {
  const rewards = groupBy(section(setup, 'stakingRewardTransfers'), (row) =>
    integer(row, 'consensus_timestamp'),
  );
  const fees = groupBy(section(setup, 'assessedcustomfees'), (row) => integer(row, 'consensus_timestamp'));
  const given = [
    ...section(setup, 'transactions'),
    ...section(setup, 'cryptotransfers').map(expandCryptoTransfer),
  ];
  const times = new Set(given.map((row) => integer(row, 'consensus_timestamp')));
  return {
    statedRewards: section(setup, 'stakingRewardTransfers').flatMap((row) => statedReward(row, times)),
    transactions: given.map((row) => {
      const at = integer(row, 'consensus_timestamp');
      return transaction(row, rewards.get(at) ?? [], fees.get(at) ?? []);
    }),
  };
}

/** Those of a transaction come with it. */
function statedReward(row: CaseRow, times: ReadonlySet<bigint>): readonly StatedReward[] {
  const at = integer(row, 'consensus_timestamp');
  if (times.has(at)) return [];
  const account = id(row, 'account_id', 1001n);
  return [{ account, amount: integer(row, 'amount', 100n), consensusTimestamp: consensusTimestamp(at) }];
}

/** @see README of the cases, section cryptotransfers */
function expandCryptoTransfer(row: CaseRow): CaseRow {
  const sender = row['senderAccountId'] ?? row['payerAccountId'];
  const recipient = row['recipientAccountId'] ?? row['nodeAccountId'];
  const amount = integer(row, 'amount', 2n);
  const expanded = { ...row, payerAccountId: row['payerAccountId'] ?? sender };
  if (row['transfers'] !== undefined) return expanded;
  return {
    ...expanded,
    transfers: [
      { account: sender, amount: -(amount + 1n), is_approval: false },
      { account: recipient, amount, is_approval: false },
      { account: row['treasuryAccountId'], amount: 1n, is_approval: false },
    ],
  };
}

function transaction(row: CaseRow, rewards: readonly CaseRow[], fees: readonly CaseRow[]): LedgerTransaction {
  const at = integer(row, 'consensus_timestamp');
  const bytes = row['transaction_bytes'] === undefined ? 'bytes' : row['transaction_bytes'];
  const batchKey = text(row, 'batch_key', null);
  const inner = list(row, 'inner_transactions').map((value) => toInteger(value));
  const chargedFee = integer(row, 'charged_tx_fee', 7n);
  const payer = id(row, 'payerAccountId');
  const node = idOrNull(row, 'nodeAccountId');
  return fixtureTransaction({
    consensusTimestamp: consensusTimestamp(at),
    payer,
    validStart: consensusTimestamp(integer(row, 'valid_start_timestamp', at - 1n)),
    node,
    type: Number(integer(row, 'type', 14n)),
    result: Number(integer(row, 'result', 22n)),
    chargedFee,
    maxFee: integerOrNull(row, 'max_fee', 33n),
    validDurationSeconds: integerOrNull(row, 'valid_duration_seconds', 11n),
    nonce: Number(integer(row, 'nonce', 0n)),
    scheduled: row['scheduled'] === true,
    parentConsensusTimestamp: timeOrNull(row, 'parent_consensus_timestamp'),
    entityId: idOrNull(row, 'entity_id'),
    hash:
      row['transaction_hash'] === undefined
        ? countingHash()
        : bytesOf(text(row, 'transaction_hash', '') ?? ''),
    batchKey: batchKey === null ? null : bytesOf(batchKey),
    transactionBytes: bytes === null ? null : Buffer.from(String(bytes), 'utf8'),
    maxCustomFees: rows(row, 'max_custom_fees').flatMap(maxCustomFee),
    highVolume: row['high_volume'] === true,
    highVolumePricingMultiplier: integerOrNull(row, 'high_volume_pricing_multiplier', null),
    innerTransactions: inner.flatMap((value, index) =>
      index % 2 === 0
        ? [{ payer: entityId(value), validStart: consensusTimestamp(inner[index + 1] ?? 0n) }]
        : [],
    ),
    nftTransfers: rows(row, 'nft_transfer').map((nft) => ({
      token: id(nft, 'token_id'),
      sender: idOrNull(nft, 'sender_account_id'),
      receiver: idOrNull(nft, 'receiver_account_id'),
      serial: integer(nft, 'serial_number'),
      isApproval: nft['is_approval'] === true,
    })),
    transfers: hbarTransfers(rows(row, 'transfers'), chargedFee, payer, node),
    tokenTransfers: rows(row, 'token_transfer_list').map((entry) => ({
      ...transfer(entry),
      token: id(entry, 'token_id'),
    })),
    stakingRewards: rewards.map((reward) => ({
      account: id(reward, 'account_id', 1001n),
      amount: integer(reward, 'amount', 100n),
    })),
    assessedCustomFees: fees.map(assessedFee),
  });
}

/** A charged fee without transfers stands for the usual three rows. */
function hbarTransfers(
  given: readonly CaseRow[],
  chargedFee: bigint,
  payer: EntityId,
  node: EntityId | null,
): readonly HbarTransfer[] {
  if (given.length > 0 || chargedFee <= 0n) return given.map(transfer);
  return [
    { account: node ?? entityId(DEFAULT_NODE), amount: 2n, isApproval: false },
    { account: entityId(SYSTEM_ACCOUNT.FEE_COLLECTION), amount: 1n, isApproval: false },
    { account: payer, amount: -3n, isApproval: false },
  ];
}

function transfer(row: CaseRow): HbarTransfer {
  return {
    account: id(row, 'account'),
    amount: integer(row, 'amount'),
    isApproval: row['is_approval'] === true,
  };
}

function maxCustomFee(limit: CaseRow): LedgerTransaction['maxCustomFees'] {
  const account = id(object(limit, 'accountId'), 'accountNum');
  return rows(limit, 'fees').map((fee) => {
    const token = object(fee, 'denominatingTokenId')['tokenNum'];
    return {
      account,
      amount: integer(fee, 'amount'),
      denominatingToken: token === undefined ? null : entityId(toInteger(token)),
    };
  });
}

function assessedFee(row: CaseRow): AssessedCustomFee {
  return {
    amount: integer(row, 'amount'),
    collector: id(row, 'collector_account_id'),
    token: idOrNull(row, 'token_id'),
    effectivePayers: list(row, 'effective_payer_account_ids').map((value) => entityId(toInteger(value))),
  };
}

/** The 48 bytes 1, 2, 3 … 48. */
function countingHash(): Uint8Array {
  return Uint8Array.from({ length: 48 }, (_, index) => index + 1);
}
