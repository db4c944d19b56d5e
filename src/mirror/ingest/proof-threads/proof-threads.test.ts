import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { SignedNetwork } from '../../../../test/kit/mirror/ingest/block-proof/signed-network.ts';
import { startThread } from '../../../threads/start-thread.ts';
import type { ProofQuestion } from '../block-proof/proof-verdict.ts';
import { createProofChecker } from './proof-checker.ts';
import { ProofThreads } from './proof-threads.ts';

const network = new SignedNetwork([1n, 1n, 2n], 2);
const rootOf = (number: bigint) => new Uint8Array(48).fill(Number(number));

function question(blockNumber: bigint, change: Partial<ProofQuestion> = {}): ProofQuestion {
  const root = rootOf(blockNumber);
  const proof = network.directProof(blockNumber, { root, seats: [0, 2] });
  return { blockNumber, root, proof, trust: network.trust, ...change };
}

const questions: readonly ProofQuestion[] = [
  question(1n),
  question(2n),
  question(3n, { root: rootOf(4n) }),
  question(4n, { trust: { ...network.trust, ledgerId: null } }),
  question(5n, { trust: { ...network.trust, roster: null, knownKeys: [network.hints.keyBytes] } }),
  question(6n, { proof: new Uint8Array() }),
];

const startReal = () => startThread('mirror/ingest/proof-threads/proof-worker');
/** A thread that ends as soon as it is asked. */
const startMortal = () =>
  new Worker(`require('node:worker_threads').parentPort.on('message', () => process.exit(3))`, {
    eval: true,
  });

let open: ProofThreads | null = null;
afterEach(() => open?.close());

/** The threads, and how many were started so far. */
function threadsOf(count: number, start: (started: number) => Worker = startReal) {
  let started = 0;
  const threads = new ProofThreads({ threads: count, start: () => start(started++) });
  open = threads;
  return { threads, started: () => started };
}

async function verdictsOf(checker: Pick<ProofThreads, 'check'>, asked = questions) {
  return Promise.all(asked.map((each) => checker.check(each)));
}

describe('ProofThreads', () => {
  test('give the verdicts of the calling thread, and leave it to others meanwhile', async () => {
    const expected = await verdictsOf(createProofChecker());
    expect(expected.map(({ kind }) => kind)).toEqual([
      'holds',
      'holds',
      'false',
      'uncheckable',
      'holds',
      'false',
    ]);
    const { threads } = threadsOf(2);
    let isAnswered = false;
    const answers = verdictsOf(threads).finally(() => {
      isAnswered = true;
    });
    await setImmediate();
    expect(isAnswered).toBe(false);
    expect(await answers).toEqual(expected);
  });

  test('check several proofs at once, and what shares a signature in one thread', async () => {
    const { started, threads } = threadsOf(2);
    const [one, other] = [question(1n), question(2n)];
    const otherTrust = { ...network.trust, knownKeys: [network.hints.keyBytes] };
    const answers = [threads.check(one), threads.check({ ...one, trust: otherTrust })];
    await Promise.all(answers);
    expect(started()).toBe(1);
    await Promise.all([threads.check(question(3n)), threads.check(other)]);
    expect(started()).toBe(2);
  });

  test('answer what was asked ahead by the same check', async () => {
    const { threads } = threadsOf(1);
    const ahead = threads.check(question(1n));
    expect(threads.check(question(1n))).toBe(ahead);
    expect(threads.check(question(1n, { root: rootOf(2n) }))).not.toBe(ahead);
    expect((await ahead).kind).toBe('holds');
  });

  test('begin ahead of the first question, once', async () => {
    const { started, threads } = threadsOf(1);
    threads.warmUp();
    await expect.poll(started).toBe(1);
    expect((await threads.check(question(1n))).kind).toBe('holds');
    threads.warmUp();
    expect(started()).toBe(1);
  });

  test('lose nothing when a thread dies', async () => {
    const expected = await verdictsOf(createProofChecker());
    const { started, threads } = threadsOf(2, (count) => (count === 0 ? startMortal() : startReal()));
    expect(await verdictsOf(threads)).toEqual(expected);
    expect(started()).toBeGreaterThan(2);
  });

  test('check in the calling thread where every thread dies', async () => {
    const { threads } = threadsOf(1, startMortal);
    const [holds, , wrong] = questions as [ProofQuestion, ProofQuestion, ProofQuestion];
    expect((await threads.check(holds)).kind).toBe('holds');
    expect((await threads.check(wrong)).kind).toBe('false');
  });

  test('answer nothing after they were closed', async () => {
    const { threads } = threadsOf(1);
    const asked = Promise.allSettled([threads.check(question(1n)), threads.check(question(2n))]);
    await threads.close();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(threads.check(question(7n))).rejects.toThrow('closed');
  });
});
