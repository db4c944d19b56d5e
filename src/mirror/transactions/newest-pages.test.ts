import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureTransaction, fixtureUnit } from '../ledger/fixture-unit.ts';
import { createNewestPages } from './newest-pages.ts';

describe('createNewestPages', () => {
  test.each([
    '/api/v1/transactions',
    '/api/v1/transactions?limit=25',
    '/api/v1/transactions?limit=25&order=desc',
    '/api/v1/transactions?order=desc',
  ])('keeps %s until the ledger changes', (target) => {
    let [stamp, reads] = ['1', 0];
    const pages = createNewestPages<number>(() => stamp);
    expect([pages.page(target, () => ++reads), pages.page(target, () => ++reads)]).toEqual([1, 1]);
    stamp = '2';
    expect(pages.page(target, () => ++reads)).toBe(2);
  });

  test.each([
    '/api/v1/transactions?timestamp=lt:5',
    '/api/v1/transactions?order=asc',
    '/api/v1/transactions?limit=25&account.id=0.0.5',
    '/api/v1/transactions?result=fail',
  ])('reads %s anew, without asking the ledger', (target) => {
    let reads = 0;
    const pages = createNewestPages<number>(() => {
      throw new Error('asked');
    });
    expect([pages.page(target, () => ++reads), pages.page(target, () => ++reads)]).toEqual([1, 2]);
  });

  test('keeps a bounded number of pages, and no failure', () => {
    let reads = 0;
    const pages = createNewestPages<number>(() => '1');
    expect(() =>
      pages.page('/a', () => {
        throw new Error('refused');
      }),
    ).toThrow('refused');
    expect(pages.page('/a', () => ++reads)).toBe(1);
    for (let limit = 1; limit <= 40; limit++) pages.page(`/a?limit=${limit}`, () => ++reads);
    expect(pages.page('/a', () => ++reads)).toBe(42);
  });

  test('a commit during the reading of a page counts as a change', () => {
    let stamp = '1';
    const pages = createNewestPages<string>(() => stamp);
    pages.page('/a', () => {
      stamp = '2';
      return 'old';
    });
    expect(pages.page('/a', () => 'new')).toBe('new');
  });

  test('keeps a page that has to be waited for, unless it fails', async () => {
    const pages = createNewestPages<string>(async () => '1');
    await expect(pages.page('/a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await pages.page('/a', async () => 'first')).toBe('first');
    expect(await pages.page('/a', async () => 'second')).toBe('first');
  });
});

describe('the newest page of a server whose clock stands still', () => {
  const SECOND = 1_000_000_000n;
  let mirror: MirrorApp;
  beforeEach(async () => {
    mirror = await buildMirrorApp();
  });
  afterEach(() => mirror.close());

  const at = (second: bigint) => consensusTimestamp(1_600_000_000n * SECOND + second * SECOND);
  const store = (name: string, ...seconds: readonly bigint[]) =>
    mirror.area.ledger.commitUnit(
      fixtureUnit(name, {
        transactions: seconds.map((second) =>
          fixtureTransaction({ consensusTimestamp: at(second), payer: entityId(1001n) }),
        ),
      }),
    );
  const seconds = async () => {
    const { body } = await mirror.app.inject('/api/v1/transactions');
    const { transactions } = JSON.parse(body) as {
      readonly transactions: readonly { readonly consensus_timestamp: string }[];
    };
    return transactions.map((row) => Number(row.consensus_timestamp) - 1_600_000_000);
  };

  test('shows what was stored, also between older rows, and not what was deleted', async () => {
    expect(await seconds()).toEqual([]);
    await store('first', 1n, 5n);
    expect(await seconds()).toEqual([5, 1]);
    await store('late', 3n, 200_000n);
    expect(await seconds()).toEqual([200_000, 5, 3, 1]);
    await mirror.store.retention.prune(1);
    expect(await seconds()).toEqual([200_000]);
  });
});
