import { expect, test } from 'vitest';
import { namesInSource } from './names-in-source.ts';

test.each([
  ['a.vy', ['a']],
  ['contracts/a.b.vy', ['a.b']],
  ['C:\\contracts\\a.vy', ['a']],
  ['contracts/.vy', []],
  ['contracts/a.vyi', []],
  ['a.vy/b', []],
])('the contract of the Vyper source %s is %j', (path, names) => {
  expect(namesInSource(path, '', 'Vyper')).toEqual(names);
});
