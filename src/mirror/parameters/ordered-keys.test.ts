import { describe, expect, test } from 'vitest';
import { repetitions } from '../../../test/support/depth.ts';
import * as fc from '../../../test/support/properties.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { answer, doWork } from '../../values/work.ts';
import { MirrorApiError } from '../errors.ts';
import { checkParameters, type ParameterValues } from './check-parameters.ts';
import { operand, parseFilter } from './filter-operator.ts';
import { type KeyPart, meetsKeys, readOrderedKeys } from './ordered-keys.ts';
import { orderedPage } from './ordered-page.ts';
import { type KeyWalk, keyRange, walkKeys } from './ordered-range.ts';
import { type PageSettings, pageRequest } from './page-parameters.ts';
import { readQuery } from './query-text.ts';

type Key = readonly [receiver: bigint, token: bigint, serial: bigint];

const id = (parameter: string): KeyPart => ({
  parameter,
  read: (text) => (text === 'nobody' ? null : BigInt(text.replace('0.0.', ''))),
  print: (value) => `0.0.${value}`,
});
const PARTS = [id('receiver.id'), id('token.id'), { ...id('serialnumber'), print: String }];
const PAGE: PageSettings = { dialect: 'hiero', defaultLimit: 25, maxLimit: 100, linkBase: '' };

/** A list over made-up rows, answered as a route would; rows without a serial number are those of fungible tokens. */
async function ask(target: string, rows: readonly Key[], page = PAGE) {
  const values = valuesOf(target);
  const conditions = await readOrderedKeys(values, PARTS);
  const request = pageRequest(values, page, 'asc');
  const ordered = request.order === 'asc' ? rows : rows.toReversed();
  const walk: KeyWalk<Key> = {
    order: request.order,
    limit: request.limit + 1,
    keyOf: (row) => row,
    isWanted: (row) => meetsKeys(conditions, row),
    read: ({ lower, upper }, count) =>
      answer(ordered.filter((row) => compare(row, lower) >= 0 && compare(row, upper) <= 0).slice(0, count)),
  };
  const found = await doWork(walkKeys(keyRange(conditions), walk), null);
  const cursorOf = (row: Key) => (row[2] === 0n ? row.slice(0, 2) : row);
  return orderedPage({ found, request, page, target, values, parts: PARTS, conditions, cursorOf });
}

function valuesOf(target: string): ParameterValues {
  const pairs = readQuery(target);
  return checkParameters(pairs, Object.fromEntries(pairs.map(({ name }) => [name, () => true])));
}

function compare(left: readonly bigint[], right: readonly bigint[]): number {
  for (const [index, one] of left.entries()) {
    const other = right[index] ?? 0n;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function keys(...texts: readonly string[]): readonly Key[] {
  return texts.map((text) => text.split('/').map(BigInt) as unknown as Key);
}

const LOWER = 'Only one gt/gte operator is allowed for';
const UPPER = 'Only one lt/lte operator is allowed for';

test.each([
  ['token.id=ne:5', 'Unsupported range operator ne for token.id'],
  ['receiver.id=1&token.id=ne:5', 'Unsupported range operator ne for token.id'],
  ['receiver.id=1&receiver.id=2', 'Only one equal (eq) operator is allowed for receiver.id'],
  ['receiver.id=1&receiver.id=gt:2', "Can't support both range and equal for receiver.id"],
  ['serialnumber=lt:9&serialnumber=eq:2', "Can't support both range and equal for serialnumber"],
  ['token.id=gt:1&token.id=gte:2', `${LOWER} token.id`],
  ['token.id=lt:1&token.id=gt:0&token.id=lte:2', `${UPPER} token.id`],
  // The first in the query is told.
  ['token.id=gt:1&token.id=gt:1&receiver.id=ne:1', `${LOWER} token.id`],
  ['receiver.id=ne:1&token.id=gt:1&token.id=gt:1', 'Unsupported range operator ne for receiver.id'],
])('%s is refused', async (query, message) => {
  const refusal = await ask(`/p?${query}`, []).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(MirrorApiError);
  expect(refusal).toMatchObject({ statusCode: 400, messages: [{ message }] });
});

describe('links', () => {
  const rows = keys('2/5/0', '2/10/10', '2/10/11', '3/5/0', '3/10/12');
  const bounds = 'receiver.id=lt:0.0.4&receiver.id=gte';
  const tokens = 'token.id=lte:0.0.10&token.id';
  test.each([
    // As the reference tests them.
    [
      `?limit=1&receiver.id=gte:0.0.1&receiver.id=lt:0.0.4&${tokens}=gt:0.0.3&serialnumber=gt:5`,
      `?limit=1&${bounds}:0.0.2&${tokens}=gt:0.0.5`,
    ],
    [
      `?limit=1&${bounds}:0.0.2&${tokens}=gt:0.0.5`,
      `?limit=1&${bounds}:0.0.2&${tokens}=gte:0.0.10&serialnumber=gt:10`,
    ],
    [
      `?limit=1&${bounds}:0.0.2&${tokens}=gte:0.0.10&serialnumber=gt:11`,
      `?limit=1&${bounds}:0.0.3&${tokens}=gt:0.0.5`,
    ],
    [
      '?limit=1&receiver.id=gte:2&order=desc',
      '?limit=1&receiver.id=gte:2&receiver.id=lte:0.0.3&order=desc&token.id=lte:0.0.10&serialnumber=lt:12',
    ],
    ['?limit=1&token.id=gt:4', '?limit=1&receiver.id=gte:0.0.2&token.id=gt:0.0.5'],
    ['?limit=1&receiver.id=gte:2&token.id=5', '?limit=1&token.id=5&receiver.id=gt:0.0.2'],
    // Serial numbers of one token tell rows of one receiver apart.
    [
      '?limit=1&receiver.id=gte:2&token.id=10',
      '?limit=1&token.id=10&receiver.id=gte:0.0.2&serialnumber=gt:10',
    ],
    ['?limit=1&receiver.id=2&serialnumber=10', '?limit=1&receiver.id=2&serialnumber=10&token.id=gt:0.0.10'],
    [
      '?limit=1&receiver.id=2&token.id=10&serialnumber=lte:11',
      '?limit=1&receiver.id=2&token.id=10&serialnumber=lte:11&serialnumber=gt:10',
    ],
  ])('%s', async (query, next) => {
    expect((await ask(`/p${query}`, rows)).next).toBe(`/p${next}`);
  });

  test.each([
    ['every part of the cursor is given', '?limit=1&receiver.id=2&token.id=5', 'hiero'],
    ['all three are given', '?limit=1&receiver.id=2&token.id=10&serialnumber=10', 'hiero'],
    [
      'the conditions leave nothing after it',
      '?limit=1&receiver.id=2&token.id=10&serialnumber=lt:11',
      'hiero',
    ],
    ['the page is not full', '?limit=6', 'hiero'],
    ['there is no further row', '?limit=5', 'spec'],
  ] as const)('null when %s', async (_, query, dialect) => {
    const { next, shown } = await ask(`/p${query}`, rows, { ...PAGE, dialect });
    expect(shown.length).toBeGreaterThan(0);
    expect(next).toBeNull();
  });
});

describe('keyRange', () => {
  const rangeOf = async (query: string) => keyRange(await readOrderedKeys(valuesOf(`/p?${query}`), PARTS));

  test('follows inclusive bounds and given values as far as they go', async () => {
    expect(await rangeOf('receiver.id=gte:2&receiver.id=lt:9&token.id=5&serialnumber=gt:7')).toEqual({
      lower: [2n, 5n, 8n],
      upper: [8n, MAX_INT64, MAX_INT64],
    });
    expect(await rangeOf('token.id=gte:4')).toEqual({
      lower: [MIN_INT64, MIN_INT64, MIN_INT64],
      upper: [MAX_INT64, MAX_INT64, MAX_INT64],
    });
  });

  test.each([
    ['nothing is a name that nobody has', 'receiver.id=nobody'],
    ['nothing lies above it', 'receiver.id=gt:nobody'],
    ['nothing lies above the greatest number', 'receiver.id=gt:9223372036854775807'],
    ['crossed bounds', 'receiver.id=5&token.id=gt:4&token.id=lt:5'],
  ])('is null: %s', async (_, query) => {
    expect(await rangeOf(query)).toBeNull();
  });

  test('bounds beyond int64 move the part before them', async () => {
    expect(await rangeOf('receiver.id=gte:2&token.id=gt:nobody')).toMatchObject({
      lower: [3n, MIN_INT64, MIN_INT64],
    });
    expect(await rangeOf('receiver.id=lte:2&token.id=lt:-9223372036854775808')).toMatchObject({
      upper: [1n, MAX_INT64, MAX_INT64],
    });
    expect(await rangeOf('receiver.id=lte:nobody')).toMatchObject({
      upper: [MAX_INT64, MAX_INT64, MAX_INT64],
    });
  });
});

test('a walk over rows that are not wanted goes on behind each step', async () => {
  const rows = Array.from({ length: 9000 }, (_, index): Key => [1n, BigInt(index), 0n]);
  const reads: number[] = [];
  const range = keyRange(await readOrderedKeys(valuesOf('/p?receiver.id=1'), PARTS));
  const walk: KeyWalk<Key> = {
    order: 'desc',
    limit: 3,
    keyOf: (row) => row,
    isWanted: (row) => row[1] % 1000n === 7n,
    read: ({ lower, upper }, count) => {
      reads.push(count);
      return answer(
        rows
          .toReversed()
          .filter((row) => compare(row, lower) >= 0 && compare(row, upper) <= 0)
          .slice(0, count),
      );
    },
  };
  const found = await doWork(walkKeys(range, walk), null);
  expect(found.map((row) => row[1])).toEqual([8007n, 7007n, 6007n]);
  expect(reads).toEqual([3, 2000, 2000]);
});

type Conditions = ReadonlyMap<string, bigint>;

/** The contract's meaning, read literally. */
function meets(query: ParameterValues, row: Key): boolean {
  const names = PARTS.map(({ parameter }, index) => ({
    value: row[index] ?? 0n,
    conditions: new Map(
      (query.get(parameter) ?? []).map((text) => [
        parseFilter(text)?.operator ?? 'eq',
        BigInt(operand(text)),
      ]),
    ) as Conditions,
  }));
  if (names.some(({ conditions, value }) => conditions.has('eq') && conditions.get('eq') !== value))
    return false;
  const remaining = names.filter(({ conditions }) => !conditions.has('eq'));
  const side = (list: typeof remaining, more: 'gt' | 'lt'): boolean => {
    const index = list.findIndex(({ conditions }) => conditions.has(more) || conditions.has(`${more}e`));
    const first = list[index];
    if (first === undefined) return true;
    const bound = first.conditions.get(more) ?? first.conditions.get(`${more}e`) ?? 0n;
    if (more === 'gt' ? first.value > bound : first.value < bound) return true;
    return first.value === bound && first.conditions.has(`${more}e`) && side(list.slice(index + 1), more);
  };
  return side(remaining, 'gt') && side(remaining, 'lt');
}

/** Whether what is asked in the direction of the list is one range: then the links ask for no more. */
function isOneRange(query: ParameterValues, order: 'asc' | 'desc'): boolean {
  const direction = order === 'asc' ? /^gte?:/ : /^lte?:/;
  let isOpen = false;
  for (const { parameter } of PARTS) {
    const texts = query.get(parameter) ?? [];
    if (texts.some((text) => /^\d/.test(text))) continue;
    const bound = texts.find((text) => direction.test(text));
    if (bound === undefined) isOpen = true;
    else if (isOpen) return false;
    // The bounds after an exclusive one are without meaning.
    else if (!bound.includes('e:')) return true;
  }
  return true;
}

const small = fc.bigInt({ min: 0n, max: 5n });
const bound = (...operators: readonly string[]) =>
  fc.option(fc.tuple(fc.constantFrom(...operators), small), { freq: 3 });
const conditions = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: small.map((value) => [`${value}`]) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(bound('gt', 'gte', 'gte'), bound('lt', 'lte', 'lte'))
      .map((bounds) => bounds.flatMap((each) => (each === null ? [] : [each.join(':')]))),
  },
);

test('following next visits every row asked for, in order, once, whatever is asked', async () => {
  // Even tokens are fungible.
  const row = fc
    .tuple(small, small, fc.bigInt({ min: 1n, max: 5n }))
    .map(([receiver, token, serial]): Key => [receiver, token, token % 2n === 0n ? 0n : serial]);
  const outcomes = { ranges: 0, others: 0, seen: 0, beyond: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(row, { minLength: 10, maxLength: 40, selector: (key) => key.join('/') }),
      fc.tuple(conditions, conditions, conditions),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.constantFrom('spec' as const, 'hiero' as const),
      async (rows, asked, limit, order, dialect) => {
        const sorted = rows.toSorted(compare);
        const parts = asked.flatMap((texts, index) =>
          texts.map((text) => `${PARTS[index]?.parameter}=${text}`),
        );
        const target = `/p?${[...parts, `limit=${limit}`, `order=${order}`].join('&')}`;
        const visited: Key[] = [];
        let next: string | null = target;
        // No walk takes more pages than there are rows, and one to see that nothing follows.
        for (let pages = 0; next !== null; pages++) {
          expect(pages).toBeLessThanOrEqual(rows.length);
          const answer = await ask(next, sorted, { ...PAGE, dialect });
          visited.push(...answer.shown);
          next = answer.next;
        }
        const inOrder = order === 'asc' ? sorted : sorted.toReversed();
        const query = valuesOf(target);
        const wanted = inOrder.filter((key) => meets(query, key));
        if (isOneRange(query, order)) {
          expect(visited).toEqual(wanted);
          outcomes.ranges++;
        } else {
          // A bound behind a part without one filters the first page alone, as in the reference.
          const seen = new Set(visited);
          expect(visited).toEqual(inOrder.filter((key) => seen.has(key)));
          expect(wanted.filter((key) => !seen.has(key))).toEqual([]);
          outcomes.others++;
          outcomes.beyond += visited.length - wanted.length;
        }
        outcomes.seen += visited.length;
      },
    ),
    { numRuns: 1500 },
  );
  expect(outcomes.ranges).toBeGreaterThan(repetitions(300));
  expect(outcomes.others).toBeGreaterThan(repetitions(100));
  expect(outcomes.seen).toBeGreaterThan(repetitions(1000));
  expect(outcomes.beyond).toBeGreaterThan(0);
});
