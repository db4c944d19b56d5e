import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packSubmission } from '../../model/submission.ts';
import { withSubmissions } from './with-submissions.ts';

type JobStore = Parameters<typeof withSubmissions>[0];

const SUBMISSION = { kind: 'similarity', creationTransactionHash: null } as const;

test.each([
  ['as it was read', async () => SUBMISSION],
  ['packed', async () => ({ kind: 'packed', ...(await packSubmission(SUBMISSION)) }) as const],
])('a submission %s can be claimed in the commit that inserts it', async (_, submission) => {
  const steps: string[] = [];
  const store = {
    insert: async () => {
      steps.push('insert');
      await new Promise((resolve) => setImmediate(resolve));
      steps.push('committed');
      return 'inserted';
    },
  } as unknown as JobStore;
  const job = {
    id: 'a',
    chainId: '1',
    address: '0x00',
    startedAt: 0,
    warnings: [],
    submission: await submission(),
  } as const;
  await withSubmissions(store).insert(job, { jobs: 1, bytes: 1 }, () => steps.push('sent'));
  expect(steps).toEqual(['insert', 'sent', 'committed']);
});

const LEASE = { owner: 'a', now: 0, until: 1 };
const RULE = { exceptChains: [], isIdle: true, maxLoneCrashes: 0 };

test.each([
  ['as it was read', async () => SUBMISSION, true],
  ['packed as text', async () => ({ kind: 'packed', ...(await packSubmission(SUBMISSION)) }) as const, true],
  [
    'packed in gzip',
    async () =>
      ({ kind: 'packed', input: '', packed: gzipSync(JSON.stringify(SUBMISSION)), bytes: 52 }) as const,
    false,
  ],
])(
  'a submission %s can be run while it is being stored, unless a thread has to unpack it',
  async (_, made, isRead) => {
    let looked = 0;
    const store = {
      insert: async () => 'inserted',
      claim: async () => ({ id: 'a' }),
      submissionOf: async () => {
        looked += 1;
        return packSubmission(SUBMISSION);
      },
    } as unknown as JobStore;
    const queue = withSubmissions(store);
    const submission = await made();
    let read: unknown;
    const job = { id: 'a', chainId: '1', address: '0x00', startedAt: 0, warnings: [], submission } as const;
    await queue.insert(job, { jobs: 1, bytes: 1 }, (sent) => {
      read = sent.read();
      expect(sent.bytes).toBe(52);
    });
    expect(read).toEqual(isRead ? SUBMISSION : null);
    expect(await queue.claim(LEASE, RULE)).toMatchObject({ submission: SUBMISSION });
    // What was read is not read again.
    expect(looked).toBe(isRead ? 0 : 1);
  },
);
