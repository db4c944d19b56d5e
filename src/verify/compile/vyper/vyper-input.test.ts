import { expect, test } from 'vitest';
import { vyperOutputs } from './vyper-compiler.ts';

const DOCUMENTS = ['userdoc', 'devdoc'];
const MAP = 'evm.bytecode.sourceMap';
const LAYOUT = 'layout';

test.each([
  ['0.1.0-beta.17+commit.0671b7b', []],
  ['0.2.0+commit.02ea0ef', DOCUMENTS],
  ['0.3.10+commit.91361694', DOCUMENTS],
  ['0.4.0b6+commit.71faa8f6', DOCUMENTS],
  ['0.4.0rc3+commit.60811f7b', DOCUMENTS],
  ['0.4.0rc4+commit.f213655b', [...DOCUMENTS, MAP]],
  ['0.4.0+commit.e9db8d9f', [...DOCUMENTS, MAP]],
  ['0.4.1b1+commit.039d3692', [...DOCUMENTS, MAP, LAYOUT]],
  ['0.4.3+commit.bff19ea2', [...DOCUMENTS, MAP, LAYOUT]],
])('vyper %s is asked for what it has', (version, expected) => {
  const found = vyperOutputs(version, true);
  expect(found.filter((each) => [...DOCUMENTS, MAP, LAYOUT].includes(each))).toEqual(expected);
  expect(vyperOutputs(version, false)).toEqual(found.filter((each) => !DOCUMENTS.includes(each)));
});
