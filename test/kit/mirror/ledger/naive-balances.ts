import type { LedgerTransaction, LedgerUnit } from '../../../../src/mirror/ledger/rows.ts';

interface NaiveBalance {
  /** Null for a balance that went below zero: it began before the ledger. */
  readonly balance: bigint | null;
  readonly at: bigint;
}

/** Balances by account, or by account and token, and their snapshots by the same and a time. */
export interface NaiveBalances {
  readonly hbar: ReadonlyMap<string, NaiveBalance>;
  readonly tokens: ReadonlyMap<string, NaiveBalance>;
  readonly snapshots: ReadonlyMap<string, bigint | null>;
}

const CREATE = 11;
const MINUTE = 60_000_000_000n;

const month = (at: bigint) => new Date(Number(at / 1_000_000n)).toISOString().slice(0, 7);
const half = (at: bigint) => `${month(at).slice(0, 5)}${month(at).slice(5) < '07' ? 1 : 2}`;

/** What the transfers of a ledger without gaps and statements make, entry by entry. */
export function naiveBalances(units: readonly LedgerUnit[]): NaiveBalances {
  const hbar = new Map<string, NaiveBalance>();
  const tokens = new Map<string, NaiveBalance>();
  const snapshots = new Map<string, bigint | null>();
  let [due, last] = [null as bigint | null, null as bigint | null];
  for (const { header, transactions } of units) {
    const at = header.consensusEnd;
    for (const transaction of transactions) apply(transaction, hbar, tokens);
    due ??= at + 2n * MINUTE;
    if (at < due) continue;
    const [from, isFull] = [last ?? -1n, last !== null && half(last) !== half(at)];
    const isSystem = (key: string) =>
      key === '2' || (BigInt(key) <= 1000n && (last === null || month(last) !== month(at)));
    for (const [key, row] of hbar) {
      if (row.at > from || isFull || isSystem(key)) snapshots.set(`${key}@${at}`, row.balance);
    }
    for (const [key, row] of tokens) if (row.at > from || isFull) snapshots.set(`${key}@${at}`, row.balance);
    [due, last] = [at + 15n * MINUTE, at];
  }
  return { hbar, tokens, snapshots };
}

function apply(
  transaction: LedgerTransaction,
  hbar: Map<string, NaiveBalance>,
  tokens: Map<string, NaiveBalance>,
): void {
  const { consensusTimestamp: at, entityId, nftTransfers, tokenTransfers, transfers, type } = transaction;
  const add = (to: Map<string, NaiveBalance>, key: string, amount: bigint) => {
    const before = to.has(key) ? (to.get(key)?.balance ?? null) : 0n;
    if (before !== null) to.set(key, { balance: before + amount, at });
  };
  if (type === CREATE && entityId !== null && !hbar.has(`${entityId}`)) add(hbar, `${entityId}`, 0n);
  for (const { account, amount } of transfers) add(hbar, `${account}`, amount);
  for (const { account, amount, token } of tokenTransfers) add(tokens, `${account}/${token}`, amount);
  for (const { receiver, sender, serial, token } of nftTransfers) {
    const isTreasuryChange = serial === -1n;
    if (isTreasuryChange && sender === null) continue;
    const held = tokens.get(`${sender}/${token}`);
    const count = isTreasuryChange ? (held === undefined ? 0n : held.balance) : 1n;
    if (count === null) {
      tokens.set(`${sender}/${token}`, { balance: 0n, at });
      if (receiver !== null) tokens.set(`${receiver}/${token}`, { balance: null, at });
      continue;
    }
    if (sender !== null) add(tokens, `${sender}/${token}`, -count);
    if (receiver !== null) add(tokens, `${receiver}/${token}`, count);
  }
  for (const [key, { balance }] of tokens) if ((balance ?? 0n) < 0n) tokens.set(key, { balance: null, at });
}
