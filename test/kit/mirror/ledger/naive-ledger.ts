import type { LedgerUnit } from '../../../../src/mirror/ledger/rows.ts';
import { NaiveApprovals } from './naive-approvals.ts';
import { NaiveServices } from './naive-services.ts';
import { NaiveStakes } from './naive-stakes.ts';
import { NaiveTokens } from './naive-tokens.ts';
import { id, int, list, type PlainItem, part, plainItem } from './plain-item.ts';

/** What accounts, tokens, approvals, messages and schedules are after all transactions of a ledger. */
export interface NaiveLedger {
  /** By account. */
  readonly hbar: ReadonlyMap<bigint, { readonly balance: bigint; readonly at: bigint }>;
  /** Every reward that was paid: account, time and amount. */
  readonly rewards: readonly string[];
  readonly tokens: NaiveTokens;
  readonly approvals: NaiveApprovals;
  readonly services: NaiveServices;
  readonly stakes: NaiveStakes;
}

const SUCCESSES: ReadonlySet<number> = new Set([22, 104, 220]);
const FAIL_INVALID = 23;
const CREATIONS: ReadonlySet<number> = new Set([8, 11]);

/**
 * Replays a ledger that begins with its first transaction, in the plainest way: maps, one item after the other, each by
 * the steps of the contract. It shares no rule with decoding or folds, so that it finds what they get wrong.
 *
 * @param units with the bytes of their transactions
 * @see contracts/mirror-entities.md section 11
 */
export function naiveLedger(units: readonly LedgerUnit[]): NaiveLedger {
  const items = units
    .flatMap(({ transactions }) => transactions)
    .map(({ recordBytes, transactionBytes }) => {
      if (transactionBytes === null || recordBytes === null) throw new Error('a transaction has no bytes');
      return plainItem({ transaction: transactionBytes, record: recordBytes });
    });
  const statuses = new Map(items.map(({ at, status }) => [at, status]));
  const hbar = new Map<bigint, { balance: bigint; at: bigint }>();
  const rewards: string[] = [];
  const tokens = new NaiveTokens();
  const approvals = new NaiveApprovals();
  const services = new NaiveServices();
  const stakes = new NaiveStakes();
  for (const item of items) {
    const { at, parent, status } = item;
    const isSuccessful =
      SUCCESSES.has(status) && (parent === null || SUCCESSES.has(statuses.get(parent) ?? 22));
    if (isSuccessful) {
      tokens.handle(item);
      approvals.handle(item, tokens);
      services.handle(item);
      stakes.handle(item);
    }
    moveHbar(item, isSuccessful, hbar);
    for (const each of list(item.record, 'paidStakingRewards')) {
      rewards.push(`${id(each['accountID'])} ${at} ${int(each, 'amount')}`);
    }
    stakes.pay(item);
    services.execute(item);
    if (isSuccessful) {
      services.sign(item);
      approvals.spend(item);
    }
    if (isSuccessful || status === FAIL_INVALID) tokens.move(item);
    if (isSuccessful) stakes.end(item, hbar);
  }
  return { hbar, rewards, tokens, approvals, services, stakes };
}

function moveHbar(
  { at, receipt, record, type }: PlainItem,
  isSuccessful: boolean,
  hbar: Map<bigint, { balance: bigint; at: bigint }>,
): void {
  const created = id(receipt['accountID']) ?? id(receipt['contractID']);
  if (isSuccessful && CREATIONS.has(type) && created !== null && !hbar.has(created)) {
    hbar.set(created, { balance: 0n, at });
  }
  for (const each of list(part(record, 'transferList'), 'accountAmounts')) {
    const account = id(each['accountID']) ?? 0n;
    hbar.set(account, { balance: (hbar.get(account)?.balance ?? 0n) + int(each, 'amount'), at });
  }
}
