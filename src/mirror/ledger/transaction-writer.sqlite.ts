import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { accountRows, transactionFacet } from './account-rows.ts';
import { printExactJson } from './exact-json.ts';
import { hashPrefix } from './hash-prefix.ts';
import type { LedgerTransaction } from './rows.ts';
import { prepareTransaction } from './transaction-json.ts';

/**
 * Stores the transactions of units with everything derived from them.
 *
 * @returns of each unit those that were not stored before
 */
export type TransactionWriter = (
  units: readonly (readonly LedgerTransaction[])[],
) => readonly (readonly LedgerTransaction[])[];

type AccountColumns = [account: bigint, ts: bigint, flags: number, type: number, facet: number];

const HBAR = 0;
const FUNGIBLE = 1;

/**
 * Prepares the statements once; the caller opens the database transaction.
 *
 * Rows go in table by table, those of an account together: each index is then changed where it was changed
 * before, which takes half the time of going through all of them for every transaction.
 */
export function createTransactionWriter(database: SqliteDatabase, showBytes: boolean): TransactionWriter {
  const insertTransaction = database.prepare(
    `insert into tx (consensus_ts, type, facet, result, payer, valid_start, nonce, scheduled, parent_ts,
       entity_id, node_id, charged_fee, max_fee, valid_duration, high_volume, high_volume_multiplier, hash,
       body, tail_spec, tail_hiero, assessed_fees, memo, batch_key, max_custom_fees, inner_transactions,
       nft_transfers)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (consensus_ts) do nothing`,
  );
  const storedHash = database
    .prepare<[bigint], Buffer | null>('select hash from tx where consensus_ts = ?')
    .pluck();
  const insertSource = database.prepare(
    'insert into tx_source (consensus_ts, transaction_bytes, record_bytes) values (?, ?, ?)',
  );
  const insertHash = database.prepare('insert into tx_hash (prefix, consensus_ts) values (?, ?)');
  const insertAccount = database.prepare(
    'insert into account_tx (account_id, consensus_ts, flags, type, facet) values (?, ?, ?, ?, ?)',
  );
  const insertTransfer = database.prepare(
    `insert into transfer (consensus_ts, kind, token_id, account_id, amount, seq, approval)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertReward = database.prepare(
    'insert into staking_reward (consensus_ts, seq, account_id, amount) values (?, ?, ?, ?)',
  );
  const insertAssessedFee = database.prepare(
    `insert into assessed_fee (consensus_ts, seq, amount, collector, token_id, effective_payers)
     values (?, ?, ?, ?, ?, ?)`,
  );

  const storeTransaction = (transaction: LedgerTransaction): boolean => {
    const ts = transaction.consensusTimestamp;
    const prepared = prepareTransaction(transaction, showBytes);
    const { changes } = insertTransaction.run(
      ts,
      transaction.type,
      transactionFacet(transaction),
      transaction.result,
      transaction.payer,
      transaction.validStart,
      transaction.nonce,
      transaction.scheduled ? 1 : 0,
      transaction.parentConsensusTimestamp,
      transaction.entityId,
      transaction.node,
      transaction.chargedFee,
      transaction.maxFee,
      transaction.validDurationSeconds,
      transaction.highVolume ? 1 : 0,
      transaction.highVolumePricingMultiplier,
      transaction.hash,
      prepared.body,
      prepared.tailSpec,
      prepared.tailHiero,
      prepared.assessedFees,
      transaction.memo,
      transaction.batchKey,
      compactList(transaction.maxCustomFees.map((fee) => [fee.account, fee.amount, fee.denominatingToken])),
      compactList(transaction.innerTransactions.map((inner) => [inner.payer, inner.validStart])),
      compactList(
        transaction.nftTransfers.map((row) => [
          row.token,
          row.sender,
          row.receiver,
          row.serial,
          row.isApproval ? 1 : 0,
        ]),
      ),
    );
    if (changes === 0) {
      refuseOtherHash(transaction, storedHash.get(ts) ?? null);
      return false;
    }
    return true;
  };
  const storeTransfers = (transaction: LedgerTransaction): void => {
    const ts = transaction.consensusTimestamp;
    transaction.transfers.forEach(({ account, amount, isApproval }, seq) => {
      insertTransfer.run(ts, HBAR, 0, account, amount, seq, isApproval ? 1 : 0);
    });
    transaction.tokenTransfers.forEach(({ token, account, amount, isApproval }, seq) => {
      insertTransfer.run(ts, FUNGIBLE, token, account, amount, seq, isApproval ? 1 : 0);
    });
    transaction.stakingRewards.forEach(({ account, amount }, seq) => {
      insertReward.run(ts, seq, account, amount);
    });
    transaction.assessedCustomFees.forEach(({ amount, collector, effectivePayers, token }, seq) => {
      insertAssessedFee.run(ts, seq, amount, collector, token, printExactJson(effectivePayers));
    });
  };

  const storeAccounts = (transactions: readonly LedgerTransaction[]): void => {
    const accounts = new Map<bigint, AccountColumns[]>();
    for (const transaction of transactions) {
      const { consensusTimestamp: ts, type } = transaction;
      for (const { account, facet, flags } of accountRows(transaction)) {
        const rows = accounts.get(account);
        if (rows === undefined) accounts.set(account, [[account, ts, flags, type, facet]]);
        else rows.push([account, ts, flags, type, facet]);
      }
    }
    for (const account of [...accounts.keys()].sort(ascending)) {
      for (const row of accounts.get(account) ?? []) insertAccount.run(row);
    }
  };

  return (units) => {
    const addedOfUnits = units.map((transactions) => transactions.filter(storeTransaction));
    const added = addedOfUnits.flat();
    for (const { consensusTimestamp: ts, recordBytes, transactionBytes } of added) {
      if (transactionBytes !== null || recordBytes !== null)
        insertSource.run(ts, transactionBytes, recordBytes);
    }
    added.forEach(storeTransfers);
    for (const { consensusTimestamp: ts, hash } of added) {
      const prefix = hash === null ? null : hashPrefix(hash);
      if (prefix !== null) insertHash.run(prefix, ts);
    }
    storeAccounts(added);
    return addedOfUnits;
  };
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Null for the usual empty list keeps the row small. */
function compactList(rows: readonly (readonly (bigint | number | null)[])[]): string | null {
  return rows.length === 0 ? null : printExactJson(rows);
}

/** @see contracts/streams.md section 15, code duplicate_conflict */
function refuseOtherHash(transaction: LedgerTransaction, stored: Buffer | null): void {
  const isSame =
    stored === null || transaction.hash === null
      ? stored === transaction.hash
      : Buffer.compare(stored, transaction.hash) === 0;
  if (isSame) return;
  const consensusTimestamp = printTimestamp(transaction.consensusTimestamp);
  throw new LedgerlensError(
    'duplicate_conflict',
    `Another transaction is already stored at consensus time ${consensusTimestamp}`,
    { details: { consensusTimestamp } },
  );
}
