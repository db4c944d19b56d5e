import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { networkState, thirtyTransactions } from '../../test/kit/mirror/seed-fixtures.ts';
import { fixtureUnit } from './ledger/fixture-unit.ts';

/** @see contracts/client-needs.md section 4.1 */
describe('requests of web explorers, SDKs and relays', () => {
  let mirror: MirrorApp;

  beforeAll(async () => {
    mirror = await buildMirrorApp({ dialect: 'hiero' });
    await mirror.area.ledger.commitUnit(fixtureUnit('all', { ...networkState(), ...thirtyTransactions() }));
  });
  afterAll(() => mirror.close());

  const body = async (path: string) => {
    const answer = await mirror.app.inject(`/api/v1/${path}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json() as Record<string, never> & {
      readonly transactions: readonly { readonly consensus_timestamp: string }[];
    };
  };

  test.each([
    ['transactions?limit=15&order=desc', 15],
    ['transactions?limit=15&order=desc&timestamp=gte:1700000029.000000000', 2],
    ['transactions?limit=100&order=desc&timestamp=lt:1700000021.000000000', 20],
    ['transactions?timestamp=1700000007.000000000', 1],
    ['transactions?timestamp=1700000007.000000001', 0],
    ['transactions?limit=10&order=desc&account.id=0.0.1001', 10],
    ['transactions?limit=15&order=desc&transactiontype=CONSENSUSCREATETOPIC&result=success', 0],
    ['transactions?limit=15&order=desc&transactiontype=HISTORYPROOFVOTE', 0],
    [
      'transactions?account.id=0.0.1002&order=asc&timestamp=gte:1700000001.000000000&timestamp=lt:1700000009.000000000&limit=100',
      4,
    ],
  ])('%s lists %d', async (path, count) => {
    expect((await body(path)).transactions).toHaveLength(count);
  });

  test.each([
    ['network/exchangerate?timestamp=1795254478.53', 'timestamp', '1700000001.000000000'],
    ['network/exchangerate?timestamp=1600000000', 'timestamp', '1700000001.000000000'],
    ['network/exchangerate', 'timestamp', '1700000001.000000000'],
    ['network/supply?timestamp=1795254478.53', 'released_supply', '1000000000000000000'],
    ['network/supply?timestamp=9999999999.999999999', 'timestamp', '1700000004.000000000'],
    ['network/supply?timestamp=1600000000.5', 'timestamp', '1700000004.000000000'],
    ['network/fees?timestamp=1795254478.000000000&order=desc', 'timestamp', '1700000002.000000000'],
    ['network/stake', 'staking_period_duration', 1440],
  ])('%s answers %s %s', async (path, member, value) => {
    expect(await body(path)).toMatchObject({ [member]: value });
  });

  test.each(['network/nodes?limit=100', 'network/nodes?file.id=0.0.102&limit=25'])(
    '%s lists the address book to its end',
    async (path) => {
      expect(await body(path)).toMatchObject({ nodes: [{ node_id: 0 }], links: { next: null } });
    },
  );

  test('following the links from the newest page reaches every transaction once', async () => {
    const seen: string[] = [];
    let next: string | null = '/api/v1/transactions?limit=7&order=desc';
    while (next !== null) {
      const answer = (await mirror.app.inject(next)).json() as {
        readonly transactions: readonly { readonly consensus_timestamp: string }[];
        readonly links: { readonly next: string | null };
      };
      seen.push(...answer.transactions.map((row) => row.consensus_timestamp));
      next = answer.links.next;
    }
    expect(new Set(seen).size).toBe(30);
    expect(seen).toHaveLength(30);
  });

  test('readiness names the sources of the ledger, its accepted gaps and its missing sidecars', () => {
    expect(mirror.area.readiness()).toEqual({
      ready: true,
      members: {
        ingest: [],
        acceptedGaps: [],
        missingSidecars: { units: 0, sidecars: 0 },
        rebuildWanted: null,
      },
    });
  });
});
