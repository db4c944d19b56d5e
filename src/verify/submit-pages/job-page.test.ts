import { describe, expect, test } from 'vitest';
import { ROOT_SITE } from '../../pages/site/site-page.ts';
import type { JobRecord } from '../jobs/queue/job-repository.ts';
import { NO_BYTECODES } from '../jobs/results/verification-result.ts';
import type { JobErrorCode } from '../model/job-failure.ts';
import { FAILURE_MESSAGES } from './failure-words.ts';
import { type JobPageParts, renderJobPage } from './job-page.ts';
import { safeText } from './safe-text.ts';

const parts: JobPageParts = { site: ROOT_SITE, chainName: () => 'Test chain', contractPages: '/repo-ui' };
const waiting: JobRecord = {
  id: '6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04',
  chainId: '31337',
  address: `0x${'1'.repeat(40)}`,
  startedAt: 0,
  finishedAt: null,
  queuePosition: 3,
  warnings: [],
  compilationMs: null,
  match: null,
  error: null,
  bytecodes: NO_BYTECODES,
};
const render = (changes: Partial<JobRecord>, stage: 'compiling' | null = null) => {
  const activity = stage === null ? null : { stage, warnings: ['Look <here>'] };
  return renderJobPage(parts, { record: { ...waiting, ...changes }, activity, waitSeconds: null });
};

describe('a job that has not ended', () => {
  test('tells its place in the queue, and looks again by itself without scripts', () => {
    const page = render({});
    expect(page).toContain('data-stage="queued" aria-current="step"');
    expect(page).toContain('2 ahead in the queue');
    expect(page).toContain('<noscript><meta http-equiv="refresh"');
    expect(page).toContain('data-job="/v2/verify/6d1f0a52');
  });

  test('tells what it does and its warnings so far', () => {
    const page = render({ queuePosition: null }, 'compiling');
    expect(page).toContain('data-stage="compiling" aria-current="step"');
    expect(page).toContain('Look &lt;here&gt;');
  });
});

test.each(Object.keys(FAILURE_MESSAGES) as JobErrorCode[])(
  '%s is told in words, with what to try',
  (code) => {
    const page = render({ finishedAt: 1, queuePosition: null, error: { id: 'x', code, data: null } });
    expect(page).toContain(`<h1>${FAILURE_MESSAGES[code].title}</h1>`);
    expect(page).toContain(FAILURE_MESSAGES[code].remedies[0]);
    expect(page).not.toContain('http-equiv="refresh"');
  },
);

test.each([
  [{ offset: 1, region: 'code' }, 'code'],
  [{ offset: 21, region: 'code' }, 'call protection'],
])('PUSH20 0 at the start is what the job found it to be: %j (issue 40)', (diff, title) => {
  const code = (address: string, end: string) => Buffer.from(`73${address.repeat(20)}30${end}`, 'hex');
  const bytecodes = { recompiledRuntime: code('00', '01'), onchainRuntime: code('ab', '02') };
  const page = render({
    ...{ finishedAt: 1, queuePosition: null, error: { id: 'x', code: 'no_match', data: { diff } } },
    bytecodes: { ...NO_BYTECODES, ...bytecodes },
  });
  const titles = [...page.matchAll(/<mark(?: class="explained" title="([^"]*)")?>ab/g)].map(
    ([, at]) => at ?? 'code',
  );
  expect(new Set(titles)).toEqual(new Set([title]));
});

test.each([
  ['a\u202Eb\u0000', 99, 'a⟨U+202E⟩b⟨U+0000⟩'],
  ['a\r\nb\tc', 99, 'a\nb\tc'],
  ['abcdef', 4, 'abcd… (2 more characters)'],
  ['\u2028\u200B', 99, '⟨U+2028⟩⟨U+200B⟩'],
])('safeText(%j, %i)', (text, most, shown) => {
  expect(safeText(text, most)).toBe(shown);
});
