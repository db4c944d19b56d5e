import { type Columns, type ColumnValue, insertTable, type Rows } from '../../../values/stored-tables.ts';
import { AccountRows, transactionFacet } from '../account-rows.ts';
import { printExactJson } from '../exact-json.ts';
import type { TransactionTable, UnitTable } from '../facets/facet.ts';
import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import type { RowStore } from '../fold/fold-state.ts';
import { hashPrefix } from '../hash-prefix.ts';
import type { LedgerTransaction, LedgerUnit } from '../rows.ts';
import { type PreparedTransaction, prepareTransaction } from '../transaction-json.ts';

const HBAR = 0;
const FUNGIBLE = 1;

/** What each column of a transaction holds. @param prepared its texts */
const COLUMNS: Readonly<
  Record<string, (transaction: LedgerTransaction, prepared: PreparedTransaction) => ColumnValue>
> = {
  consensus_ts: (transaction) => transaction.consensusTimestamp,
  type: (transaction) => transaction.type,
  facet: transactionFacet,
  result: (transaction) => transaction.result,
  payer: (transaction) => transaction.payer,
  valid_start: (transaction) => transaction.validStart,
  nonce: (transaction) => transaction.nonce,
  scheduled: (transaction) => Number(transaction.scheduled),
  parent_ts: (transaction) => transaction.parentConsensusTimestamp,
  entity_id: (transaction) => transaction.entityId,
  node_id: (transaction) => transaction.node,
  charged_fee: (transaction) => transaction.chargedFee,
  max_fee: (transaction) => transaction.maxFee,
  valid_duration: (transaction) => transaction.validDurationSeconds,
  high_volume: (transaction) => Number(transaction.highVolume),
  high_volume_multiplier: (transaction) => transaction.highVolumePricingMultiplier,
  hash: (transaction) => transaction.hash,
  body: (_, prepared) => prepared.body,
  body_spec: (_, prepared) => prepared.bodySpec,
  assessed_fees: (_, prepared) => prepared.assessedFees,
  memo: (transaction) => transaction.memo,
  batch_key: (transaction) => transaction.batchKey,
  max_custom_fees: ({ maxCustomFees }) =>
    compactList(maxCustomFees.map((fee) => [fee.account, fee.amount, fee.denominatingToken])),
  inner_transactions: ({ innerTransactions }) =>
    compactList(innerTransactions.map((inner) => [inner.payer, inner.validStart])),
  nft_transfers: ({ nftTransfers }) =>
    compactList(
      nftTransfers.map(({ isApproval, receiver, sender, serial, token }) => [
        token,
        sender,
        receiver,
        serial,
        Number(isApproval),
      ]),
    ),
};
const VALUES = Object.values(COLUMNS);
const TRANSACTION = insertTable('tx', 1, Object.keys(COLUMNS));
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
export function unitStores(units: readonly LedgerUnit[]): readonly RowStore[] {
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
): readonly RowStore[] {
  if (transactions.length === 0) return [];
  return [
    {
      table: TRANSACTION,
      rows: rowsOf(transactions, (each, add) => {
        const prepared = prepareTransaction(each, showBytes);
        add(VALUES.map((held) => held(each, prepared)));
      }),
    },
    ...TIMED_TABLES.map(({ addRows, table }) => ({ table, rows: rowsOf(transactions, addRows) })),
    { table: HASH, rows: hashRows(transactions) },
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

/** Ascending, so that rows go in where others went before them: as numbers, which are compared faster and near enough. */
function hashRows(transactions: readonly LedgerTransaction[]): Rows {
  const rows = transactions.flatMap(({ consensusTimestamp: ts, hash }) => {
    const prefix = hash === null ? null : hashPrefix(hash);
    return prefix === null ? [] : [{ order: Number(prefix), row: [prefix, ts] as const }];
  });
  return rows.sort((one, other) => one.order - other.order).map(({ row }) => row);
}

function addAccounts(transactions: readonly LedgerTransaction[], add: (row: Columns) => void): void {
  const rows = new AccountRows();
  for (const transaction of transactions) rows.add(transaction);
  rows.forEach(({ account, at, facet, flags, type }) => {
    add([account, at, flags, type, facet]);
  });
}
