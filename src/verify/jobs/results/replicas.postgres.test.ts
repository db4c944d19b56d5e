import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { twoReplicas } from '../../../../test/kit/storage/two-replicas.ts';
import { ANY_JOB, aLease, anEnd, queueOn, type TestQueue } from '../../../../test/kit/verify/a-queue.ts';
import { aCompilation, aMatch } from '../../../../test/kit/verify/a-verification.ts';
import { type PostgresCluster, startPostgres } from '../../../../test/support/postgres.ts';
import { createPostgresWriter } from '../../../storage/postgres/postgres-writer.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import type { Hex } from '../../../values/hex.ts';
import { createVerifyStore } from '../../verify-store.sql.ts';
import { jobWrites } from '../queue/job-writes.sql.ts';
import type { MatchedVerification } from './verification-result.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster?.stop());

const open = (sql: Sql) => queueOn(createVerifyStore(sql, createPostgresWriter(sql, jobWrites(sql))));
const addressOf = (index: number): Hex => `0x${String(index).padStart(40, '0')}`;
const matched = (comment: string, changes: object = {}): MatchedVerification =>
  aMatch({ compilation: { ...aCompilation({ comment }), ...changes }, runtime: 'match', creation: null });

/** Takes a job of its own for an address. */
async function aClaim({ insert, jobs }: TestQueue, index: number): Promise<string> {
  const id = `job ${index}`;
  await insert(addressOf(index), { id, limits: { jobs: 1000, bytes: 1e9 } });
  await jobs.claim(aLease('a', 1000), ANY_JOB);
  return id;
}

/** Stores a contract, so that what all have in common, such as the empty code, is known already. */
async function aContract(queue: TestQueue): Promise<void> {
  const id = await aClaim(queue, 0);
  expect(await queue.jobs.complete(id, 'a', matched('an earlier one'), anEnd(0))).toBe('matched');
}

const anAbi = (names: readonly string[]) => names.map((name) => ({ type: 'function', name, inputs: [] }));

describe('two replicas that store at the same time', () => {
  test('the same compilation is stored once, and both contracts show it', async () => {
    const { first, second, pool, lock, waiting } = await twoReplicas(cluster, open);
    // Its codes are known already, by another version of the compiler.
    const compiler = { language: 'Solidity', version: '0.8.29+commit.ab55807c' };
    const other = matched('same', { compiler });
    expect(await first.jobs.complete(await aClaim(first, 0), 'a', other, anEnd(2000))).toBe('matched');
    const ids = [await aClaim(first, 1), await aClaim(first, 2)];
    const release = await lock('lock table source in exclusive mode');
    const result = matched('same', { abi: anAbi(['f']) });
    const one = first.jobs.complete(ids[0] ?? '', 'a', result, anEnd(2000));
    await waiting(1);
    const two = second.jobs.complete(ids[1] ?? '', 'a', result, anEnd(2000));
    await waiting(2);
    await release();
    expect([await one, await two]).toEqual(['matched', 'matched']);
    for (const index of [1, 2]) {
      const found = await second.contracts.findContract('1', addressOf(index));
      expect(found?.sources).toEqual({ 'a.sol': { content: 'same' } });
      expect(found?.signatures).toHaveLength(1);
    }
    const { rows } = await pool.query(
      'select version, count(*)::int from compiled_contract group by version',
    );
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toMatchObject({ count: 1 });
    for (const table of ['contract', 'runtime_shape', 'source', 'signature']) {
      const { rows } = await pool.query(`select count(*)::int from ${table}`);
      expect([table, rows]).toEqual([table, [{ count: 1 }]]);
    }
  });

  test('a shape of code is stored once', async () => {
    const { first, second, pool, lock, waiting } = await twoReplicas(cluster, open);
    await aContract(first);
    const ids = [await aClaim(first, 1), await aClaim(first, 2)];
    const release = await lock('lock table compilation_likeness in exclusive mode');
    const one = first.jobs.complete(ids[0] ?? '', 'a', matched('1'), anEnd(2000));
    await waiting(1);
    const two = second.jobs.complete(ids[1] ?? '', 'a', matched('2'), anEnd(2000));
    await waiting(2);
    await release();
    expect([await one, await two]).toEqual(['matched', 'matched']);
    const { rows } = await pool.query('select count(*)::int from runtime_shape');
    // And that of the earlier one.
    expect(rows).toEqual([{ count: 2 }]);
  });

  test('files and signatures in opposite orders make no deadlock', async () => {
    const { first, second, pool } = await twoReplicas(cluster, open);
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const filesOf = (order: readonly string[]) =>
      Object.fromEntries(order.map((name) => [`${name}.sol`, { content: `file ${name}` }]));
    for (let round = 0; round < 6; round++) {
      const orders = [names, [...names].reverse()].map((order) => order.map((name) => `${name}_${round}`));
      const ends = orders.map(async (order, index) => {
        const replica = index === 0 ? first : second;
        const input = { language: 'Solidity', sources: filesOf(order), settings: {} } as const;
        const id = await aClaim(replica, round * 2 + index);
        const result = matched(`${round} ${index}`, { input, abi: anAbi(order) });
        // Code of its own: aMatch() makes it of the one file that these have not.
        const code = Buffer.from(`${round} ${index}`);
        return () =>
          replica.jobs.complete(
            id,
            'a',
            { ...result, recompiledCreation: code, recompiledRuntime: code },
            anEnd(2000),
          );
      });
      const started = (await Promise.all(ends)).map((end) => end());
      expect(await Promise.all(started)).toEqual(['matched', 'matched']);
    }
    await pool.query('select pg_stat_force_next_flush()');
    const deadlocks = async () => {
      const { rows } = await pool.query(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      return rows[0]?.deadlocks;
    };
    expect(await deadlocks()).toBe(0);
  });

  test('matches become visible in the order of their numbers', async () => {
    const { first, second, pool, lock, waiting } = await twoReplicas(cluster, open);
    await aContract(first);
    const ids = [await aClaim(first, 1), await aClaim(first, 2)];
    // The first one stops between its match and its commit.
    await pool.query(
      `create function stop() returns trigger language plpgsql as $$
         begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
       create trigger stop after update on verification_job for each row
         when (new.id = 'job 1' and new.match_id is not null) execute function stop()`,
    );
    const release = await lock('select pg_advisory_xact_lock(1)');
    const list = () =>
      second.contracts.listMatchesOfChain('1', { sort: 'asc', limit: 10, afterMatchId: null });
    // They have nothing in common that one could wait for.
    const unlike = (text: string) => ({ ...matched(text), onchainRuntime: Buffer.from(`on chain ${text}`) });
    const one = first.jobs.complete(ids[0] ?? '', 'a', unlike('1'), anEnd(2000));
    await waiting(1);
    const two = second.jobs.complete(ids[1] ?? '', 'a', unlike('two'), anEnd(2000));
    await Promise.race([waiting(2), two]);
    expect(await list()).toHaveLength(1);
    await release();
    expect([await one, await two]).toEqual(['matched', 'matched']);
    expect((await list()).map(({ address }) => address)).toEqual([0, 1, 2].map(addressOf));
  });

  test('texts longer than an entry of an index are stored and found', async () => {
    const { first, second } = await twoReplicas(cluster, open);
    const id = await aClaim(first, 1);
    // No two parts are alike, so that nothing is compressed.
    const long = Array.from({ length: 4000 }, (_, index) => (index * 7919 ** 2).toString(36)).join('');
    const path = `${long}.sol`;
    const immutableReferences = {
      '1': Array.from({ length: 3000 }, (_, index) => ({ start: (index * 7919) % 24_000, length: 1 })),
    };
    const result = matched('long', {
      input: { language: 'Solidity', sources: { [path]: { content: 'x' } }, settings: {} },
      runtime: { object: '61', sourceMap: '', linkReferences: {}, immutableReferences },
      abi: anAbi([long, 'short']),
    });
    expect(await first.jobs.complete(id, 'a', result, anEnd(2000))).toBe('matched');
    expect(await second.contracts.findSource('1', addressOf(1), path)).toBe('x');
    expect((await second.contracts.findContract('1', addressOf(1)))?.signatures).toHaveLength(2);
    const listed = await second.signatures.listByText({ prefix: '', after: '', limit: 10 });
    expect(listed.map(({ signature }) => signature)).toEqual(['short()']);
    expect((await second.signatures.countAfter('', 10)).kinds).toEqual({ function: 1, event: 0, error: 0 });
  });
});
