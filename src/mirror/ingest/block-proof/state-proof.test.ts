import { describe, expect, test } from 'vitest';
import { writtenMessage } from '../../../../test/kit/mirror/ingest/block-proof/written-message.ts';
import { sha384 } from '../sha384.ts';
import { FailedCheck } from './failed-check.ts';
import { type MerklePath, readMerklePath, signedRootOf } from './read-block-proof.ts';

const hash = (byte: number) => new Uint8Array(48).fill(byte);
const node = (left: Uint8Array, right: Uint8Array) => sha384(Uint8Array.of(2), left, right);
const own = hash(1);
const ROOT = null;

function path(
  start: Uint8Array | null,
  next: number | null,
  ...siblings: MerklePath['siblings']
): MerklePath {
  return { start, isHash: start !== null, siblings, next };
}

const left = (byte: number) => ({ isLeft: true, hash: hash(byte) });
const right = (byte: number) => ({ isLeft: false, hash: hash(byte) });
const none = { isLeft: false, hash: new Uint8Array() };

function failureOf(work: () => unknown): string {
  try {
    work();
    return 'holds';
  } catch (error) {
    if (error instanceof FailedCheck) return error.failure;
    throw error;
  }
}

describe('signedRootOf', () => {
  test('joins what comes from the lower path on the left, in whatever order they arrive', () => {
    const onlyChild = sha384(Uint8Array.of(1), node(hash(9), node(own, hash(8))));
    const paths = [path(hash(5), 2), path(own, 2, right(8), left(9), none), path(null, ROOT, right(6))];
    expect(signedRootOf(paths, own)).toEqual(node(node(hash(5), onlyChild), hash(6)));

    // The join comes first in the list, and its second arrival is the path of lower number.
    const turned = [path(null, 4), path(own, 0), path(hash(5), 0), path(hash(4), 4), path(null, ROOT)];
    expect(signedRootOf(turned, own)).toEqual(node(node(own, hash(5)), hash(4)));
  });

  test.each([4, 5, 6])('a leaf of kind %i is hashed as one', (kind) => {
    const { isHash, start } = readMerklePath(writtenMessage([kind, own], [2, 2n ** 32n - 1n]));
    expect(isHash).toBe(false);
    expect(start).toEqual(sha384(Uint8Array.of(0), own));
  });

  test.each<[string, readonly MerklePath[], string]>([
    ['two paths', [path(own, 1), path(null, ROOT)], 'state_proof_shape'],
    ['one path that is its root', [path(own, ROOT)], 'state_proof_shape'],
    ['nothing', [], 'state_proof_shape'],
    [
      'an arrival that waits for ever',
      [path(own, 2), path(hash(5), ROOT), path(null, ROOT)],
      'state_proof_shape',
    ],
    [
      'a third arrival',
      [path(own, 3), path(hash(5), 3), path(hash(6), 3), path(null, ROOT)],
      'state_proof_shape',
    ],
    ['a root before other paths', [path(null, ROOT), path(own, 0), path(hash(5), 0)], 'state_proof_shape'],
    [
      'a path that nobody reaches',
      [path(own, ROOT), path(null, ROOT), path(null, ROOT)],
      'state_proof_shape',
    ],
    [
      'two roots',
      [path(own, 2), path(hash(5), 2), path(null, ROOT), path(hash(6), ROOT)],
      'state_proof_shape',
    ],
    ['no root', [path(own, 2), path(hash(5), 2), path(null, 0)], 'state_proof_shape'],
    ['a ring', [path(own, 2), path(hash(5), 2), path(null, 2)], 'state_proof_shape'],
    ['a path that is not there', [path(own, 2), path(hash(5), 2), path(null, 7)], 'state_proof_shape'],
    [
      'a path with a start in between',
      [path(own, 1), path(hash(5), 2), path(null, ROOT)],
      'state_proof_shape',
    ],
    ['another root', [path(hash(2), 2), path(hash(5), 2), path(null, ROOT)], 'state_proof_leaf'],
    [
      'its root as a leaf, not as a hash',
      [{ ...path(own, 2), isHash: false }, path(hash(5), 2), path(null, ROOT)],
      'state_proof_leaf',
    ],
  ])('refuses %s', (_, paths, failure) => {
    expect(failureOf(() => signedRootOf(paths, own))).toBe(failure);
  });
});

describe('readMerklePath', () => {
  const sibling = writtenMessage;

  test('reads a hash with siblings, a time, and a join', () => {
    const bytes = writtenMessage(
      [1, sibling([1, 1n], [2, hash(9)])],
      [1, sibling([2, hash(8)])],
      [1, sibling()],
      [2, 2n],
      [3, own],
    );
    expect(readMerklePath(bytes)).toEqual(path(own, 2, left(9), right(8), none));
    const time = writtenMessage([1, 5n]);
    expect(readMerklePath(writtenMessage([2, 0n], [6, time]))).toEqual({
      ...path(sha384(Uint8Array.of(0), time), 0),
      isHash: false,
    });
    expect(readMerklePath(writtenMessage([2, 2n ** 32n - 1n]))).toEqual(path(null, ROOT));
  });

  test.each([
    ['a hash of another length', writtenMessage([3, hash(1).subarray(1)]), 'state_proof_shape'],
    ['a hash and a time', writtenMessage([3, own], [6, own]), 'state_proof_shape'],
    [
      'a sibling of another length',
      writtenMessage([1, sibling([2, hash(1).subarray(1)])]),
      'state_proof_shape',
    ],
    ['a sibling on neither side', writtenMessage([1, sibling([1, 2n], [2, own])]), 'state_proof_shape'],
    ['a leaf of the state and a time', writtenMessage([4, own], [6, own]), 'state_proof_shape'],
    ['a leaf of the state and a hash', writtenMessage([3, own], [5, own]), 'state_proof_shape'],
    ['two hashes', writtenMessage([3, own], [3, own]), 'encoding'],
    ['a number as hash', writtenMessage([3, 5n]), 'encoding'],
    ['a number beyond 64 bits', writtenMessage([2, 2n ** 64n]), 'encoding'],
    ['bytes that are no message', Uint8Array.of(0x0a, 0x05), 'encoding'],
  ])('refuses %s', (_, bytes, failure) => {
    expect(failureOf(() => readMerklePath(bytes))).toBe(failure);
  });
});
