import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  ADDRESS,
  ANY_JOB,
  aLease,
  anEnd,
  aQueue,
  closeQueues,
  FAILED,
  OTHER_ADDRESS,
  SUBMISSION,
} from '../../testing/a-queue.ts';
import { aCompilation, aMatch } from '../../testing/a-verification.ts';
import { serveArea } from '../../testing/serve-area.ts';
import { NO_BYTECODES } from '../results/verification-result.ts';

afterEach(closeQueues);

describe('the queue of verifications', () => {
  test('takes one unfinished job per chain and address', async () => {
    const { jobs, insert } = aQueue();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => insert()));
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(19);
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    await jobs.complete(job?.id ?? '', 'a', FAILED, anEnd(2000));
    expect(await insert()).toBe('inserted');
  });

  test('refuses a second unfinished job in the database itself', () => {
    const { database } = aQueue();
    const insert = database.prepare(
      'INSERT INTO verification_job (id, chain_id, address, started_at) VALUES (?, ?, ?, 0)',
    );
    insert.run('a', '1', Buffer.from('ab', 'hex'));
    expect(() => insert.run('b', '1', Buffer.from('ab', 'hex'))).toThrow(/UNIQUE/);
  });

  test('is bounded by the number of waiting jobs', async () => {
    const { insert } = aQueue();
    const one = { jobs: 1, bytes: 1_000_000 };
    expect(await insert(ADDRESS, { limits: one })).toBe('inserted');
    expect(await insert(OTHER_ADDRESS, { limits: one })).toBe('too_many_jobs');
  });

  test('is bounded by the bytes of the waiting input, but takes any job when none waits', async () => {
    const { jobs, insert, database } = aQueue();
    const limits = { jobs: 10, bytes: 200 };
    expect(await insert(ADDRESS, { limits: { jobs: 10, bytes: 1 } })).toBe('inserted');
    expect(database.prepare('SELECT input_bytes AS n FROM verification_job').get()).toEqual({
      n: Buffer.byteLength(JSON.stringify(SUBMISSION)),
    });
    expect(await insert(OTHER_ADDRESS, { limits })).toBe('too_many_bytes');
    await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(await insert(OTHER_ADDRESS, { limits })).toBe('inserted');
  });

  test('passes over a job whose input is gone, as when another process cancels it meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-queue-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'l.sqlite');
    const { insert, database } = aQueue(file);
    const [gone, next] = ['a'.repeat(36), 'b'.repeat(36)];
    await insert(ADDRESS, { id: gone });
    await insert(OTHER_ADDRESS, { id: next });
    database.prepare('DELETE FROM verification_job_input WHERE job_id = ?').run(gone);
    expect(await aQueue(file).jobs.claim(aLease('other', 1000), ANY_JOB)).toMatchObject({ id: next });
    closeQueues();
  });

  test('tells each waiting job its place', async () => {
    const { jobs, insert } = aQueue();
    const ids = ['c', 'a', 'b'].map((letter) => letter.repeat(36));
    const [first = '', second = '', third = ''] = ids;
    await insert(`0x${'1'.repeat(40)}`, { id: first, startedAt: 1 });
    await insert(`0x${'2'.repeat(40)}`, { id: second, startedAt: 2 });
    await insert(`0x${'3'.repeat(40)}`, { id: third, startedAt: 2 });
    const places = async () => Promise.all(ids.map(async (id) => (await jobs.find(id))?.queuePosition));
    expect(await places()).toEqual([1, 2, 3]);
    await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(await places()).toEqual([null, 1, 2]);
    await jobs.cancel(second, anEnd(2000));
    expect(await places()).toEqual([null, null, 1]);
  });

  test('reads places and the size of the queue from an index alone', async () => {
    const { database } = aQueue();
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT count(*), sum(input_bytes) FROM verification_job AS ahead
         WHERE ahead.finished_at IS NULL AND ahead.lease_owner IS NULL
           AND (ahead.started_at, ahead.id) < (1, 'a')`,
      )
      .all() as { readonly detail: string }[];
    expect(plan.map(({ detail }) => detail).join()).toMatch(/USING COVERING INDEX verification_job_waiting/);
  });

  test('cancels a job once; no result of it is stored afterwards', async () => {
    const { jobs, contracts, insert, database } = aQueue();
    await insert();
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    const id = job?.id ?? '';
    expect(await jobs.cancel(id, anEnd(1500))).toEqual({
      kind: 'cancelled',
      job: { id, chainId: '1', address: ADDRESS },
    });
    const result = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
    expect(await jobs.complete(id, 'a', result, anEnd(2000))).toBe('lost');
    expect(await jobs.heartbeat(id, aLease('a', 2000))).toBe(false);
    expect(await contracts.findMatch('1', ADDRESS)).toBeNull();
    expect(await jobs.find(id)).toMatchObject({ finishedAt: 1500, error: { code: 'job_cancelled' } });
    expect(database.prepare('SELECT count(*) AS n FROM verification_job_input').get()).toEqual({ n: 0 });
    expect(await jobs.cancel(id, anEnd(3000))).toEqual({ kind: 'finished' });
    expect(await jobs.cancel('nobody', anEnd(3000))).toEqual({ kind: 'unknown' });
    expect(await insert()).toBe('inserted');
  });

  test('takes jobs back whose holder is gone or whose lease has ended, and no others', async () => {
    const { jobs, insert } = aQueue();
    const addresses = ['1', '2', '3'].map((digit): `0x${string}` => `0x${digit.repeat(40)}`);
    for (const [index, address] of addresses.entries()) await insert(address, { startedAt: index });
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.claim(aLease('living', 1000), ANY_JOB);
    await jobs.claim({ owner: 'late', now: 0, until: 10 }, ANY_JOB);
    expect(await jobs.takeBack((owner) => owner === 'gone', 1050)).toBe(2);
    expect(await jobs.count()).toEqual({ waiting: 2, running: 1 });
  });

  test('gives a suspect to an idle process alone, and nothing else while one waits', async () => {
    const { jobs, insert } = aQueue();
    const addresses = ['1', '2', '3'].map((digit): `0x${string}` => `0x${digit.repeat(40)}`);
    for (const [index, address] of addresses.entries()) await insert(address, { startedAt: index });
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.takeBack((owner) => owner === 'gone', 1000);
    expect(await jobs.claim(aLease('busy', 1000), { ...ANY_JOB, isIdle: false })).toBeNull();
    const suspect = { isSuspect: true, loneCrashes: 0 };
    const first = await jobs.claim(aLease('idle', 1000), ANY_JOB);
    expect(first).toMatchObject({ address: addresses[0], ...suspect });
    await jobs.takeBack((owner) => owner === 'idle', 1000);
    // It was alone this time: it waits longer than the other.
    expect(await jobs.claim(aLease('b', 1000), ANY_JOB)).toMatchObject({ address: addresses[1], ...suspect });
    const young = { ...ANY_JOB, maxLoneCrashes: 0 };
    expect(await jobs.claim(aLease('c', 1000), young)).toMatchObject({
      address: addresses[2],
      isSuspect: false,
    });
    expect(await jobs.claim(aLease('d', 1000), young)).toBeNull();
    expect(await jobs.claim(aLease('d', 1000), ANY_JOB)).toMatchObject({ id: first?.id, loneCrashes: 1 });
  });

  test('keeps the warnings of the submission and those given until the end', async () => {
    const { jobs, insert } = aQueue();
    await insert(ADDRESS, { warnings: ['spelling'] });
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(job?.warnings).toEqual(['spelling']);
    await jobs.complete(job?.id ?? '', 'a', FAILED, { ...anEnd(2000), warnings: ['spelling', 'later'] });
    expect(await jobs.find(job?.id ?? '')).toMatchObject({ warnings: ['spelling', 'later'] });
  });

  test('drops old bytecodes in batches and keeps the job records', async () => {
    const { jobs, insert } = aQueue();
    const onchainRuntime = Buffer.from('60', 'hex');
    const withCode = { ...FAILED, bytecodes: { ...NO_BYTECODES, onchainRuntime } };
    const ids: string[] = [];
    for (const now of [1000, 2000, 3000]) {
      await insert();
      const id = (await jobs.claim(aLease('a', now), ANY_JOB))?.id ?? '';
      await jobs.complete(id, 'a', withCode, anEnd(now));
      ids.push(id);
    }
    expect(await jobs.dropBytecodes(3000, 1)).toBe(1);
    expect(await jobs.dropBytecodes(3000, 10)).toBe(1);
    expect(await jobs.dropBytecodes(3000, 10)).toBe(0);
    const codes = await Promise.all(ids.map(async (id) => (await jobs.find(id))?.bytecodes.onchainRuntime));
    expect(codes).toEqual([null, null, onchainRuntime]);
    expect(await jobs.find(ids[0] ?? '')).toMatchObject({ error: { code: 'compiler_error' } });
  });

  test('gives a job to one owner until its lease ends', async () => {
    const { jobs, insert } = aQueue();
    await insert();
    const first = await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(first).toMatchObject({ isSuspect: false, address: ADDRESS, submission: SUBMISSION });
    expect(await jobs.claim(aLease('b', 1050), ANY_JOB)).toBeNull();
    expect(await jobs.heartbeat(first?.id ?? '', aLease('a', 1090))).toBe(true);
    expect(await jobs.claim(aLease('b', 1150), ANY_JOB)).toBeNull();
    expect(await jobs.takeBack(() => false, 1190)).toBe(0);
    expect(await jobs.takeBack(() => false, 1191)).toBe(1);
    expect(await jobs.claim(aLease('b', 1191), ANY_JOB)).toMatchObject({ id: first?.id, loneCrashes: 1 });
    const end = anEnd(1200);
    expect(await jobs.complete(first?.id ?? '', 'a', FAILED, end)).toBe('lost');
    expect(await jobs.find(first?.id ?? '')).toMatchObject({ finishedAt: null });
  });

  test('does not suspect a job that was given back in order', async () => {
    const { jobs, insert } = aQueue();
    await insert();
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    await jobs.release(job?.id ?? '', 'a');
    expect(await jobs.claim(aLease('b', 1001), ANY_JOB)).toMatchObject({ isSuspect: false, loneCrashes: 0 });
  });

  test('drops the input of a finished job and keeps its record', async () => {
    const { jobs, insert, database } = aQueue();
    await insert();
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    const errorId = '6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04';
    await jobs.complete(job?.id ?? '', 'a', FAILED, { ...anEnd(2000), errorId });
    expect(await jobs.find(job?.id ?? '')).toMatchObject({
      finishedAt: 2000,
      match: null,
      error: { id: errorId, code: 'compiler_error', data: { compilerErrorMessage: 'no' } },
    });
    expect(database.prepare('SELECT count(*) AS n FROM verification_job_input').get()).toEqual({ n: 0 });
  });
});

describe('storing a verification', () => {
  test.each([
    ['match', null, 'match', 'match', true],
    ['match', 'match', 'exact_match', 'match', true],
    ['exact_match', null, 'exact_match', 'match', true],
    ['exact_match', 'match', 'match', 'exact_match', false],
    ['match', 'match', 'match', 'match', false],
    ['exact_match', null, 'exact_match', null, false],
  ] as const)(
    'stored %s/%s, new %s/%s (runtime/creation): replaced %s',
    async (r1, c1, r2, c2, isReplaced) => {
      const { jobs, contracts, insert } = aQueue();
      const complete = async (
        runtime: typeof r1 | typeof r2,
        creation: typeof c1 | typeof c2,
        now: number,
      ) => {
        await insert();
        const job = await jobs.claim(aLease('a', now), ANY_JOB);
        const compilation = aCompilation({ comment: String(now) });
        const result = aMatch({ compilation, runtime, creation });
        await jobs.complete(job?.id ?? '', 'a', result, anEnd(now));
        return jobs.find(job?.id ?? '');
      };
      const first = await complete(r1, c1, 1000);
      expect(first).toMatchObject({ error: null, match: { runtime: r1, creation: c1, matchId: 1n } });
      const second = await complete(r2, c2, 5000);
      const stored = await contracts.findContract('1', ADDRESS);
      expect(stored?.match).toMatchObject({ matchId: 1n, verifiedAt: 1000 });
      if (isReplaced) {
        expect(second).toMatchObject({ error: null, match: { runtime: r2, creation: c2, matchId: 1n } });
        expect(stored?.match).toMatchObject({ runtime: r2, creation: c2 });
        expect(stored?.sources['a.sol']?.content).toBe('5000');
      } else {
        expect(second).toMatchObject({ match: null, error: { code: 'already_verified' } });
        expect(stored?.match).toMatchObject({ runtime: r1, creation: c1 });
        expect(stored?.sources['a.sol']?.content).toBe('1000');
      }
    },
  );

  test('lists the contracts of a chain in both directions', async () => {
    const { jobs, contracts, insert } = aQueue();
    for (let index = 1; index <= 5; index++) {
      await insert(`0x${String(index).padStart(40, '0')}`);
      const job = await jobs.claim(aLease('a', index), ANY_JOB);
      const result = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
      await jobs.complete(job?.id ?? '', 'a', result, anEnd(index));
    }
    const ids = async (sort: 'asc' | 'desc', limit: number, afterMatchId: bigint | null) =>
      (await contracts.listMatchesOfChain('1', { sort, limit, afterMatchId })).map(({ matchId }) => matchId);
    expect(await ids('desc', 3, null)).toEqual([5n, 4n, 3n]);
    expect(await ids('desc', 2, 4n)).toEqual([3n, 2n]);
    expect(await ids('asc', 2, 1n)).toEqual([2n, 3n]);
  });
});

describe('submissions at the limit', () => {
  test('are refused with 429 for the same address and 503 when the queue is full', async () => {
    const pending = new Promise<Response>(() => {});
    const served = await serveArea({
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: () => pending,
      runningJobs: 1,
      queueLimit: 1,
      firstPollMs: 0,
    });
    try {
      const post = (address: string) =>
        served.app.inject({
          method: 'POST',
          url: `/v2/verify/1/${address}`,
          payload: {
            stdJsonInput: SUBMISSION.input,
            compilerVersion: '0.8.30',
            contractIdentifier: 'a.sol:A',
          },
        });
      const running = await post(`0x${'1'.repeat(40)}`);
      while ((await served.area.repositories.jobs.count()).running === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const status = await served.app.inject(running.headers.location ?? '');
      expect(status.json()).toEqual({
        isJobCompleted: false,
        verificationId: running.json().verificationId,
        jobStartTime: expect.any(String),
        contract: {
          match: null,
          creationMatch: null,
          runtimeMatch: null,
          chainId: '1',
          address: `0x${'1'.repeat(40)}`,
        },
        stage: 'fetching',
      });
      expect((await post(`0x${'2'.repeat(40)}`)).statusCode).toBe(202);
      const duplicate = await post(`0x${'1'.repeat(40)}`);
      expect(duplicate.statusCode).toBe(429);
      expect(duplicate.json()).toMatchObject({ customCode: 'duplicate_verification_request' });
      const busy = await post(`0x${'3'.repeat(40)}`);
      expect(busy.statusCode).toBe(503);
      expect(busy.headers['retry-after']).toMatch(/^\d+$/);
      expect(busy.json()).toMatchObject({ customCode: 'server_busy' });
    } finally {
      // Closing does not wait for a chain that never answers.
      await served.close();
    }
  });

  test('an unreachable chain ends the job with cannot_fetch_bytecode', async () => {
    const served = await serveArea({
      chainsJson: '{"1":{"rpc":["http://chain.test"]}}',
      fetch: async () => new Response('down', { status: 502 }),
    });
    const accepted = await served.app.inject({
      method: 'POST',
      url: `/v2/verify/1/${ADDRESS}`,
      payload: { stdJsonInput: SUBMISSION.input, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' },
    });
    const job = await served.app.inject(accepted.headers.location ?? '');
    expect(job.json().error).toMatchObject({ customCode: 'cannot_fetch_bytecode' });
    await served.close();
  });
});
