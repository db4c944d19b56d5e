import { describe, expect, test } from 'vitest';
import { distinctHost, type HostFacts, isOwnerGone, printLeaseOwner, systemProcess } from './lease-owner.ts';

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

describe('distinctHost', () => {
  const facts: HostFacts = { name: 'node-1', boot: 'b1', processes: 'pid:[1]' };
  const process = (host: string) => ({ host, pid: 1, isAlive: () => false });
  /** Whether a process on one host says that one on the other is gone. */
  const saysGone = (own: HostFacts, other: HostFacts) => {
    const owner = printLeaseOwner(process(distinctHost(other, () => 'x')), 'id');
    return isOwnerGone(owner, process(distinctHost(own, () => 'y')));
  };

  test.each([
    [{}, true, 'the same processes'],
    [{ name: 'node-2' }, false, 'a host of another name'],
    [{ boot: 'b2' }, false, 'another machine of the same name'],
    [{ processes: 'pid:[2]' }, false, 'another container that shares the name and the machine'],
    [{ boot: null }, false, 'a host that does not tell its boot'],
    [{ processes: null }, false, 'a host that does not tell its processes'],
  ])('%j: %s (%s)', (difference, isGone, _case) => {
    const other = { ...facts, ...difference };
    expect([saysGone(facts, other), saysGone(other, facts)]).toEqual([isGone, isGone]);
  });

  test('two hosts that tell nothing of themselves are different ones', () => {
    const silent = { ...facts, boot: null, processes: null };
    expect(saysGone(silent, silent)).toBe(false);
  });
});

describe('systemProcess', () => {
  test('names the host more closely where several may work on the jobs', () => {
    const { host } = systemProcess({ spansHosts: true });
    expect(host.startsWith(`${systemProcess({ spansHosts: false }).host}/`)).toBe(true);
    expect(printLeaseOwner(systemProcess({ spansHosts: true }), 'id')).toMatch(/^\S+ \d+ id$/);
  });

  test('knows that this process lives and that a number beyond all others does not', () => {
    const { isAlive, pid } = systemProcess({ spansHosts: false });
    expect([isAlive(pid), isAlive(2 ** 31 - 1)]).toEqual([true, false]);
    expect(printLeaseOwner(systemProcess({ spansHosts: false }), 'id')).toMatch(/^\S+ \d+ id$/);
  });
});
