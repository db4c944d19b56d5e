import { type Columns, insertTable, type Rows } from '../../../values/stored-tables.ts';
import { AccountRows, transactionFacet } from '../account-rows.ts';
import { printExactJson } from '../exact-json.ts';
import type { TransactionTable, UnitTable } from '../facets/facet.ts';
import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import type { Store } from '../fold/fold-state.ts';
import { hashPrefix } from '../hash-prefix.ts';
import type { LedgerTransaction, LedgerUnit } from '../rows.ts';
import { prepareTransaction } from '../transaction-json.ts';

const HBAR = 0;
const FUNGIBLE = 1;

const TRANSACTION = insertTable('tx', 1, [
  'consensus_ts',
  'type',
  'facet',
  'result',
  'payer',
  'valid_start',
  'nonce',
  'scheduled',
  'parent_ts',
  'entity_id',
  'node_id',
  'charged_fee',
  'max_fee',
  'valid_duration',
  'high_volume',
  'high_volume_multiplier',
  'hash',
  'body',
  'body_spec',
  'assessed_fees',
  'memo',
  'batch_key',
  'max_custom_fees',
  'inner_transactions',
  'nft_transfers',
]);
const HASH = insertTable('tx_hash', 2, ['prefix', 'consensus_ts']);
const ACCOUNT = insertTable('account_tx', 2, ['account_id', 'consensus_ts', 'flags', 'type', 'facet']);

/** The tables with the consensus time first, which find the rows of a transaction by themselves. */
export const TIMED_TABLES: readonly TransactionTable[] = [
  {
    table: insertTable('tx_source', 1, ['consensus_ts', 'transaction_bytes', 'record_bytes']),
    addRows({ consensusTimestamp: ts, recordBytes, transactionBytes }, add) {
      if (transactionBytes !== null || recordBytes !== null) add([ts, transactionBytes, recordBytes]);
    },
  },
  {
    table: insertTable('transfer', 6, [
      'consensus_ts',
      'kind',
      'token_id',
      'account_id',
      'amount',
      'seq',
      'approval',
    ]),
    addRows: addTransfers,
  },
  ...LEDGER_FACETS.flatMap(({ transactionTables }) => transactionTables ?? []),
];

/** The tables of what units tell of their transactions. */
export const UNIT_TABLES: readonly UnitTable[] = LEDGER_FACETS.flatMap(({ unitTables }) => unitTables ?? []);

/** The calls that store what units tell of their transactions. */
export function unitStores(units: readonly LedgerUnit[]): readonly Store[] {
  return UNIT_TABLES.map(({ addRows, table }) => ({
    table,
    rows: {
      forEach(take) {
        for (const unit of units) addRows(unit, take);
      },
    },
  }));
}

/**
 * The calls that store transactions with everything derived from them.
 *
 * Rows go in table by table, those of an account together: each index is then changed where it was changed
 * before, which takes half the time of going through all of them for every transaction. Rows are made as they are
 * taken, so that the prepared texts of a commit are not in memory together.
 *
 * @param showBytes whether the list objects tell the serialized transaction
 */
export function transactionStores(
  transactions: readonly LedgerTransaction[],
  showBytes: boolean,
): readonly Store[] {
  if (transactions.length === 0) return [];
  return [
    {
      table: TRANSACTION,
      rows: rowsOf(transactions, (each, add) => add(transactionColumns(each, showBytes))),
    },
    ...TIMED_TABLES.map(({ addRows, table }) => ({ table, rows: rowsOf(transactions, addRows) })),
    { table: HASH, rows: rowsOf(transactions, addHash) },
    { table: ACCOUNT, rows: { forEach: (take) => addAccounts(transactions, take) } },
  ];
}

function rowsOf(transactions: readonly LedgerTransaction[], addRows: TransactionTable['addRows']): Rows {
  return {
    forEach(take) {
      for (const transaction of transactions) addRows(transaction, take);
    },
  };
}

function transactionColumns(transaction: LedgerTransaction, showBytes: boolean): Columns {
  const prepared = prepareTransaction(transaction, showBytes);
  return [
    transaction.consensusTimestamp,
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
    prepared.bodySpec,
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
  ];
}

/** Null for the usual empty list keeps the row small. */
function compactList(rows: readonly (readonly (bigint | number | null)[])[]): string | null {
  return rows.length === 0 ? null : printExactJson(rows);
}

function addTransfers(
  { consensusTimestamp: ts, tokenTransfers, transfers }: LedgerTransaction,
  add: (row: Columns) => void,
): void {
  let seq = 0;
  for (const { account, amount, isApproval } of transfers) {
    add([ts, HBAR, 0, account, amount, seq++, isApproval ? 1 : 0]);
  }
  seq = 0;
  for (const { account, amount, isApproval, token } of tokenTransfers) {
    add([ts, FUNGIBLE, token, account, amount, seq++, isApproval ? 1 : 0]);
  }
}

function addHash({ consensusTimestamp: ts, hash }: LedgerTransaction, add: (row: Columns) => void): void {
  const prefix = hash === null ? null : hashPrefix(hash);
  if (prefix !== null) add([prefix, ts]);
}

function addAccounts(transactions: readonly LedgerTransaction[], add: (row: Columns) => void): void {
  const rows = new AccountRows();
  for (const transaction of transactions) rows.add(transaction);
  rows.forEach(({ account, at, facet, flags, type }) => {
    add([account, at, flags, type, facet]);
  });
}
