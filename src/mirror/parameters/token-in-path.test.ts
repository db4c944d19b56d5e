import { describe, expect, test } from 'vitest';
import { encodeEntityId } from '../../values/entity-id.ts';
import { numberInPath, tokenInPath } from './token-in-path.ts';

const MAIN = { shard: 0n, realm: 0n };
const OTHER = { shard: 3n, realm: 2n };
const LONG_ZERO = '000000000000000000000000000000000000046f';

describe('tokenInPath', () => {
  test.each([
    '1135',
    '0.1135',
    '0.0.1135',
    `0x${LONG_ZERO}`,
    LONG_ZERO.toUpperCase(),
    `0.0.${LONG_ZERO}`,
    `0.${LONG_ZERO}`,
  ])('%s is token 1135', (text) => {
    expect(tokenInPath(text, MAIN)).toBe(1135n);
  });

  test('shorter forms and addresses are of the network, longer ones name another', () => {
    for (const text of ['1135', '2.1135', '3.2.1135', `0x${LONG_ZERO}`, `3.2.${LONG_ZERO}`])
      expect(tokenInPath(text, OTHER)).toBe(encodeEntityId(3n, 2n, 1135n));
    expect(tokenInPath('0.7.25301', MAIN)).toBe(encodeEntityId(0n, 7n, 25_301n));
  });

  test.each([
    ['text', 'abc'],
    ['nothing', ''],
    ['four numbers', '0.0.1.2'],
    ['a sign', '-1'],
    ['13 digits', '1000000000000'],
    ['more than 38 bits', '274877906944'],
    ['a realm beyond 16 bits', '0.65536.1'],
    ['0x after shard and realm', `0.0.0x${LONG_ZERO}`],
    ['an address that tells no number', '0xac384c53f03855fa1b3616052f8ba32c6c2a2fff'],
    ['number 0 as an address', `0x${'0'.repeat(40)}`],
    ['an address of another realm', `1.${LONG_ZERO}`],
    ['an address of another shard', `1.0.${LONG_ZERO}`],
    ['an operator', 'eq:1135'],
  ])('%s is refused', (_what, text) => {
    expect(() => tokenInPath(text, MAIN)).toThrow('Invalid parameter: tokenid');
  });
});

describe('numberInPath', () => {
  test('takes numbers and no address', () => {
    expect(numberInPath('0.0.7', 'topic.id', MAIN)).toBe(7n);
    expect(() => numberInPath(`0x${LONG_ZERO}`, 'topic.id', MAIN)).toThrow('Invalid parameter: topic.id');
    expect(() => numberInPath('x', 'scheduleid', MAIN)).toThrow('Invalid parameter: scheduleid');
  });
});
