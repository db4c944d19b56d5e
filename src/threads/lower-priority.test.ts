import { describe, expect, test } from 'vitest';
import { lowerPriority } from './lower-priority.ts';

const started = (niceness: number) => {
  const set: number[] = [];
  const priorities = {
    getPriority: () => niceness,
    setPriority: (priority: number) => {
      set.push(priority);
    },
  };
  return { priorities, set };
};

describe('the priority of a worker thread', () => {
  test.each([
    { niceness: 0, expected: 1 },
    { niceness: 10, expected: 11 },
    { niceness: 19, expected: 19 },
  ])('is one below that of a server started with niceness $niceness', ({ niceness, expected }) => {
    const { priorities, set } = started(niceness);
    lowerPriority('linux', priorities);
    expect(set).toEqual([expected]);
  });

  test('stays as it is where priorities belong to processes', () => {
    const { priorities, set } = started(0);
    lowerPriority('darwin', priorities);
    expect(set).toEqual([]);
  });

  test('is no reason not to work where it may not be changed, and other faults are told', () => {
    const refusing = (code: string) => ({
      getPriority: () => 0,
      setPriority: () => {
        throw Object.assign(new Error(code), { info: { code } });
      },
    });
    expect(() => lowerPriority('linux', refusing('EACCES'))).not.toThrow();
    expect(() => lowerPriority('linux', refusing('EPERM'))).not.toThrow();
    expect(() => lowerPriority('linux', refusing('EINVAL'))).toThrow('EINVAL');
  });
});
