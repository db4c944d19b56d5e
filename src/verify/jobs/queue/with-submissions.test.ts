import { expect, test } from 'vitest';
import { packSubmission } from '../../model/submission.ts';
import type { JobStore } from './job-repository.ts';
import { withSubmissions } from './with-submissions.ts';

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
