import { expect, test } from 'vitest';
import { html, printHtml } from '../../pages/html.ts';
import type { JobRecord } from '../jobs/queue/job-repository.ts';
import { MAX_KEPT_CODE, NO_BYTECODES } from '../jobs/results/verification-result.ts';
import { viewDifference } from './difference-view.ts';

/** The page about a failed job whose two codes begin with so many bytes that are equal, and differ at a place. */
function pageOf(kept: number, offset: number): string {
  const code = new Uint8Array(kept).fill(0x5b);
  const diff = { offset, region: 'code' };
  const record = {
    bytecodes: { ...NO_BYTECODES, recompiledRuntime: code, onchainRuntime: code },
    error: { data: { diff } },
    finishedAt: 1,
  };
  return printHtml(html`${viewDifference(record as unknown as JobRecord, null)}`);
}

test('codes of which only the beginning is kept are said to be equal so far', () => {
  const page = pageOf(MAX_KEPT_CODE, 100_000);
  expect(page).toContain('at byte <strong>100000</strong>');
  expect(page).toContain('It is behind the first 65536 bytes');
  expect(page).toContain('no difference in the first 65536 bytes, which are kept.');
  expect(page).not.toContain('<figure>');
});

test('codes that are kept whole are shown at the difference', () => {
  const page = pageOf(200, 100);
  expect(page).toContain('<figure>');
  expect(page).toContain('<strong>Runtime code:</strong> no difference.');
});
