import { SYSTEM_ACCOUNT } from '../../vocabulary/system-accounts.ts';
import type { TransactionDocument, TransferDocument } from '../ask/documents.ts';

const FEE_ACCOUNTS: ReadonlySet<bigint> = new Set([
  SYSTEM_ACCOUNT.FEE_COLLECTION,
  SYSTEM_ACCOUNT.STAKING_REWARD,
  SYSTEM_ACCOUNT.NODE_REWARD,
  802n,
]);

/** Whom a transaction gave hbar beyond its fee, the largest amount first. */
export function receiversOf({ node, transfers }: TransactionDocument): readonly TransferDocument[] {
  return transfers
    .filter(({ account, amount }) => amount > 0n && account !== node && !FEE_ACCOUNTS.has(numOf(account)))
    .sort((left, right) => (left.amount < right.amount ? 1 : -1));
}

/** Sum of a list of transfers. */
export function sumOf(transfers: readonly { readonly amount: bigint }[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}

function numOf(account: string): bigint {
  return BigInt(account.slice(account.lastIndexOf('.') + 1));
}
