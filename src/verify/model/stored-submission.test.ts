import { describe, expect, test } from 'vitest';
import { ByteBoundMap } from '../byte-bound-map.ts';
import {
  heapBytesOf,
  largeCharactersWithin,
  packSubmission,
  type Submission,
  unpackSubmission,
} from './submission.ts';

const aSubmission = (content: string): Submission => ({
  kind: 'standard_json',
  input: { language: 'Solidity', sources: { 'a.sol': { content } } },
  compilerVersion: '0.8.30',
  target: { path: 'a.sol', name: 'A' },
  creationTransactionHash: null,
});

describe('a stored submission', () => {
  test.each([
    ['small', 'contract A {}', true],
    ['large', `contract A {} // ${'ä'.repeat(1_100_000)}`, false],
  ])('comes back as it was: %s', async (_size, content, isText) => {
    const submission = aSubmission(content);
    const { bytes, ...stored } = await packSubmission(submission);
    expect(stored.packed === null).toBe(isText);
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(submission)));
    expect(await unpackSubmission(stored)).toEqual(submission);
  });

  test('is text up to its limit', async () => {
    const submission = aSubmission('x');
    const { length } = JSON.stringify(submission);
    expect((await packSubmission(submission, length + 1)).packed).toBeNull();
    expect((await packSubmission(submission, length)).input).toBe('');
  });

  test.each([
    [0, 131_072],
    [3_670_016, 131_072],
    [10_000_000, 357_142],
    [67_108_864, 524_288],
  ])('with %i bytes for those sent last it is text up to %i characters', (bytes, characters) => {
    expect(largeCharactersWithin(bytes)).toBe(characters);
    const mostBytes = heapBytesOf(characters - 1);
    expect(mostBytes <= bytes || characters === 131_072).toBe(true);
  });
});

describe('recent submissions', () => {
  test('are handed over once', () => {
    const recent = new ByteBoundMap<string, ReturnType<typeof aSubmission>>(100);
    const submission = aSubmission('');
    recent.set('a', submission, 60);
    expect(recent.take('a')).toBe(submission);
    expect(recent.take('a')).toBeNull();
  });

  test('are forgotten from the oldest on when they are too large together', () => {
    const recent = new ByteBoundMap<string, ReturnType<typeof aSubmission>>(100);
    recent.set('a', aSubmission('a'), 60);
    recent.set('b', aSubmission('b'), 60);
    expect(recent.take('a')).toBeNull();
    recent.set('c', aSubmission('c'), 40);
    expect(recent.take('b')).not.toBeNull();
    expect(recent.take('c')).not.toBeNull();
    recent.set('d', aSubmission('d'), 101);
    expect(recent.take('d')).toBeNull();
  });
});
