import { describe, expect, test } from 'vitest';
import { ACCOUNTS, randomLedger } from '../../../test/kit/mirror/random-ledger.ts';
import * as fc from '../../../test/support/properties.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { ManualClock } from '../../values/clock.ts';
import { consensusTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { LedgerTransaction } from '../ledger/rows.ts';
import { printTransactionId } from '../ledger/transaction-json.ts';
import { findTransaction } from './find-transaction.ts';

const VALID_STARTS = [1_699_999_999_000_000_000n, 1_699_999_999_000_000_007n];
/** All begin alike: the stored prefix alone must not decide. */
const HASHES = [1, 2].map((end) => Buffer.alloc(48, 7).fill(end, 40));

/** A random ledger in which ids and hashes meet again. */
const ledger = fc
  .tuple(
    randomLedger,
    fc.infiniteStream(
      fc.record({
        validStart: fc.constantFrom(...VALID_STARTS).map(consensusTimestamp),
        hash: fc.constantFrom(...HASHES),
        scheduled: fc.boolean(),
      }),
    ),
  )
  .map(([transactions, members]) =>
    transactions.map((transaction): LedgerTransaction => ({ ...transaction, ...members.next().value })),
  );

describe('findTransaction', () => {
  test('finds by id and by hash exactly what a naive scan selects, oldest first', async () => {
    await fc.assert(
      fc.asyncProperty(ledger, async (transactions) => {
        const store = await openMemoryStore();
        try {
          await store.mirror.ledger.commitUnit(fixtureUnit('random', { transactions }));
          const dependencies = {
            transactions: store.mirror.transactions,
            clock: new ManualClock(0),
            maxRepeated: 100,
          };
          const find = async (key: string, query: string): Promise<readonly string[]> => {
            const answer = await findTransaction(key, `/api/v1/transactions/x?${query}`, dependencies).catch(
              (error: { readonly statusCode?: number }) => {
                if (error.statusCode !== 404) throw error;
                return null;
              },
            );
            if (answer === null) return [];
            const { transactions: rows } = JSON.parse(answer.json) as {
              readonly transactions: readonly { readonly consensus_timestamp: string }[];
            };
            return rows.map((row) => row.consensus_timestamp);
          };
          const times = (isWanted: (row: LedgerTransaction) => boolean) =>
            transactions.filter(isWanted).map((row) => printTimestamp(row.consensusTimestamp));

          for (const [query, isSelected] of SELECTIONS) {
            for (const payer of ACCOUNTS) {
              for (const start of VALID_STARTS) {
                expect(await find(printTransactionId(payer, start), query)).toEqual(
                  times((row) => row.payer === payer && row.validStart === start && isSelected(row)),
                );
              }
            }
            for (const hash of HASHES) {
              const wanted = times((row) => row.hash === hash);
              const selected = times((row) => row.hash === hash && isSelected(row));
              const newest = wanted.slice(25);
              const expected = selected.filter((time) => !newest.includes(time));
              for (const text of [
                hash.toString('hex'),
                hash.toString('base64'),
                hash.toString('base64url'),
              ]) {
                expect(await find(text, query)).toEqual(expected);
              }
            }
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: 30 },
    );
  });
});

const SELECTIONS: readonly (readonly [string, (row: LedgerTransaction) => boolean])[] = [
  ['', () => true],
  ['nonce=1', (row) => row.nonce === 1],
  ['scheduled=true', (row) => row.scheduled],
  ['nonce=0&scheduled=false', (row) => row.nonce === 0 && !row.scheduled],
];
