import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../values/consensus-timestamp.ts';
import { entityId } from '../values/entity-id.ts';
import {
  createKeptAnswers,
  type FoundAnswer,
  foundText,
  type KeptAnswers,
  type LedgerStamp,
} from './kept-answers.ts';
import { fixtureTransaction, fixtureUnit } from './ledger/fixture-unit.ts';

/** Answers that tell how often they were read, and with which stamps the ledger was told to have changed. */
function keptOver(stamp: LedgerStamp): KeptAnswers & { readonly changes: () => number } {
  let changes = 0;
  const kept = createKeptAnswers({
    stamp,
    watermark: Object.assign(() => null, { forget: () => undefined }),
    changed: () => {
      changes += 1;
    },
  });
  return { ...kept, changes: () => changes };
}

const found = (body: string): FoundAnswer => foundText('/a', { body, maxAgeSeconds: 1 });

describe('createKeptAnswers', () => {
  test.each([
    '/api/v1/transactions',
    '/api/v1/transactions?limit=25',
    '/api/v1/transactions?limit=25&order=desc',
    '/api/v1/transactions?order=desc',
  ])('keeps %s until the ledger changes', (target) => {
    let stamp = '1';
    const kept = keptOver(() => stamp);
    const first = kept.answer(target, () => found('first'));
    expect(kept.answer(target, () => expect.unreachable())).toBe(first);
    expect(kept.known(target)).toBe(first);
    stamp = '2';
    kept.forget();
    expect(kept.known(target)).toBeNull();
    expect(kept.answer(target, () => found('second'))).toMatchObject({ body: 'second' });
    expect(kept.changes()).toBe(2);
  });

  test.each([
    '/api/v1/transactions?timestamp=lt:5',
    '/api/v1/transactions?order=asc',
    '/api/v1/transactions?limit=25&account.id=0.0.5',
    '/api/v1/transactions?result=fail',
    '/x/../api/v1/transactions',
    '//api/v1/transactions',
  ])('reads %s anew, without asking the ledger', (target) => {
    const kept = keptOver(() => expect.unreachable());
    for (const body of ['first', 'second']) {
      expect(kept.answer(target, () => found(body))).toMatchObject({ body });
    }
    expect(kept.known(target)).toBeNull();
  });

  test('keeps a bounded number of answers, none that is large, and no failure', () => {
    const kept = keptOver(() => '1');
    const refused = () => {
      throw new Error('refused');
    };
    expect(() => kept.answer('/api/v1/a', refused)).toThrow('refused');
    kept.answer('/api/v1/a', () => found('first'));
    kept.answer('/api/v1/large', () => found('x'.repeat(131_073)));
    expect(kept.known('/api/v1/large')).toBeNull();
    expect(kept.known('/api/v1/a')).toMatchObject({ body: 'first' });
    for (let limit = 1; limit <= 40; limit++) kept.answer(`/api/v1/a?limit=${limit}`, () => found('more'));
    expect(kept.known('/api/v1/a')).toBeNull();
  });

  test('a commit during the reading counts as a change', () => {
    let stamp = '1';
    const kept = keptOver(() => stamp);
    kept.answer('/api/v1/a', () => {
      stamp = '2';
      return found('old');
    });
    kept.forget();
    expect(kept.answer('/api/v1/a', () => found('new'))).toMatchObject({ body: 'new' });
  });

  test('finds out what another process changed, but looks once for those who come together', async () => {
    let [stamp, looks] = ['1', 0];
    const kept = keptOver(() => {
      looks += 1;
      return stamp;
    });
    for (let client = 0; client < 50; client += 1) kept.answer('/api/v1/a', () => found('old'));
    expect(looks).toBeLessThan(50);
    stamp = '2';
    await setTimeout(5);
    expect(kept.answer('/api/v1/a', () => found('new'))).toMatchObject({ body: 'new' });
  });

  test('keeps an answer that has to be waited for, unless it fails', async () => {
    const kept = keptOver(async () => '1');
    const away = () => Promise.reject(new Error('away'));
    await expect(kept.answer('/api/v1/a', away)).rejects.toThrow('away');
    const first = await kept.answer('/api/v1/a', async () => found('first'));
    expect(await kept.answer('/api/v1/a', async () => found('second'))).toBe(first);
  });

  test('packs once for all who take gzip, and leaves the comparison of tags to the route', async () => {
    const kept = keptOver(() => '1');
    const page = await kept.answer('/api/v1/a', () => found(JSON.stringify('page '.repeat(1000))));
    const accepting = (...headers: readonly IncomingHttpHeaders[]) =>
      Promise.all(headers.map((each) => kept.direct(() => page, each)));
    const [packed, plain, again] = await accepting(
      { 'accept-encoding': 'gzip' },
      {},
      { 'accept-encoding': 'gzip' },
    );
    expect(packed?.headers).toContain('content-encoding');
    expect(plain?.headers).not.toContain('content-encoding');
    // Its bytes are made once.
    expect(again).toBe(packed);
    expect(kept.direct(() => page, { 'if-none-match': '*' })).toBeNull();
    expect(kept.direct(() => page, { 'accept-encoding': 'br' })).toBeNull();
    expect(kept.direct(() => null, {})).toBeNull();
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

  test('shows no block that was deleted, also one without transactions', async () => {
    const blocks = async () => {
      const { body } = await mirror.app.inject('/api/v1/blocks');
      return (JSON.parse(body) as { readonly blocks: readonly { readonly name: string }[] }).blocks.map(
        ({ name }) => name,
      );
    };
    for (const [place, second] of [1n, 2n, 300_000n].entries()) {
      const name = `block ${place}`;
      const transactions =
        second < 3n ? [] : [fixtureTransaction({ consensusTimestamp: at(second), payer: entityId(1001n) })];
      const unit = fixtureUnit(name, { transactions });
      const header = {
        ...unit.header,
        kind: 'record' as const,
        blockNumber: BigInt(place),
        consensusStart: at(second),
        consensusEnd: at(second),
      };
      await mirror.area.ledger.commitUnit({ ...unit, header });
    }
    expect(await blocks()).toHaveLength(3);
    await mirror.store.retention.prune(1);
    expect(await blocks()).toEqual(['block 2']);
  });
});
