import { expect, test, vi } from 'vitest';
import type { LedgerImports } from '../mirror/ingest/schedule/ledger-imports.ts';
import { StorageBusyError, StorageFaultError } from '../values/storage-errors.ts';
import { createLedgerWork } from './ledger-tasks.ts';

const TASKS = { importPaths: [], watchPaths: [], live: [], watchPeriodMs: 1000, keepDays: null };

test('chunks of logs are made at once, whatever fails, and until the work ends', async () => {
  const errors: unknown[] = [];
  const log = { info() {}, warn() {}, error: ({ err }: { err?: unknown }) => errors.push(err) };
  const imports: LedgerImports = {
    begin() {},
    states: () => [],
    run: async () => [],
    async close() {},
  };
  const fault = new StorageFaultError('the disk is full', { isTold: false });
  const build = vi
    .fn()
    .mockRejectedValueOnce(new StorageBusyError('another server is importing'))
    .mockRejectedValueOnce(fault)
    .mockRejectedValueOnce(new StorageFaultError('the disk is full', { isTold: true }))
    .mockResolvedValue(1);
  const retention = { prune: vi.fn(), hasPruned: async () => false };
  const work = createLedgerWork({ logChunks: { build }, retention }, imports, log);
  work.begin(TASKS);
  expect(build).toHaveBeenCalledTimes(1);
  const [{ signal }] = build.mock.calls[0] as [{ signal: AbortSignal }];
  await work.close();
  expect(signal.aborted).toBe(true);
  expect(errors).toEqual([]);
  expect(retention.prune).not.toHaveBeenCalled();

  for (const rounds of [2, 3]) {
    const next = createLedgerWork({ logChunks: { build }, retention }, imports, log);
    next.begin(TASKS);
    await next.close();
    expect(build).toHaveBeenCalledTimes(rounds);
    // Who noticed the other one has logged it.
    expect(errors).toEqual([fault]);
  }
});
