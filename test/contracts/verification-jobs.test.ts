import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Hex } from '../../src/values/hex.ts';
import type { QueueLimits } from '../../src/verify/jobs/queue/job-repository.ts';
import { withSubmissions } from '../../src/verify/jobs/queue/with-submissions.ts';
import { NO_BYTECODES } from '../../src/verify/jobs/results/verification-result.ts';
import {
  ADDRESS,
  ANY_JOB,
  aJob,
  aLease,
  anEnd,
  FAILED,
  type InsertOptions,
  OTHER_ADDRESS,
  SUBMISSION,
} from '../kit/verify/a-job.ts';
import { aCompilation, aMatch } from '../kit/verify/a-verification.ts';
import { isLeftOut } from '../support/left-out.ts';
import { forEachBackend, NOT_SHARED } from './backends.ts';

const THREE = ['1', '2', '3'].map((digit): Hex => `0x${digit.repeat(40)}`);

function queueOf({ verify }: Store) {
  const jobs = withSubmissions(verify.jobs);
  const insert = (address?: Hex, options: InsertOptions = {}) =>
    jobs.insert(aJob(address, options), options.limits ?? { jobs: 10, bytes: 1_000_000 });
  return { jobs, contracts: verify.contracts, insert };
}

forEachBackend('the queue of verifications', (begin, { isShared }) => {
  const open = async () => queueOf(await begin().open());

  test('takes one unfinished job per chain and address', async () => {
    const { jobs, insert } = await open();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => insert()));
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(19);
    expect(await jobs.hasUnfinished('1', ADDRESS)).toBe(true);
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    await jobs.complete(job?.id ?? '', 'a', FAILED, anEnd(2000));
    expect(await jobs.hasUnfinished('1', ADDRESS)).toBe(false);
    expect(await insert()).toBe('inserted');
  });

  test('is bounded by the number of waiting jobs', async () => {
    const { insert } = await open();
    const one = { jobs: 1, bytes: 1_000_000 };
    expect(await insert(ADDRESS, { limits: one })).toBe('inserted');
    expect(await insert(OTHER_ADDRESS, { limits: one })).toBe('too_many_jobs');
  });

  test('is bounded by the bytes of the waiting input, but takes any job when none waits', async () => {
    const { jobs, insert } = await open();
    const size = Buffer.byteLength(JSON.stringify(SUBMISSION));
    expect(await insert(ADDRESS, { limits: { jobs: 10, bytes: 1 } })).toBe('inserted');
    expect(await insert(OTHER_ADDRESS, { limits: { jobs: 10, bytes: 2 * size - 1 } })).toBe('too_many_bytes');
    expect(await insert(OTHER_ADDRESS, { limits: { jobs: 10, bytes: 2 * size } })).toBe('inserted');
    await jobs.claim(aLease('a', 1000), ANY_JOB);
    await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(await insert(THREE[0], { limits: { jobs: 10, bytes: 1 } })).toBe('inserted');
  });

  test('tells each waiting job its place', async () => {
    const { jobs, insert } = await open();
    const ids = ['c', 'a', 'b'].map((letter) => letter.repeat(36));
    const starts = [1, 2, 2];
    for (const [index, id] of ids.entries()) {
      await insert(THREE[index], { id, startedAt: starts[index] ?? 0 });
    }
    const places = async () => Promise.all(ids.map(async (id) => (await jobs.find(id))?.queuePosition));
    expect(await places()).toEqual([1, 2, 3]);
    expect(await jobs.oldestWaiting()).toBe(1);
    await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(await places()).toEqual([null, 1, 2]);
    await jobs.cancel(ids[1] ?? '', anEnd(2000));
    expect(await places()).toEqual([null, null, 1]);
  });

  test('gives a client no more places, and no more bytes, than it leaves to others, but one in any case', async () => {
    const { insert } = await open();
    const four = { jobs: 4, bytes: 1_000_000 };
    const one = Buffer.byteLength(JSON.stringify(SUBMISSION));
    const outcomes: string[] = [];
    let serial = 0;
    const submit = async (client: string, limits: QueueLimits) => {
      serial += 1;
      const address: Hex = `0x${String(serial).padStart(40, '0')}`;
      outcomes.push(`${client} ${await insert(address, { client, limits })}`);
    };
    for (const client of 'aaabbcc') await submit(client, four);
    expect(outcomes).toEqual([
      ...['a inserted', 'a inserted', 'a too_many_of_client'],
      ...['b inserted', 'b too_many_of_client'],
      ...['c inserted', 'c too_many_jobs'],
    ]);
    outcomes.length = 0;
    // Four wait.
    for (const client of 'ddeefg') await submit(client, { jobs: 100, bytes: 8 * one });
    expect(outcomes).toEqual([
      ...['d inserted', 'd inserted', 'e inserted'],
      ...['e too_many_of_client', 'f inserted', 'g too_many_bytes'],
    ]);
  });

  test('passes over the jobs of chains that are not to be asked', async () => {
    const { jobs, insert } = await open();
    await insert(ADDRESS, { chainId: '7', startedAt: 1 });
    await insert(ADDRESS, { chainId: '8', startedAt: 2 });
    const rule = { ...ANY_JOB, exceptChains: ['7'] };
    expect(await jobs.claim(aLease('a', 1000), rule)).toMatchObject({ chainId: '8' });
    expect(await jobs.claim(aLease('a', 1000), rule)).toBeNull();
    expect(await jobs.claim(aLease('a', 1000), ANY_JOB)).toMatchObject({ chainId: '7' });
  });

  test('cancels a job once; no result of it is stored afterwards', async () => {
    const { jobs, contracts, insert } = await open();
    await insert();
    const id = (await jobs.claim(aLease('a', 1000), ANY_JOB))?.id ?? '';
    expect(await jobs.isUnfinished(id)).toBe(true);
    expect(await jobs.cancel(id, anEnd(1500), { unlessRuns: true })).toEqual({ kind: 'running' });
    expect(await jobs.cancel(id, anEnd(1500))).toEqual({
      kind: 'cancelled',
      job: { id, chainId: '1', address: ADDRESS },
    });
    const result = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
    expect(await jobs.complete(id, 'a', result, anEnd(2000))).toBe('lost');
    expect(await jobs.heartbeat(id, aLease('a', 2000))).toBe(false);
    expect(await contracts.findMatch('1', ADDRESS)).toBeNull();
    expect(await jobs.find(id)).toMatchObject({ finishedAt: 1500, error: { code: 'job_cancelled' } });
    expect(await jobs.isUnfinished(id)).toBe(false);
    expect(await jobs.cancel(id, anEnd(3000))).toEqual({ kind: 'finished' });
    expect(await jobs.cancel('nobody', anEnd(3000))).toEqual({ kind: 'unknown' });
    expect(await insert()).toBe('inserted');
  });

  test('takes jobs back whose holder is gone or whose lease has ended, and no others', async () => {
    const { jobs, insert } = await open();
    for (const [index, address] of THREE.entries()) await insert(address, { startedAt: index });
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.claim(aLease('living', 1000), ANY_JOB);
    await jobs.claim({ owner: 'late', now: 0, until: 10 }, ANY_JOB);
    expect(await jobs.takeBack((owner) => owner === 'gone', 1050)).toBe(2);
    expect(await jobs.count()).toEqual({ waiting: 2, running: 1 });
  });

  test('gives a suspect to an idle process alone, and nothing else while one waits', async () => {
    const { jobs, insert } = await open();
    for (const [index, address] of THREE.entries()) await insert(address, { startedAt: index });
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.takeBack((owner) => owner === 'gone', 1000);
    expect(await jobs.claim(aLease('busy', 1000), { ...ANY_JOB, isIdle: false })).toBeNull();
    const suspect = { isSuspect: true, loneCrashes: 0 };
    const first = await jobs.claim(aLease('idle', 1000), ANY_JOB);
    expect(first).toMatchObject({ address: THREE[0], ...suspect });
    await jobs.takeBack((owner) => owner === 'idle', 1000);
    // It was alone this time: it waits longer than the other.
    expect(await jobs.claim(aLease('b', 1000), ANY_JOB)).toMatchObject({ address: THREE[1], ...suspect });
    const young = { ...ANY_JOB, maxLoneCrashes: 0 };
    expect(await jobs.claim(aLease('c', 1000), young)).toMatchObject({ address: THREE[2], isSuspect: false });
    expect(await jobs.claim(aLease('d', 1000), young)).toBeNull();
    expect(await jobs.claim(aLease('d', 1000), ANY_JOB)).toMatchObject({ id: first?.id, loneCrashes: 1 });
  });

  test('knows that jobs ran in company although their leases end one after the other', async () => {
    const { jobs, insert } = await open();
    for (const [index, address] of THREE.entries()) await insert(address, { startedAt: index });
    await jobs.claim(aLease('gone', 1000), ANY_JOB);
    await jobs.claim(aLease('gone', 1040), ANY_JOB);
    for (const now of [1101, 1120, 1140]) expect(await jobs.takeBack(() => false, now)).toBe(0);
    expect(await jobs.takeBack(() => false, 1141)).toBe(2);
    const inCompany = { isSuspect: true, loneCrashes: 0 };
    expect(await jobs.claim(aLease('a', 1141), ANY_JOB)).toMatchObject(inCompany);
    expect(await jobs.claim(aLease('b', 1141), ANY_JOB)).toMatchObject(inCompany);
  });

  test('takes a job back that its holder forgot while it works on others', async () => {
    const { jobs, insert } = await open();
    for (const address of THREE) await insert(address);
    const forgotten = await jobs.claim(aLease('a', 1000), ANY_JOB);
    const other = await jobs.claim(aLease('a', 1000), ANY_JOB);
    const beat = (now: number) => jobs.heartbeat(other?.id ?? '', aLease('a', now));
    await beat(1090);
    await beat(1180);
    expect(await jobs.takeBack(() => false, 1200)).toBe(0);
    expect(await jobs.takeBack(() => false, 1201)).toBe(1);
    expect(await jobs.claim(aLease('b', 1201), ANY_JOB)).toMatchObject({
      id: forgotten?.id,
      isSuspect: true,
      loneCrashes: 0,
    });
  });

  test('keeps the warnings of the submission and those given until the end', async () => {
    const { jobs, insert } = await open();
    await insert(ADDRESS, { warnings: ['spelling'] });
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(job?.warnings).toEqual(['spelling']);
    await jobs.complete(job?.id ?? '', 'a', FAILED, { ...anEnd(2000), warnings: ['spelling', 'later'] });
    expect(await jobs.find(job?.id ?? '')).toMatchObject({ warnings: ['spelling', 'later'] });
  });

  test('drops old bytecodes in batches and keeps the job records', async () => {
    const { jobs, insert } = await open();
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
    const { jobs, insert } = await open();
    await insert();
    const first = await jobs.claim(aLease('a', 1000), ANY_JOB);
    expect(first).toMatchObject({ isSuspect: false, address: ADDRESS, submission: SUBMISSION });
    expect(await jobs.claim(aLease('b', 1050), ANY_JOB)).toBeNull();
    expect(await jobs.heartbeat(first?.id ?? '', aLease('a', 1090))).toBe(true);
    expect(await jobs.claim(aLease('b', 1150), ANY_JOB)).toBeNull();
    expect(await jobs.takeBack(() => false, 1190)).toBe(0);
    expect(await jobs.takeBack(() => false, 1191)).toBe(1);
    expect(await jobs.claim(aLease('b', 1191), ANY_JOB)).toMatchObject({ id: first?.id, loneCrashes: 1 });
    expect(await jobs.complete(first?.id ?? '', 'a', FAILED, anEnd(1200))).toBe('lost');
    expect(await jobs.find(first?.id ?? '')).toMatchObject({ finishedAt: null });
  });

  test('does not suspect a job that was given back in order', async () => {
    const { jobs, insert } = await open();
    await insert();
    const job = await jobs.claim(aLease('a', 1000), ANY_JOB);
    await jobs.release(job?.id ?? '', 'a');
    expect(await jobs.claim(aLease('b', 1001), ANY_JOB)).toMatchObject({ isSuspect: false, loneCrashes: 0 });
  });

  test('drops the submission of a finished job and keeps its record', async () => {
    const store = await begin().open();
    const { jobs, insert } = queueOf(store);
    await insert();
    const id = (await jobs.claim(aLease('a', 1000), ANY_JOB))?.id ?? '';
    expect(await store.verify.jobs.submissionOf(id)).not.toBeNull();
    const errorId = '6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04';
    expect(await jobs.complete(id, 'a', FAILED, { ...anEnd(2000), errorId })).toBe('failed');
    expect(await jobs.find(id)).toMatchObject({
      finishedAt: 2000,
      match: null,
      error: { id: errorId, code: 'compiler_error', data: { compilerErrorMessage: 'no' } },
    });
    expect(await store.verify.jobs.submissionOf(id)).toBeNull();
  });

  test.skipIf(isLeftOut(isShared ? null : NOT_SHARED))('is one for all processes', async () => {
    const database = begin();
    const [one, two] = [queueOf(await database.open()), queueOf(await database.open())];
    await one.insert();
    expect(await two.insert()).toBe('duplicate');
    const job = await two.jobs.claim(aLease('two', 1000), ANY_JOB);
    expect(job).toMatchObject({ address: ADDRESS, submission: SUBMISSION });
    expect(await one.jobs.claim(aLease('one', 1000), ANY_JOB)).toBeNull();
  });

  describe('storing a verification', () => {
    test.each([
      ['match', null, 'match', 'match', true],
      ['match', 'match', 'exact_match', 'match', true],
      ['exact_match', null, 'exact_match', 'match', true],
      ['exact_match', 'match', 'match', 'exact_match', false],
      ['match', 'match', 'match', 'match', false],
      ['exact_match', null, 'exact_match', null, false],
      // Yul can copy any code.
      ['match', null, 'match', null, true, 'Yul', 'Vyper'],
      ['match', 'match', 'match', null, true, 'Yul', 'Solidity'],
      [null, 'match', null, 'match', true, 'Yul', 'Solidity'],
      ['match', null, null, 'match', false, 'Yul', 'Solidity'],
      ['match', null, 'match', null, false, 'Yul', 'Yul'],
      ['match', null, 'match', null, false, 'Solidity', 'Yul'],
      ['match', null, 'match', null, false, 'Solidity', 'Vyper'],
    ] as const)(
      'stored %s/%s, new %s/%s (runtime/creation): replaced %s',
      async (r1, c1, r2, c2, isReplaced, l1 = 'Solidity', l2 = 'Solidity') => {
        const { jobs, contracts, insert } = await open();
        const complete = async (
          runtime: typeof r1 | typeof r2,
          creation: typeof c1 | typeof c2,
          now: number,
          language: typeof l1 | typeof l2,
        ) => {
          await insert();
          const job = await jobs.claim(aLease('a', now), ANY_JOB);
          const any = aCompilation({ comment: String(now) });
          const compilation = { ...any, compiler: { ...any.compiler, language } };
          await jobs.complete(job?.id ?? '', 'a', aMatch({ compilation, runtime, creation }), anEnd(now));
          return jobs.find(job?.id ?? '');
        };
        const first = await complete(r1, c1, 1000, l1);
        expect(first).toMatchObject({ error: null, match: { runtime: r1, creation: c1, matchId: 1n } });
        const second = await complete(r2, c2, 5000, l2);
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
  });
});
