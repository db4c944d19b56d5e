import { createHash } from 'node:crypto';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { RESULT } from '../vocabulary/response-codes.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import { facetRows } from './facets/ledger-facets.ts';
import type { LedgerTransaction, LedgerUnit } from './rows.ts';

/** The rows of a fixture; absent members mean none. */
export type FixtureRows = Partial<Omit<LedgerUnit, 'header'>>;

/** What every transaction of a fixture must name; the rest has the defaults of an empty body. */
export type FixtureTransaction = Pick<LedgerTransaction, 'consensusTimestamp' | 'payer'> &
  Partial<LedgerTransaction>;

/** Fills a transaction: a successful CRYPTOTRANSFER without transfers, valid 1 ns before its consensus. */
export function fixtureTransaction(given: FixtureTransaction): LedgerTransaction {
  return {
    validStart: consensusTimestamp(given.consensusTimestamp - 1n),
    nonce: 0,
    scheduled: false,
    type: TYPE.CRYPTOTRANSFER,
    result: RESULT.SUCCESS,
    entityId: null,
    node: null,
    parentConsensusTimestamp: null,
    chargedFee: 0n,
    maxFee: null,
    validDurationSeconds: null,
    memo: null,
    hash: null,
    batchKey: null,
    maxCustomFees: [],
    innerTransactions: [],
    highVolume: false,
    highVolumePricingMultiplier: null,
    transfers: [],
    tokenTransfers: [],
    nftTransfers: [],
    stakingRewards: [],
    assessedCustomFees: [],
    transactionBytes: null,
    recordBytes: null,
    ...given,
  };
}

/**
 * Builds a unit of kind `fixture` from plain rows, in any order, so that they are stored as if imported.
 *
 * Its file, or its name without one, is its identity: the same ledger refuses nothing, but one that ends at or before the
 * last stored unit is left alone.
 */
export function fixtureUnit(
  name: string,
  rows: FixtureRows,
  file: { readonly source: string; readonly contents: Uint8Array } | null = null,
): LedgerUnit {
  const transactions = [...(rows.transactions ?? [])].sort((a, b) =>
    a.consensusTimestamp < b.consensusTimestamp ? -1 : 1,
  );
  const hash = createHash('sha384')
    .update(file?.contents ?? name)
    .digest();
  const times = everyTime(rows);
  return {
    header: {
      source: file?.source ?? 'fixture',
      kind: 'fixture',
      name,
      version: 0,
      hapiVersion: null,
      blockNumber: null,
      consensusStart: consensusTimestamp(times.reduce((least, time) => (time < least ? time : least))),
      consensusEnd: consensusTimestamp(times.reduce((greatest, time) => (time > greatest ? time : greatest))),
      hash,
      previousHash: new Uint8Array(48),
      root: null,
      isNative: false,
      fileHash: hash,
      count: transactions.length,
      size: file?.contents.length ?? 0,
      verification: 'none',
    },
    ...everyRow({ ...rows, transactions }),
    sidecars: rows.sidecars ?? [],
    tree: rows.tree ?? null,
  };
}

/** Every list of a unit that is made of rows; those that are not given are empty. */
export function everyRow(rows: FixtureRows): Omit<LedgerUnit, 'header' | 'sidecars' | 'tree'> {
  return {
    ...facetRows(rows),
    transactions: rows.transactions ?? [],
    filePieces: rows.filePieces ?? [],
    addressBooks: rows.addressBooks ?? [],
    nodeChanges: rows.nodeChanges ?? [],
    stakeUpdates: rows.stakeUpdates ?? [],
    balances: rows.balances ?? [],
    tokenBalances: rows.tokenBalances ?? [],
    entities: rows.entities ?? [],
    entityChanges: rows.entityChanges ?? [],
    gas: rows.gas ?? null,
  };
}

/** The members of rows that tell when something was so. */
const TIMES = ['consensusTimestamp', 'changedTimestamp', 'createdTimestamp', 'timestamp', 'lower'];

/** Without transactions the unit spans its other rows; an empty one spans time 0. */
function everyTime(rows: FixtureRows): readonly bigint[] {
  const transactions = rows.transactions?.map((row) => row.consensusTimestamp) ?? [];
  if (transactions.length > 0) return transactions;
  const lists: readonly unknown[] = Object.values(rows);
  const others = lists.flatMap((list) => (Array.isArray(list) ? list.flatMap(timesOf) : []));
  return others.length > 0 ? others : [0n];
}

function timesOf(row: Readonly<Record<string, unknown>>): readonly bigint[] {
  return TIMES.map((name) => row[name]).filter((time) => typeof time === 'bigint');
}
