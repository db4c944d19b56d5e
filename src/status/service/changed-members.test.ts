import { describe, expect, test } from 'vitest';
import { changedMembers } from './create-status-service.ts';

describe('changedMembers', () => {
  test('keeps the members that differ, with both values', () => {
    expect(
      changedMembers({ id: 'a', name: 'Old', status: 'x' }, { id: 'a', name: 'New', status: 'x' }),
    ).toEqual({
      before: { name: 'Old' },
      after: { name: 'New' },
    });
  });

  test('keeps of a list with ids only the items that are new, gone or different', () => {
    const update = (id: string, body: string) => ({ id, body });
    const before = { incident_updates: [update('2', 'two'), update('1', 'one')] };
    const after = { incident_updates: [update('3', 'three'), update('2', 'TWO'), update('1', 'one')] };
    expect(changedMembers(before, after)).toEqual({
      before: { incident_updates: [update('2', 'two')] },
      after: { incident_updates: [update('3', 'three'), update('2', 'TWO')] },
    });
  });

  test('keeps lists of plain values whole, and everything of what came or went', () => {
    expect(changedMembers({ components: ['a'] }, { components: ['a', 'b'] })).toEqual({
      before: { components: ['a'] },
      after: { components: ['a', 'b'] },
    });
    expect(changedMembers(null, { id: 'a' })).toEqual({ before: null, after: { id: 'a' } });
    expect(changedMembers({ id: 'a' }, null)).toEqual({ before: { id: 'a' }, after: null });
  });
});
