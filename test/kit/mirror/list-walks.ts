import { expect } from 'vitest';
import type { Dialect } from '../../../src/mirror/dialect.ts';
import type { LedgerTransaction } from '../../../src/mirror/ledger/rows.ts';
import type { MirrorStore } from '../../../src/mirror/mirror-store.ts';
import { createTransactionList, printPage } from '../../../src/mirror/transactions/list-transactions.ts';
import { transactionTypeName } from '../../../src/mirror/vocabulary/transaction-types.ts';
import { ManualClock } from '../../../src/values/clock.ts';
import { printTimestamp } from '../../../src/values/consensus-timestamp.ts';
import * as fc from '../../support/properties.ts';
import { usesPostgres } from '../../support/tested-backend.ts';
import { anyConditions, type Condition, meetsAll } from './conditions.ts';
import { ACCOUNTS, randomLedger, TYPES } from './random-ledger.ts';

/** How a list is made whose links are followed. */
interface WalkedList {
  readonly dialect: Dialect;
  /** Of the time that one page may span; null for any. */
  readonly maxRangeNanos: bigint | null;
  readonly transactions: MirrorStore['transactions'];
}

interface RandomQuery {
  readonly accounts: readonly Condition[];
  /** Nanoseconds after the first possible time. */
  readonly times: readonly Condition[];
  readonly types: readonly number[];
  readonly result: 'success' | 'fail' | null;
  readonly direction: 'credit' | 'debit' | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

const START = 1_700_000_000_000_000_000n;
/** A millisecond after the first possible time: two windows of a bound range are empty. */
const AFTERWARDS_MS = 1_700_000_000_001;
const SUCCESS = [22, 104, 220];

const randomQuery: fc.Arbitrary<RandomQuery> = fc.record({
  accounts: anyConditions(fc.constantFrom(...ACCOUNTS, 7n), 2),
  times: anyConditions(fc.bigInt({ min: 0n, max: 60n }), 2),
  types: fc.array(fc.constantFrom(...TYPES), { maxLength: 5 }),
  result: fc.constantFrom('success', 'fail', null, null),
  direction: fc.constantFrom('credit', 'debit', null, null),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 5 }),
});

/** The rules of contracts/mirror-transactions.md section 4. It is read row by row. */
function isSelected(transaction: LedgerTransaction, query: RandomQuery): boolean {
  const { direction } = query;
  const times = query.times.map(({ operator, value }) => ({ operator, value: START + value }));
  const distinctTimes = new Set(times.filter((time) => time.operator === 'eq').map((time) => time.value));
  if (distinctTimes.size > 1 || !meetsAll(transaction.consensusTimestamp, times)) return false;
  if (query.types.length > 0 && !query.types.includes(transaction.type)) return false;
  if (query.result !== null && SUCCESS.includes(transaction.result) !== (query.result === 'success'))
    return false;
  const moves = [...transaction.transfers, ...transaction.tokenTransfers];
  if (direction !== null) {
    return moves.some(
      ({ account, amount }) =>
        (direction === 'credit' ? amount > 0n : amount < 0n) && meetsAll(account, query.accounts),
    );
  }
  if (query.accounts.length === 0) return true;
  const isPayerVisible =
    transaction.nonce === 0 ||
    transaction.parentConsensusTimestamp !== null ||
    transaction.type === 11 ||
    transaction.type === 15;
  const touched = [
    ...moves.map(({ account }) => account),
    ...transaction.nftTransfers.flatMap(({ receiver, sender }) => [receiver, sender]),
    ...(isPayerVisible ? [transaction.payer] : []),
  ];
  return touched.some((account) => account !== null && meetsAll(account, query.accounts));
}

function printQuery(query: RandomQuery): string {
  const parts = [
    ...query.accounts.map(({ operator, value }) => `account.id=${operator}:0.0.${value}`),
    ...query.times.map(({ operator, value }) => `timestamp=${operator}:${printTimestamp(START + value)}`),
    ...query.types.map((type) => `transactiontype=${transactionTypeName(type)}`),
    ...(query.result === null ? [] : [`result=${query.result}`]),
    ...(query.direction === null ? [] : [`type=${query.direction}`]),
    `order=${query.order}`,
    `limit=${query.limit}`,
  ];
  return `/api/v1/transactions?${parts.join('&')}`;
}

async function walk(
  query: RandomQuery,
  { dialect, maxRangeNanos, transactions }: WalkedList,
): Promise<readonly string[]> {
  const listTransactions = createTransactionList({
    transactions,
    resolveAddress: async () => null,
    clock: new ManualClock(AFTERWARDS_MS),
    settings: {
      dialect,
      defaultLimit: 25,
      maxLimit: 100,
      linkBase: '',
      maxRepeated: 100,
      home: { shard: 0n, realm: 0n },
    },
    maxRangeNanos,
  });
  const seen: string[] = [];
  let url: string | null = printQuery(query);
  for (let pages = 0; url !== null; pages++) {
    expect(pages).toBeLessThan(40);
    const answer = await listTransactions(url);
    const { next } = answer;
    const page = JSON.parse(printPage(answer).toString()) as {
      readonly transactions: readonly { readonly consensus_timestamp: string }[];
      readonly links: { readonly next: string | null };
    };
    expect(next).not.toBe(url);
    expect(page.links.next).toBe(next);
    if (dialect === 'spec' && maxRangeNanos === null && pages > 0) expect(page.transactions).not.toEqual([]);
    seen.push(...page.transactions.map((row) => row.consensus_timestamp));
    url = next;
  }
  return seen;
}

/**
 * Expects that following `next` visits exactly what a naive scan selects, in order, once: random queries of random
 * ledgers.
 *
 * @param open stores a ledger of its own.
 */
export function expectWholeWalks(
  { dialect, maxRangeNanos }: Omit<WalkedList, 'transactions'>,
  open: (ledger: readonly LedgerTransaction[]) => Promise<{
    readonly transactions: MirrorStore['transactions'];
    close(): Promise<void> | void;
  }>,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(
      randomLedger,
      fc.array(randomQuery, { minLength: 4, maxLength: 8 }),
      async (ledger, queries) => {
        // An empty ledger begins at time 0: more windows than anybody follows.
        fc.pre(maxRangeNanos === null || ledger.length > 0);
        const opened = await open(ledger);
        try {
          for (const query of queries) {
            const expected = ledger
              .filter((transaction) => isSelected(transaction, query))
              .map((transaction) => printTimestamp(transaction.consensusTimestamp));
            if (query.order === 'desc') expected.reverse();
            const list = { dialect, maxRangeNanos, transactions: opened.transactions };
            expect(await walk(query, list), printQuery(query)).toEqual(expected);
          }
        } finally {
          await opened.close();
        }
      },
    ),
    // Most of the time goes into databases, of which PostgreSQL makes few in a second.
    { numRuns: usesPostgres() ? 10 : 40 },
  );
}
