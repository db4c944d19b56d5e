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

/** As a thread gives it, and as this one makes it. */
const inGzip = (Bytes: { from(bytes: Uint8Array): Uint8Array }) => {
  const packed = Bytes.from(gzipSync(JSON.stringify(SUBMISSION)));
  return { kind: 'packed', input: '', packed, bytes: 52 } as const;
};
/** Not from the pool that others share. */
const OwnBuffer = {
  from: (bytes: Uint8Array) => {
    const own = Buffer.allocUnsafeSlow(bytes.length);
    own.set(bytes);
    return own;
  },
};
/** Moves what it stores to its thread. */
const moved = async ({ submission }: Parameters<JobStore['insert']>[0]) => {
  const { packed } = submission;
  if (packed?.byteLength === packed?.buffer.byteLength)
    structuredClone(null, { transfer: packed === null ? [] : [packed.buffer as ArrayBuffer] });
  return 'inserted';
};
const LEASE = { owner: 'a', now: 0, until: 1 };
const RULE = { exceptChains: [], isIdle: true, maxLoneCrashes: 0 };

test.each([
  ['as it was read', async () => SUBMISSION, true],
  ['packed as text', async () => ({ kind: 'packed', ...(await packSubmission(SUBMISSION)) }) as const, true],
  ['packed in gzip by a thread', async () => inGzip(Uint8Array), true],
  ['packed in gzip here', async () => inGzip(OwnBuffer), true],
  ['packed in gzip and too large to be kept', async () => inGzip(Uint8Array), false],
])(
  'a submission %s can be run while it is being stored, unless it is not kept until its claim',
  async (_, made, isRead) => {
    let looked = 0;
    const store = {
      insert: moved,
      claim: async () => ({ id: 'a' }),
      submissionOf: async () => {
        looked += 1;
        return packSubmission(SUBMISSION);
      },
    } as unknown as JobStore;
    const queue = withSubmissions(store, undefined, isRead ? undefined : 100);
    const submission = await made();
    let read: unknown;
    const job = { id: 'a', chainId: '1', address: '0x00', startedAt: 0, warnings: [], submission } as const;
    await queue.insert(job, { jobs: 1, bytes: 1 }, (sent) => {
      read = sent.read();
      expect(sent.bytes).toBe(52);
    });
    expect(await read).toEqual(isRead ? SUBMISSION : null);
    expect(await queue.claim(LEASE, RULE)).toMatchObject({ submission: SUBMISSION });
    // What was read is not read again.
    expect(looked).toBe(isRead ? 0 : 1);
  },
);
