import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../storage/database-url.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Clock } from '../../values/clock.ts';
import type { Hex } from '../../values/hex.ts';
import { failure } from '../job-failure.ts';
import { createSqliteVerifyRepositories } from '../repositories.sqlite.ts';
import type { Submission } from '../submission.ts';
import { aCompilation, aMatch } from '../testing/a-verification.ts';
import { serveArea } from '../testing/serve-area.ts';
import { JobCompletions } from './job-completions.ts';
import { JobDispatcher } from './job-dispatcher.ts';
import type { ClaimedJob } from './job-repository.ts';
import { NO_BYTECODES, type VerificationResult } from './verification-result.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as Hex;
const SUBMISSION: Submission = {
  kind: 'standard_json',
  input: { language: 'Solidity', sources: { 'a.sol': { content: '' } } },
  compilerVersion: '0.8.30',
  target: { path: 'a.sol', name: 'A' },
  creationTransactionHash: null,
};

let database: SqliteDatabase | undefined;
afterEach(() => database?.close());

function aQueue() {
  database = openDatabase('sqlite::memory:');
  const { jobs, contracts } = createSqliteVerifyRepositories(database);
  const insert = (address: Hex = ADDRESS, maxWaiting = 10, id = randomUUID()) =>
    jobs.insert({ id, chainId: '1', address, startedAt: 1000, submission: SUBMISSION }, maxWaiting);
  return { jobs, contracts, insert };
}

const lease = (owner: string, now: number) => ({ owner, now, until: now + 100 });
const failed: VerificationResult = {
  kind: 'failed',
  failure: failure('compiler_error', { compilerErrorMessage: 'no' }),
  bytecodes: NO_BYTECODES,
};

describe('the queue of verifications', () => {
  test('takes one unfinished job per chain and address', async () => {
    const { jobs, insert } = aQueue();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => insert()));
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(19);
    const job = await jobs.claim(lease('a', 1000));
    await jobs.complete(job?.id ?? '', 'a', failed, { now: 2000, errorId: randomUUID() });
    expect(await insert()).toBe('inserted');
  });

  test('refuses a second unfinished job in the database itself', () => {
    aQueue();
    const insert = database?.prepare(
      'INSERT INTO verification_job (id, chain_id, address, started_at) VALUES (?, ?, ?, 0)',
    );
    insert?.run('a', '1', Buffer.from('ab', 'hex'));
    expect(() => insert?.run('b', '1', Buffer.from('ab', 'hex'))).toThrow(/UNIQUE/);
  });

  test('is bounded', async () => {
    const { insert } = aQueue();
    expect(await insert(ADDRESS, 1)).toBe('inserted');
    expect(await insert(`0x${'cd'.repeat(20)}`, 1)).toBe('queue_full');
  });

  test('gives a job to one owner until its lease ends', async () => {
    const { jobs, insert } = aQueue();
    await insert();
    const first = await jobs.claim(lease('a', 1000));
    expect(first).toMatchObject({ claims: 1, address: ADDRESS, submission: SUBMISSION });
    expect(await jobs.claim(lease('b', 1050))).toBeNull();
    expect(await jobs.heartbeat(first?.id ?? '', lease('a', 1090))).toBe(true);
    expect(await jobs.claim(lease('b', 1150))).toBeNull();
    expect(await jobs.claim(lease('b', 1191))).toMatchObject({ id: first?.id, claims: 2 });
    const end = { now: 1200, errorId: randomUUID() };
    expect(await jobs.complete(first?.id ?? '', 'a', failed, end)).toBe('lost');
    expect(await jobs.find(first?.id ?? '')).toMatchObject({ finishedAt: null });
  });

  test('does not count a claim that was given back in order', async () => {
    const { jobs, insert } = aQueue();
    await insert();
    const job = await jobs.claim(lease('a', 1000));
    await jobs.release(job?.id ?? '', 'a');
    expect(await jobs.claim(lease('b', 1001))).toMatchObject({ claims: 1 });
  });

  test('drops the input of a finished job and keeps its record', async () => {
    const { jobs, insert } = aQueue();
    await insert();
    const job = await jobs.claim(lease('a', 1000));
    const errorId = randomUUID();
    await jobs.complete(job?.id ?? '', 'a', failed, { now: 2000, errorId });
    expect(await jobs.find(job?.id ?? '')).toMatchObject({
      finishedAt: 2000,
      match: null,
      error: { id: errorId, code: 'compiler_error', data: { compilerErrorMessage: 'no' } },
    });
    expect(database?.prepare('SELECT count(*) AS n FROM verification_job_input').get()).toEqual({ n: 0 });
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
        const job = await jobs.claim(lease('a', now));
        const compilation = aCompilation({ comment: String(now) });
        const result = aMatch({ compilation, runtime, creation });
        await jobs.complete(job?.id ?? '', 'a', result, { now, errorId: randomUUID() });
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
      const job = await jobs.claim(lease('a', index));
      const result = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
      await jobs.complete(job?.id ?? '', 'a', result, { now: index, errorId: randomUUID() });
    }
    const ids = async (sort: 'asc' | 'desc', limit: number, afterMatchId: bigint | null) =>
      (await contracts.listMatchesOfChain('1', { sort, limit, afterMatchId })).map(({ matchId }) => matchId);
    expect(await ids('desc', 3, null)).toEqual([5n, 4n, 3n]);
    expect(await ids('desc', 2, 4n)).toEqual([3n, 2n]);
    expect(await ids('asc', 2, 1n)).toEqual([2n, 3n]);
  });
});

describe('JobDispatcher', () => {
  function aDispatcher(
    run: (job: ClaimedJob) => Promise<VerificationResult>,
    clock: Clock = { now: () => 1000 },
  ) {
    const queue = aQueue();
    const faults: unknown[] = [];
    const completions = new JobCompletions();
    const dispatcher = new JobDispatcher({
      repository: queue.jobs,
      completions,
      run,
      clock,
      newId: randomUUID,
      concurrency: 2,
      leaseMs: 30_000,
      observer: { finished() {}, faulted: (_job, error) => faults.push(error) },
    });
    return { ...queue, dispatcher, completions, faults };
  }

  test('runs a job once although its lease ran out while the process stood still', async () => {
    let now = 1000;
    let runs = 0;
    const end = deferred();
    const { jobs, insert, dispatcher } = aDispatcher(
      async () => {
        runs++;
        await end.promise;
        return failed;
      },
      { now: () => now },
    );
    // The queue is ordered by id: the job whose lease ran out is claimed first.
    const id = '00000000-0000-4000-8000-000000000000';
    const other = 'ffffffff-0000-4000-8000-000000000000';
    await insert(ADDRESS, 10, id);
    await dispatcher.start();
    while (runs < 1) await new Promise((resolve) => setImmediate(resolve));
    now += 60_000;
    dispatcher.wake();
    await insert(`0x${'cd'.repeat(20)}`, 10, other);
    dispatcher.wake();
    while (runs < 2) await new Promise((resolve) => setImmediate(resolve));
    end.resolve(undefined);
    for (const each of [id, other]) {
      while ((await jobs.find(each))?.finishedAt === null) await dispatcher.idle();
    }
    expect(runs).toBe(2);
    await dispatcher.close();
  });

  test('gives a job up that was claimed three times without an end', async () => {
    const { jobs, insert, dispatcher } = aDispatcher(async () => failed);
    const id = randomUUID();
    await insert(ADDRESS, 10, id);
    for (let claim = 0; claim < 3; claim++) {
      await jobs.claim(lease('killed', 1000));
      await jobs.requeueAll();
    }
    await dispatcher.start();
    await dispatcher.idle();
    expect(await jobs.find(id)).toMatchObject({ error: { code: 'job_abandoned' } });
    await dispatcher.close();
  });

  test('ends a job that threw as internal_error and goes on', async () => {
    const { jobs, insert, dispatcher, faults } = aDispatcher(async () => {
      throw new Error('broken');
    });
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, id] of ids.entries()) await insert(`0x${String(index).padStart(40, '0')}`, 10, id);
    await dispatcher.start();
    for (const id of ids) {
      // Three jobs on two places: the last one begins when another has ended.
      while ((await jobs.find(id))?.finishedAt === null) await dispatcher.idle();
      expect(await jobs.find(id)).toMatchObject({ error: { code: 'internal_error' } });
    }
    expect(faults).toHaveLength(3);
    await dispatcher.close();
  });

  test('gives running jobs back when it closes', async () => {
    const started = deferred();
    const never = new Promise<VerificationResult>(() => {});
    const { jobs, insert, dispatcher } = aDispatcher(async () => {
      started.resolve(undefined);
      return never;
    });
    await insert();
    await dispatcher.start();
    await started.promise;
    await dispatcher.close();
    expect(await jobs.count()).toEqual({ waiting: 1, running: 0 });
    expect(await jobs.claim(lease('next', 1000))).toMatchObject({ claims: 1 });
  });
});

describe('JobCompletions', () => {
  test('lets the first request of a running job wait, and forgets the job when it ends', async () => {
    const completions = new JobCompletions();
    const running = async () => false;
    await completions.waitOnce('a', 1, running);
    await completions.waitOnce('a', 60_000, running);
    expect(completions.size).toBe(1);
    completions.announce('a');
    expect(completions.size).toBe(0);
    await completions.waitOnce('b', 60_000, async () => true);
    expect(completions.size).toBe(0);
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

function deferred() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
