import { MAX_NUM } from '../../values/entity-id.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { SYSTEM_ACCOUNT } from '../vocabulary/system-accounts.ts';
import type { HbarTransfer, LedgerTransaction } from './rows.ts';

/** Bits of `account_tx.flags`. @see contracts/mirror-storage.md section 2 */
const accountFlags = { payer: 1, credit: 2, debit: 4, zero: 8, nft: 16 } as const;

/** Bits of the column `facet`, by which the indexes answer `result` and `type` without filtering. */
export const facetBits = { credit: 1, debit: 2, ok: 4 } as const;

/** Why one account finds a transaction. */
interface AccountRow {
  readonly account: bigint;
  readonly at: bigint;
  readonly type: number;
  flags: number;
  facet: number;
}

/** CRYPTOCREATEACCOUNT and CRYPTOUPDATEACCOUNT children may precede the transaction of the user. */
const PRECEDING_TYPES: ReadonlySet<number> = new Set([11, 15]);

/**
 * Collects the rows that account filters search: payer, hbar and fungible rows, NFT parties.
 *
 * @see contracts/mirror-transactions.md section 4
 */
export class AccountRows {
  /** Those of an account in the order of the transactions. */
  readonly #rows = new Map<bigint, AccountRow[]>();

  add(transaction: LedgerTransaction): void {
    if (isVisibleToPayer(transaction)) this.#mark(transaction, transaction.payer, accountFlags.payer);
    for (const { account, amount } of transaction.transfers) {
      this.#mark(transaction, account, signFlag(amount));
    }
    for (const { account, amount } of transaction.tokenTransfers) {
      this.#mark(transaction, account, signFlag(amount));
    }
    for (const { sender, receiver } of transaction.nftTransfers) {
      if (sender !== null) this.#mark(transaction, sender, accountFlags.nft);
      if (receiver !== null) this.#mark(transaction, receiver, accountFlags.nft);
    }
  }

  /** Ascending by account. */
  forEach(take: (row: AccountRow) => void): void {
    const byAccount = [...this.#rows].sort((one, other) => (one[0] < other[0] ? -1 : 1));
    for (const [, rows] of byAccount) for (const row of rows) take(row);
  }

  #mark({ consensusTimestamp: at, result, type }: LedgerTransaction, account: bigint, flag: number): void {
    let rows = this.#rows.get(account);
    if (rows === undefined) {
      rows = [];
      this.#rows.set(account, rows);
    }
    let row = rows.at(-1);
    if (row?.at !== at) {
      row = { account, at, type, flags: 0, facet: isSuccess(result) ? facetBits.ok : 0 };
      rows.push(row);
    }
    row.flags |= flag;
    if (flag === accountFlags.credit) row.facet |= facetBits.credit;
    if (flag === accountFlags.debit) row.facet |= facetBits.debit;
  }
}

function signFlag(amount: bigint): number {
  if (amount === 0n) return accountFlags.zero;
  return amount > 0n ? accountFlags.credit : accountFlags.debit;
}

/** The facet of the whole transaction: some account was credited, some debited, it succeeded. */
export function transactionFacet(transaction: LedgerTransaction): number {
  let facet: number = isSuccess(transaction.result) ? facetBits.ok : 0;
  for (const rows of [transaction.transfers, transaction.tokenTransfers]) {
    for (const { amount } of rows) {
      if (amount > 0n) facet |= facetBits.credit;
      if (amount < 0n) facet |= facetBits.debit;
    }
  }
  return facet;
}

/** Rewards are shown only beside a transfer of the reward account. @see contracts/mirror-transactions.md section 2 */
export function showsStakingRewards({ stakingRewards, transfers }: LedgerTransaction): boolean {
  const isRewardAccount = ({ account }: HbarTransfer) =>
    (account & MAX_NUM) === SYSTEM_ACCOUNT.STAKING_REWARD;
  return stakingRewards.length > 0 && transfers.some(isRewardAccount);
}

function isVisibleToPayer({ nonce, parentConsensusTimestamp, type }: LedgerTransaction): boolean {
  return nonce === 0 || parentConsensusTimestamp !== null || PRECEDING_TYPES.has(type);
}
