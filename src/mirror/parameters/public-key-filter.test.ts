import { describe, expect, test } from 'vitest';
import { NO_MATCH } from './no-match.ts';
import { isPublicKeyCondition, parsePublicKeyFilter, selectsKey } from './public-key-filter.ts';

const ED = '3c3d546321ff6f63d701d2ec5c277095874e19f4a235bee1e6bb19258bf362be';
const DER = `302a300506032b6570032100${ED}`;
const EC = `02${'ab'.repeat(32)}`;
const select = (...texts: readonly string[]) => parsePublicKeyFilter(texts);

describe('isPublicKeyCondition', () => {
  test.each([ED, `0x${ED}`, ED.toUpperCase(), EC, `0x${EC}`, DER, `0x${DER.toUpperCase()}`, `ne:${ED}`])(
    'accepts %s',
    (text) => expect(isPublicKeyCondition(text)).toBe(true),
  );

  test.each([
    '',
    'eq:',
    '0x',
    'abcdef',
    '-2',
    ED.slice(1),
    `${ED}0`,
    `${ED.slice(1)}g`,
    `0X${ED}`,
    `0x0x${ED}`,
    `like:${ED}`,
    `eq:eq:${ED}`,
    // A secp256k1 key as DER.
    `302d300706052b8104000a032200${EC}`,
    `${ED}\n`,
  ])('refuses %j', (text) => expect(isPublicKeyCondition(text)).toBe(false));
});

describe('parsePublicKeyFilter', () => {
  test.each([ED, `0x${ED}`, ED.toUpperCase(), DER, `eq:0x${DER.toUpperCase()}`])('%s is one key', (text) => {
    expect(select(text)).toEqual({ kind: 'one', key: ED });
  });

  test('88 digits that are not an Ed25519 key stay as they are', () => {
    const other = `302a300506032b6570042100${ED}`;
    expect(select(other)).toEqual({ kind: 'one', key: other });
  });

  test('without conditions it is null', () => expect(select()).toBeNull());

  test.each([
    [[ED, EC]],
    [[ED, `ne:${DER}`]],
    [[ED, `gt:${ED}`]],
    [[ED, `lt:${ED}`]],
    [[`gt:${ED}`, `lte:${ED}`]],
    [[`gte:${ED}`, `lt:${ED}`]],
    [[`lt:${EC}`, `gt:${ED}`]],
  ])('no key meets %j', (texts) => expect(select(...texts)).toBe(NO_MATCH));

  test.each([
    [['ne:'], [true, true, false, true]],
    [['gt:'], [false, false, false, true]],
    [['gte:'], [false, false, true, true]],
    [['lt:'], [true, true, false, false]],
    [['lte:'], [true, true, true, false]],
    [
      ['gte:', 'lte:'],
      [false, false, true, false],
    ],
    [
      ['lte:', 'ne:'],
      [true, true, false, false],
    ],
  ])('the operators %j compare the text', (operators, expected) => {
    const filter = select(...operators.map((operator) => `${operator}${ED}`));
    if (filter === null || filter === NO_MATCH) throw new Error('expected a filter');
    expect(['', EC, ED, `${ED}00`].map((key) => selectsKey(filter, key))).toEqual(expected);
  });
});
