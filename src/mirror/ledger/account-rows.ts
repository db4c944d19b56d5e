import { decodeEntityId } from '../../values/entity-id.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { SYSTEM_ACCOUNT } from '../vocabulary/system-accounts.ts';
import type { LedgerTransaction } from './rows.ts';

/** Bits of `account_tx.flags`. @see contracts/mirror-storage.md section 2 */
export const accountFlags = { payer: 1, credit: 2, debit: 4, zero: 8, nft: 16 } as const;

/** Bits of the column `facet`, by which the indexes answer `result` and `type` without filtering. */
export const facetBits = { credit: 1, debit: 2, ok: 4 } as const;

/** Why one account finds the transaction. */
export interface AccountRow {
  readonly account: bigint;
  readonly flags: number;
  readonly facet: number;
}

/** CRYPTOCREATEACCOUNT and CRYPTOUPDATEACCOUNT children may precede the transaction of the user. */
const PRECEDING_TYPES: ReadonlySet<number> = new Set([11, 15]);

/**
 * Derives the rows that account filters search: payer, hbar and fungible rows, NFT parties.
 *
 * @see contracts/mirror-transactions.md section 4
 */
export function accountRows(transaction: LedgerTransaction): readonly AccountRow[] {
  const flags = new Map<bigint, number>();
  if (isVisibleToPayer(transaction)) mark(flags, transaction.payer, accountFlags.payer);
  for (const rows of [transaction.transfers, transaction.tokenTransfers]) {
    for (const { account, amount } of rows) mark(flags, account, signFlag(amount));
  }
  for (const { sender, receiver } of transaction.nftTransfers) {
    if (sender !== null) mark(flags, sender, accountFlags.nft);
    if (receiver !== null) mark(flags, receiver, accountFlags.nft);
  }
  const okBit = isSuccess(transaction.result) ? facetBits.ok : 0;
  const rows: AccountRow[] = [];
  for (const [account, bits] of flags) {
    const credit = (bits & accountFlags.credit) !== 0 ? facetBits.credit : 0;
    const debit = (bits & accountFlags.debit) !== 0 ? facetBits.debit : 0;
    rows.push({ account, flags: bits, facet: okBit | credit | debit });
  }
  return rows;
}

function mark(flags: Map<bigint, number>, account: bigint, bit: number): void {
  flags.set(account, (flags.get(account) ?? 0) | bit);
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
export function showsStakingRewards(transaction: LedgerTransaction): boolean {
  return transaction.transfers.some(
    ({ account }) => decodeEntityId(account).num === SYSTEM_ACCOUNT.STAKING_REWARD,
  );
}

function isVisibleToPayer({ nonce, parentConsensusTimestamp, type }: LedgerTransaction): boolean {
  return nonce === 0 || parentConsensusTimestamp !== null || PRECEDING_TYPES.has(type);
}
