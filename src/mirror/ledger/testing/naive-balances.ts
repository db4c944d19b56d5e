import { isNewSnapshotInterval, isNewSnapshotMonth } from '../balance-snapshots.ts';
import type { LedgerTransaction, LedgerUnit } from '../rows.ts';

interface NaiveBalance {
  readonly balance: bigint;
  readonly at: bigint;
}

/** Balances by account, or by account and token, and their snapshots by the same and a time. */
export interface NaiveBalances {
  readonly hbar: ReadonlyMap<string, NaiveBalance>;
  readonly tokens: ReadonlyMap<string, NaiveBalance>;
  readonly snapshots: ReadonlyMap<string, bigint>;
}

const CREATE = 11;

/** What the transfers of a ledger without gaps and statements make, entry by entry. */
export function naiveBalances(units: readonly LedgerUnit[]): NaiveBalances {
  const hbar = new Map<string, NaiveBalance>();
  const tokens = new Map<string, NaiveBalance>();
  const snapshots = new Map<string, bigint>();
  let [last, lastSnapshot] = [null as bigint | null, null as bigint | null];
  const snapshot = (at: bigint) => {
    const since = lastSnapshot === null || isNewSnapshotMonth(lastSnapshot, at) ? -1n : lastSnapshot;
    for (const [key, row] of [...hbar, ...tokens])
      if (row.at > since) snapshots.set(`${key}@${at}`, row.balance);
    lastSnapshot = at;
  };
  for (const { transactions } of units) {
    for (const transaction of transactions) {
      const at = transaction.consensusTimestamp;
      if (last !== null && isNewSnapshotInterval(last, at)) snapshot(last);
      apply(transaction, hbar, tokens);
      last = at;
    }
    if (lastSnapshot === null && last !== null) snapshot(last);
  }
  return { hbar, tokens, snapshots };
}

function apply(
  transaction: LedgerTransaction,
  hbar: Map<string, NaiveBalance>,
  tokens: Map<string, NaiveBalance>,
): void {
  const { consensusTimestamp: at, entityId, nftTransfers, tokenTransfers, transfers, type } = transaction;
  const add = (to: Map<string, NaiveBalance>, key: string, amount: bigint) =>
    to.set(key, { balance: (to.get(key)?.balance ?? 0n) + amount, at });
  if (type === CREATE && entityId !== null && !hbar.has(`${entityId}`)) add(hbar, `${entityId}`, 0n);
  for (const { account, amount } of transfers) add(hbar, `${account}`, amount);
  for (const { account, amount, token } of tokenTransfers) add(tokens, `${account}/${token}`, amount);
  for (const { receiver, sender, serial, token } of nftTransfers) {
    const isTreasuryChange = serial === -1n;
    if (isTreasuryChange && sender === null) continue;
    const count = isTreasuryChange ? (tokens.get(`${sender}/${token}`)?.balance ?? 0n) : 1n;
    if (sender !== null) add(tokens, `${sender}/${token}`, -count);
    if (receiver !== null) add(tokens, `${receiver}/${token}`, count);
  }
}
