import { describe, expect, test } from 'vitest';
import { repetitions } from '../../../test/support/depth.ts';
import * as fc from '../../../test/support/properties.ts';
import { answer, doNow } from '../../values/work.ts';
import { MirrorApiError } from '../errors.ts';
import { checkParameters, type ParameterValues } from './check-parameters.ts';
import { operand, parseFilter } from './filter-operator.ts';
import { readTwoPartKey, type TwoPartKey } from './ordered-keys.ts';
import { orderedPage } from './ordered-page.ts';
import { type PageSettings, pageRequest } from './page-parameters.ts';
import { readQuery } from './query-text.ts';
import { collectScans, type PairScan, pairScans } from './two-part-scans.ts';

interface PairOf {
  readonly primary: bigint;
  readonly secondary: bigint;
}

const number = (text: string): bigint | null => (text === 'nobody' ? null : BigInt(text.replace('0.0.', '')));
const NFTS: TwoPartKey = {
  primary: { parameter: 'token.id', read: number, print: (id) => `0.0.${id}` },
  secondary: { parameter: 'serialnumber', read: number, print: String },
};
const ALLOWANCES: TwoPartKey = {
  primary: { parameter: 'spender.id', read: number, print: (id) => `0.0.${id}` },
  secondary: { parameter: 'token.id', read: number, print: (id) => `0.0.${id}` },
};

/** Where a scan finds its rows. */
function holds(scan: PairScan, { primary, secondary }: PairOf): boolean {
  const isIn = (value: bigint, range: { lower: bigint; upper: bigint }) =>
    value >= range.lower && value <= range.upper;
  if (scan.kind === 'group') return primary === scan.primary && isIn(secondary, scan.secondary);
  return isIn(primary, scan.primary) && (scan.kind === 'groups' || secondary === scan.secondary);
}

const PAGE: PageSettings = { dialect: 'hiero', defaultLimit: 25, maxLimit: 100, linkBase: '' };

/** A list over made-up rows, answered as a route would. */
async function ask(
  target: string,
  rows: readonly PairOf[],
  key = NFTS,
  defaultOrder: 'asc' | 'desc' = 'desc',
  page = PAGE,
): Promise<{ readonly shown: readonly PairOf[]; readonly next: string | null; readonly scans: number }> {
  const values = valuesOf(target);
  const conditions = await readTwoPartKey(values, key);
  const request = pageRequest(values, page, defaultOrder);
  const scans = pairScans(conditions, request.order);
  const ordered = request.order === 'asc' ? rows : rows.toReversed();
  const found = doNow(
    collectScans(scans, request.limit + 1, (scan, limit) =>
      answer(ordered.filter((row) => holds(scan, row)).slice(0, limit)),
    ),
  );
  const cursorOf = ({ primary, secondary }: PairOf) => [primary, secondary];
  const parts = [key.primary, key.secondary];
  const asked = [conditions.primary, conditions.secondary];
  return {
    ...orderedPage({ found, request, page, target, values, parts, conditions: asked, cursorOf }),
    scans: scans.length,
  };
}

function valuesOf(target: string): ParameterValues {
  const pairs = readQuery(target);
  return checkParameters(pairs, Object.fromEntries(pairs.map(({ name }) => [name, () => true])));
}

function pairs(...texts: readonly string[]): readonly PairOf[] {
  return texts.map((text) => {
    const [primary = '', secondary = ''] = text.split('/');
    return { primary: BigInt(primary), secondary: BigInt(secondary) };
  });
}

describe('violations', () => {
  const LOWER = 'Only one gt/gte operator is allowed for';
  const UPPER = 'Only one lt/lte operator is allowed for';
  test.each([
    ['token.id=1&token.id=1', 'Only one equal (eq) operator is allowed for token.id'],
    ['serialnumber=2&serialnumber=3', 'Only one equal (eq) operator is allowed for serialnumber'],
    ['token.id=gt:1&token.id=gte:2', `${LOWER} token.id`],
    ['serialnumber=gte:1&serialnumber=gte:1', `${LOWER} serialnumber`],
    ['token.id=lt:1&token.id=lte:2', `${UPPER} token.id`],
    ['serialnumber=lt:1&serialnumber=lt:2', `${UPPER} serialnumber`],
    ['token.id=ne:1', 'Not equal (ne) operator is not supported for token.id'],
    ['token.id=1&serialnumber=ne:1', 'Not equal (ne) operator is not supported for serialnumber'],
    ['token.id=1&token.id=gt:1', "Can't support both range and equal for token.id"],
    ['token.id=1&serialnumber=lte:4&serialnumber=3', "Can't support both range and equal for serialnumber"],
    ['serialnumber=3', 'serialnumber without a token.id parameter filter'],
    ['serialnumber=lte:3', 'serialnumber without a token.id parameter filter'],
    ['token.id=gt:1&serialnumber=gt:3', 'token.id must have gte or eq operator'],
    ['token.id=lte:1&serialnumber=gte:3', 'token.id must have gte or eq operator'],
    ['token.id=lt:1&serialnumber=lt:3', 'token.id must have lte or eq operator'],
    ['token.id=gte:1&serialnumber=lte:3', 'token.id must have lte or eq operator'],
    // Single values first, in the order of the query.
    ['serialnumber=ne:1&token.id=1&token.id=2', 'Not equal (ne) operator is not supported for serialnumber'],
    ['token.id=1&token.id=2&serialnumber=ne:1', 'Only one equal (eq) operator is allowed for token.id'],
    [
      'serialnumber=1&serialnumber=gt:1&token.id=ne:1',
      'Not equal (ne) operator is not supported for token.id',
    ],
    // Combinations in the order of the contract's table.
    [
      'serialnumber=1&serialnumber=gt:2&token.id=1&token.id=gt:1',
      "Can't support both range and equal for token.id",
    ],
    ['serialnumber=1&serialnumber=gt:2', "Can't support both range and equal for serialnumber"],
    [
      'token.id=gt:1&token.id=lt:9&serialnumber=gt:1&serialnumber=lt:9',
      'token.id must have gte or eq operator',
    ],
  ])('%s', async (query, message) => {
    const refusal = await ask(`/p?${query}`, []).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MirrorApiError);
    expect(refusal).toMatchObject({ statusCode: 400, messages: [{ message }] });
  });

  test('rules of other parameters are told where they stand in the query', async () => {
    const read = (query: string) =>
      readTwoPartKey(valuesOf(`/p?${query}`), NFTS, {
        'spender.id': (filters) => (filters.length > 1 ? 'one spender' : null),
      });
    await expect(read('token.id=ne:1&spender.id=1&spender.id=2')).rejects.toThrow('Not equal (ne)');
    await expect(read('spender.id=1&spender.id=2&token.id=ne:1')).rejects.toThrow('one spender');
    await expect(read('serialnumber=1&spender.id=1&spender.id=2')).rejects.toThrow('one spender');
  });
});

describe('links of the contract', () => {
  const nfts = pairs('99/1', '99/2', '100/1', '100/2', '100/3', '101/2', '101/3');
  const allowances = pairs(
    '2001/10001',
    '2001/10002',
    '2001/10006',
    '3001/10005',
    '3101/10005',
    '3102/10006',
  );
  test.each([
    ['?limit=2', '?limit=2&token.id=lte:0.0.101&serialnumber=lt:2', NFTS, nfts, 'desc'],
    ['?token.id=0.0.100&limit=1', '?token.id=0.0.100&limit=1&serialnumber=lt:3', NFTS, nfts, 'desc'],
    [
      '?token.id=gte:0.0.100&serialnumber=2&limit=1&order=asc',
      '?serialnumber=2&limit=1&order=asc&token.id=gt:0.0.100',
      NFTS,
      nfts,
      'desc',
    ],
    [
      '?spender.id=gte:2001&spender.id=lt:3101&limit=3',
      '?spender.id=lt:3101&spender.id=gte:0.0.2001&limit=3&token.id=gt:0.0.10006',
      ALLOWANCES,
      allowances,
      'asc',
    ],
    [
      '?spender.id=gte:2001&token.id=gt:10002&limit=2',
      '?limit=2&spender.id=gte:0.0.3001&token.id=gt:0.0.10005',
      ALLOWANCES,
      allowances,
      'asc',
    ],
    [
      '?spender.id=gte:2001&token.id=gt:10002&order=desc&limit=2',
      '?spender.id=gte:2001&spender.id=lte:0.0.3101&token.id=gt:10002&token.id=lt:0.0.10005&order=desc&limit=2',
      ALLOWANCES,
      allowances,
      'asc',
    ],
    [
      '?spender.id=gte:2001&spender.id=lt:3101&order=desc&limit=4',
      '?spender.id=gte:2001&spender.id=lte:0.0.2001&order=desc&limit=4&token.id=lt:0.0.10001',
      ALLOWANCES,
      allowances,
      'asc',
    ],
  ] as const)('%s', async (query, next, key, rows, order) => {
    expect((await ask(`/p${query}`, rows, key, order)).next).toBe(`/p${next}`);
  });

  test.each([
    ['both values are given', '?token.id=100&serialnumber=2&limit=1', 'hiero'],
    ['the conditions leave nothing below', '?token.id=100&serialnumber=gte:3&limit=1', 'hiero'],
    ['the page is not full', '?limit=8', 'hiero'],
    ['there is no further row', '?limit=7', 'spec'],
  ] as const)('null when %s', async (_, query, dialect) => {
    const { shown, next } = await ask(`/p${query}`, nfts, NFTS, 'desc', { ...PAGE, dialect });
    expect(shown.length).toBeGreaterThan(0);
    expect(next).toBeNull();
  });
});

describe('scans', () => {
  const scansOf = async (query: string) =>
    pairScans(await readTwoPartKey(valuesOf(`/p?${query}`), NFTS), 'asc');
  test('a range that is cut at both ends takes three', async () => {
    const scans = await scansOf('token.id=gte:5&token.id=lte:9&serialnumber=gt:2&serialnumber=lte:4');
    expect(scans).toMatchObject([
      { kind: 'group', primary: 5n, secondary: { lower: 3n } },
      { kind: 'groups', primary: { lower: 6n, upper: 8n } },
      { kind: 'group', primary: 9n, secondary: { upper: 4n } },
    ]);
  });

  test.each([
    ['an unknown name equals nothing', 'token.id=nobody', 0],
    ['nothing lies above an unknown name', 'token.id=gt:nobody', 0],
    ['everything lies below an unknown name', 'token.id=lte:nobody', 1],
    ['the greatest number has nothing above it', 'token.id=gt:9223372036854775807', 0],
    ['crossed bounds', 'token.id=gt:5&token.id=lt:6', 0],
    ['a group between crossed bounds', 'token.id=5&serialnumber=gt:5&serialnumber=lt:6', 0],
    [
      'two groups without anything between',
      'token.id=gte:5&token.id=lte:6&serialnumber=gt:1&serialnumber=lt:9',
      2,
    ],
  ])('%s', async (_, query, count) => {
    expect(await scansOf(query)).toHaveLength(count);
  });
});

/** The contract's meaning, read literally. */
function meets(query: ReadonlyMap<string, readonly string[]>, { primary, secondary }: PairOf): boolean {
  const first = conditionsOf(query.get('token.id') ?? []);
  const second = conditionsOf(query.get('serialnumber') ?? []);
  if (second.get('eq') !== undefined && secondary !== second.get('eq')) return false;
  const isSecondFilter = first.has('eq');
  if (isSecondFilter && primary !== first.get('eq')) return false;
  for (const [operator, bound] of first) if (!compare(primary, operator, bound)) return false;
  for (const [operator, bound] of second) {
    const isLower = operator.startsWith('g');
    const edge = first.get(isLower ? 'gte' : 'lte');
    const isConcerned = isSecondFilter || primary === edge;
    if (isConcerned && !compare(secondary, operator, bound)) return false;
  }
  return true;
}

function conditionsOf(texts: readonly string[]): ReadonlyMap<string, bigint> {
  return new Map(texts.map((text) => [parseFilter(text)?.operator ?? 'eq', BigInt(operand(text))]));
}

function compare(value: bigint, operator: string, bound: bigint): boolean {
  if (operator === 'eq') return value === bound;
  if (operator === 'gt') return value > bound;
  if (operator === 'gte') return value >= bound;
  return operator === 'lt' ? value < bound : value <= bound;
}

const small = fc.bigInt({ min: 0n, max: 6n });
const conditions = fc
  .record({
    equal: fc.option(small, { freq: 1 }),
    lower: fc.option(fc.tuple(fc.constantFrom('gt', 'gte', 'gte'), small), { freq: 3 }),
    upper: fc.option(fc.tuple(fc.constantFrom('lt', 'lte', 'lte'), small), { freq: 3 }),
  })
  .map(({ equal, lower, upper }) =>
    equal !== null
      ? [`${equal}`]
      : [lower, upper].flatMap((bound) => (bound === null ? [] : [bound.join(':')])),
  );

test('following next visits every row of the pairs asked for, in order, once, whatever is asked', async () => {
  const rowSet = fc.uniqueArray(fc.record({ primary: small, secondary: small }), {
    maxLength: 30,
    selector: ({ primary, secondary }) => `${primary}/${secondary}`,
  });
  const outcomes = { walked: 0, refused: 0, seen: 0, scans: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        rows: rowSet,
        first: conditions,
        second: conditions,
        limit: fc.integer({ min: 1, max: 5 }),
        order: fc.constantFrom('asc', 'desc'),
        dialect: fc.constantFrom('spec', 'hiero'),
        isSecondFirst: fc.boolean(),
      }),
      async ({ rows, first, second, limit, order, dialect, isSecondFirst }) => {
        const sorted = rows.toSorted((a, b) =>
          Number(a.primary === b.primary ? a.secondary - b.secondary : a.primary - b.primary),
        );
        const parts = [first.map((text) => `token.id=${text}`), second.map((text) => `serialnumber=${text}`)];
        const query = [
          ...(isSecondFirst ? parts.reverse() : parts).flat(),
          `limit=${limit}`,
          `order=${order}`,
        ];
        const target = `/p?${query.join('&')}`;
        const page = { ...PAGE, dialect };
        const start = await ask(target, sorted, NFTS, 'desc', page).catch((error: unknown) => error);
        if (start instanceof MirrorApiError) {
          outcomes.refused++;
          return;
        }
        const visited: PairOf[] = [];
        let next: string | null = target;
        // No walk takes more pages than there are rows, and one to see that nothing follows.
        for (let pages = 0; next !== null; pages++) {
          expect(pages).toBeLessThanOrEqual(rows.length);
          const answer = await ask(next, sorted, NFTS, 'desc', page);
          expect(answer.scans).toBeLessThanOrEqual(3);
          outcomes.scans = Math.max(outcomes.scans, answer.scans);
          visited.push(...answer.shown);
          next = answer.next;
        }
        const wanted = sorted.filter((row) => meets(valuesOf(target), row));
        expect(visited).toEqual(order === 'asc' ? wanted : wanted.toReversed());
        outcomes.walked++;
        outcomes.seen += visited.length;
      },
    ),
    { numRuns: 1500 },
  );
  expect(outcomes.walked).toBeGreaterThan(repetitions(300));
  expect(outcomes.seen).toBeGreaterThan(repetitions(300));
  expect(outcomes.scans).toBe(3);
});
