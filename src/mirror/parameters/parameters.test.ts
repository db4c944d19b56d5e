import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { MirrorApiError } from '../errors.ts';
import { checkParameters } from './check-parameters.ts';
import { looksLikeEntity, parseEntityText } from './entity-id-text.ts';
import { parseFilter } from './filter-operator.ts';
import { nextLink } from './next-link.ts';
import { selectIntegers } from './page-parameters.ts';
import { readQuery, requestPath } from './query-text.ts';

const HOME = { shard: 0n, realm: 0n };

describe('readQuery', () => {
  test.each([
    ['/a', []],
    ['/a?', []],
    ['/a?LIMIT=5&limit=6', ['limit=5', 'limit=6']],
    ['/a?x=a+b%20c&y=%zz', ['x=a b c', 'y=%zz']],
    ['/a?t[]=1&t[0]=2', ['t=1', 't=2']],
    ['/a?t[ne]=1', ['t=1 nested']],
    ['/a?=1&b', ['=1', 'b=']],
    ['/a?b=c?d=e', ['b=c?d=e']],
  ])('%s gives %j', (target, expected) => {
    expect(
      readQuery(target).map(({ isNested, name, value }) => `${name}=${value}${isNested ? ' nested' : ''}`),
    ).toEqual(expected);
  });

  test('any text survives encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(readQuery(`/a?x=${encodeURIComponent(value)}`)).toEqual([
          { name: 'x', value, isNested: false },
        ]);
      }),
    );
  });
});

describe('requestPath', () => {
  test.each([
    ['/api/v1/transactions/?limit=1', '/api/v1/transactions'],
    ['/api/v1/transactions', '/api/v1/transactions'],
    ['/', '/'],
  ])('%s is %s', (target, path) => {
    expect(requestPath(target)).toBe(path);
  });
});

describe('parseFilter', () => {
  test.each([
    ['5', 'eq', '5'],
    ['gte:5', 'gte', '5'],
    ['ne:', 'ne', ''],
  ])('%s is %s %s', (text, operator, value) => {
    expect(parseFilter(text)).toEqual({ operator, value });
  });

  test.each(['GT:5', 'x:5', 'gt:5:6', 'x:gt:5', ':5'])('%s is refused', (text) => {
    expect(parseFilter(text)).toBeNull();
  });
});

describe('checkParameters', () => {
  const check = (target: string) => () =>
    checkParameters(readQuery(target), { a: (value) => value === 'ok', b: (value) => value === 'ok' }, 2);

  test('names keep the order of their first appearance', () => {
    expect([...check('/?B=ok&a=ok&b=ok')()]).toEqual([
      ['b', ['ok', 'ok']],
      ['a', ['ok']],
    ]);
  });

  test('counts come first, then bad values, then unknown names, one message per value', () => {
    const fault = (() => {
      try {
        return check('/?x=1&b=no&x=2&a=1&a=2&a=3&b=bad')();
      } catch (error) {
        return error;
      }
    })();
    expect(fault).toBeInstanceOf(MirrorApiError);
    expect((fault as MirrorApiError).messages.map(({ message }) => message)).toEqual([
      'Parameter values count exceeds maximum number allowed: a count: 3 max: 2',
      'Invalid parameter: b',
      'Invalid parameter: b',
      'Unknown query parameter: x',
      'Unknown query parameter: x',
    ]);
  });
});

describe('parseEntityText', () => {
  test.each([
    ['0.0.98', 98n],
    ['98', 98n],
    ['0.98', 98n],
    ['1.2.3', (1n << 54n) | (2n << 38n) | 3n],
    ['274877906943', 274_877_906_943n],
    ['0x00000000000000000000000000000000000003E9', 1001n],
    ['0.0.00000000000000000000000000000000000003e9', 1001n],
  ])('%s is encoded as %d', (text, id) => {
    expect(looksLikeEntity(text)).toBe(true);
    expect(parseEntityText(text, HOME)).toEqual({ kind: 'id', id });
  });

  test('shorter forms take the shard and realm of the network', () => {
    const home = { shard: 1n, realm: 2n };
    expect(parseEntityText('3', home)).toEqual(parseEntityText('1.2.3', HOME));
    expect(parseEntityText('5.3', home)).toEqual(parseEntityText('1.5.3', HOME));
  });

  test('an address with the shard and realm of the network names the number in it, another one does not', () => {
    const home = { shard: 11n, realm: 12n };
    const written = '0x0000000b000000000000000c00000000000003e9';
    expect(parseEntityText(written, home)).toEqual(parseEntityText('11.12.1001', home));
    expect(parseEntityText(written, HOME)).toEqual({ kind: 'evm-address', hex: written.slice(2) });
  });

  test.each(['1024.0.1', '1.65536.1', '1234567890.1234567890.1234567890'])(
    '%s is in the documented pattern but nobody has it',
    (text) => {
      expect(parseEntityText(text, HOME)).toEqual({ kind: 'none' });
    },
  );

  test.each([
    ['-5', '0.0.-5'],
    ['1234567890123', '0.0.1234567890123'],
    ['70000.1', '70000.1'],
  ])('%s is refused as %s', (text, named) => {
    expect(looksLikeEntity(text)).toBe(true);
    expect(() => parseEntityText(text, HOME)).toThrow(`Invalid entity ID "${named}"`);
  });

  test.each(['', '0.x', '0.0.0.1', '1.2.3-4', '0x12', ' 5'])('%j has no form of an entity', (text) => {
    expect(looksLikeEntity(text)).toBe(false);
  });
});

describe('selectIntegers', () => {
  test('a value is selected when it meets every condition', () => {
    const operator = fc.constantFrom('ne', 'gt', 'gte', 'lt', 'lte');
    fc.assert(
      fc.property(
        fc.array(fc.record({ operator, value: fc.bigInt({ min: 0n, max: 9n }) }), { maxLength: 4 }),
        fc.bigInt({ min: 0n, max: 9n }),
        (conditions, candidate) => {
          const { excluded, lower, upper } = selectIntegers(conditions);
          const isSelected = candidate >= lower && candidate <= upper && !excluded.has(candidate);
          const expected = conditions.every(({ operator: op, value }) =>
            op === 'ne'
              ? candidate !== value
              : op === 'gt'
                ? candidate > value
                : op === 'gte'
                  ? candidate >= value
                  : op === 'lt'
                    ? candidate < value
                    : candidate <= value,
          );
          expect(isSelected).toBe(expected);
        },
      ),
    );
  });

  test.each([
    ['gt', MAX_INT64],
    ['lt', -(2n ** 63n)],
  ] as const)('%s %d leaves nothing, and no bound beyond int64', (operator, value) => {
    expect(selectIntegers([{ operator, value }])).toMatchObject({ lower: 1n, upper: 0n });
  });

  test('bounds stay inside int64', () => {
    const { lower, upper } = selectIntegers([{ operator: 'lte', value: MAX_INT64 + 5n }]);
    expect([lower, upper]).toEqual([-(2n ** 63n), MAX_INT64]);
  });
});

describe('nextLink', () => {
  const LAST = '1700500003.000000002';
  const link = (query: string, order: 'asc' | 'desc') =>
    nextLink('/p', checkParameters(readQuery(`/p${query}`), acceptAll), {
      parameter: 'timestamp',
      order,
      value: LAST,
    });
  const any = () => true;
  const acceptAll = {
    limit: any,
    order: any,
    timestamp: any,
    result: any,
    'account.id': any,
    transactiontype: any,
  };

  test.each([
    ['', 'desc', `?timestamp=lt:${LAST}`],
    ['?limit=3', 'desc', `?limit=3&timestamp=lt:${LAST}`],
    ['?timestamp=lt:9&limit=2', 'desc', `?limit=2&timestamp=lt:${LAST}`],
    [
      '?order=desc&timestamp=lte:9&account.id=0.0.1&limit=1',
      'desc',
      `?order=desc&account.id=0.0.1&limit=1&timestamp=lt:${LAST}`,
    ],
    ['?timestamp=gt:1&timestamp=lte:9&limit=4', 'desc', `?timestamp=gt:1&timestamp=lt:${LAST}&limit=4`],
    [
      '?timestamp=gt:1&timestamp=lte:9&limit=4&order=asc',
      'asc',
      `?timestamp=lte:9&timestamp=gt:${LAST}&limit=4&order=asc`,
    ],
    ['?timestamp=gte:1&limit=1', 'desc', `?timestamp=gte:1&timestamp=lt:${LAST}&limit=1`],
    ['?timestamp=ne:5&limit=2', 'desc', `?timestamp=ne:5&timestamp=lt:${LAST}&limit=2`],
    ['?timestamp=ne:5&timestamp=gt:1', 'desc', `?timestamp=ne:5&timestamp=gt:1&timestamp=lt:${LAST}`],
    ['?RESULT=Success&Limit=2&ORDER=Asc', 'asc', `?result=success&limit=2&order=asc&timestamp=gt:${LAST}`],
    [
      '?limit=1&limit=2&transactiontype=CryptoTransfer',
      'desc',
      `?limit=1&limit=2&transactiontype=CryptoTransfer&timestamp=lt:${LAST}`,
    ],
  ] as const)('%s (%s) continues at %s', (query, order, expected) => {
    expect(link(query, order)).toBe(`/p${expected}`);
  });
});
