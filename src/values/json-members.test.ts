import { expect, test } from 'vitest';
import { JsonMembers } from './json-members.ts';

const OBJECT = {
  abi: [{ name: 'a "quoted" name\\', inputs: [{ type: 'uint256' }, []] }, {}],
  'a "name" with: , } [ marks\\': 'and "a value\\" with } , ] marks\\\\',
  empty: {},
  text: '',
  none: null,
  number: -1.5e300,
  isSo: true,
  nested: { abi: { abi: ['\\"', '}', '",'] } },
};

test('each member is the text that JSON.stringify makes of it, and its value', () => {
  const members = new JsonMembers(JSON.stringify(OBJECT));
  for (const [name, value] of Object.entries(OBJECT)) {
    expect(members.text(name)).toBe(value === null ? null : JSON.stringify(value));
    expect(members.value(name)).toEqual(value);
  }
});

test.each(['{}', JSON.stringify({ ABI: 1 })])('what is not there is null: %s', (text) => {
  expect([new JsonMembers(text).text('abi'), new JsonMembers(text).value('abi')]).toEqual([null, null]);
});

test.each([
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['brackets', '['],
])('a megabyte of %s takes no longer than a megabyte', (_, mark) => {
  const members = new JsonMembers(JSON.stringify({ long: mark.repeat(1_000_000), abi: [1] }));
  const began = process.cpuUsage().user;
  expect(members.text('abi')).toBe('[1]');
  expect(process.cpuUsage().user - began).toBeLessThan(1_000_000);
});
