import { describe, expect, test } from 'vitest';
import { isOwnerGone, printLeaseOwner, systemProcess } from './lease-owner.ts';

const self = { host: 'here', pid: 10, isAlive: (pid: number) => pid === 20 };

describe('isOwnerGone', () => {
  test.each([
    ['here 30 x', true, 'a dead process of this host'],
    ['here 20 x', false, 'a living process of this host'],
    ['here 10 x', true, 'an earlier process with the same number'],
    ['there 30 x', false, 'a process of another host, which cannot be looked at'],
    ['6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04', false, 'an owner of another form'],
    ['here -1 x', false, 'a number that names a group of processes'],
  ])('%s: %s (%s)', (owner, isGone) => {
    expect(isOwnerGone(owner, self)).toBe(isGone);
  });
});

describe('systemProcess', () => {
  test('knows that this process lives and that a number beyond all others does not', () => {
    const { isAlive, pid } = systemProcess();
    expect([isAlive(pid), isAlive(2 ** 31 - 1)]).toEqual([true, false]);
    expect(printLeaseOwner(systemProcess(), 'id')).toMatch(/^\S+ \d+ id$/);
  });
});
