import { type TSchema, Type } from '@sinclair/typebox';
import { MAX_INT64 } from '../../values/int64.ts';
import type { MaybePromise } from '../../values/map-maybe.ts';
import { invalidRequest } from '../errors.ts';
import { accountConditions } from '../parameters/account-conditions.ts';
import {
  type AccountFilter,
  accountSelection,
  isAccountCondition,
  parseAccountFilter,
} from '../parameters/account-filter.ts';
import { type AndedIntegers, andIntegers } from '../parameters/anded-integers.ts';
import type { EntityNames } from '../parameters/entity-in-path.ts';
import { type FilterOperator, isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { isFlag, parseFlag } from '../parameters/flag.ts';
import { NO_MATCH, type NoMatch } from '../parameters/no-match.ts';
import { type IntegerSelection, selectIntegers } from '../parameters/page-parameters.ts';
import {
  isPublicKeyCondition,
  type PublicKeyFilter,
  parsePublicKeyFilter,
} from '../parameters/public-key-filter.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { numberOfText, tokenOfText } from '../parameters/token-in-path.ts';
import { selectWords, type WordSelection } from '../parameters/word-text.ts';

/** What parameters are read with. */
interface ParameterContext {
  readonly names: EntityNames;
}

/** The values that a parameter leaves for the one by which a list is ordered; null for all. */
type Left = Pick<IntegerSelection, 'equal' | 'lower' | 'upper'> | null;

/** A parameter of a query: its schema in the API documents, its check, and what checked values mean. */
export interface Parameter<Value, Context = ParameterContext> {
  readonly schema: TSchema;
  readonly check: (text: string, context: Context) => boolean;
  /** Of no texts as well; {@link NO_MATCH} where nothing can meet them. */
  readonly read: (texts: readonly string[], context: Context) => MaybePromise<Value | NoMatch>;
  /** Where a list is ordered by the parameter. */
  readonly left?: (value: Value) => Left;
}

interface Condition {
  readonly operator: FilterOperator;
  readonly value: bigint;
}

/** What the documents tell of a parameter. */
export interface Described {
  /** Of all values. */
  readonly description?: string;
  /** Of a value, after the operator; null where the documents have none. */
  readonly pattern?: string | null;
  /** Of a value. */
  readonly each?: string;
  readonly maxItems?: number;
}

interface IntegerOptions extends Described {
  /** The refusal of `ne`, which otherwise leaves values out. */
  readonly withoutNe?: string;
  /** Whether `ne` is no operator of the parameter at all. */
  readonly isNeInvalid?: true;
}

const OPERATORS = '((eq|gt|gte|lt|lte|ne):)?';
const NO_NE = '((eq|gt|gte|lt|lte):)?';
const TIME = '\\d{1,10}(\\.\\d{1,9})?';
const DIGITS = '\\d{1,19}';
const NUMBER = '(\\d{1,10}\\.){0,2}\\d{1,12}';
const PUBLIC_KEY = '(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{66}|[0-9A-Fa-f]{88})';

/** The schema of values with optional operators. */
export function repeated(
  operators: string,
  usual: string | null,
  { description, each, maxItems, pattern = usual }: Described,
): TSchema {
  return Type.Optional(
    Type.Array(
      Type.String({
        ...(pattern === null ? {} : { pattern: `^${operators}${pattern}$` }),
        ...(each === undefined ? {} : { description: each }),
      }),
      {
        ...(maxItems === undefined ? {} : { maxItems }),
        ...(description === undefined ? {} : { description }),
      },
    ),
  );
}

/** How the conditions of one parameter hold together. */
interface Combination<Value> {
  readonly combine: (conditions: readonly Condition[]) => Value | NoMatch;
  readonly left?: (value: Value) => Left;
}

/** Values without operator are a set, of which any will do. */
export const ANY_OF = {
  combine: (conditions: readonly Condition[]) => possible(selectIntegers(conditions)),
  left: (selection: IntegerSelection): Left => selection,
};

/** All conditions hold for the same value. */
export const ALL_OF = {
  combine: (conditions: readonly Condition[]) => possible(andIntegers(conditions)),
  left: (selection: AndedIntegers): Left => ({ ...selection, equal: null }),
};

/** All conditions hold; a value alone means at or before. */
export const NOT_AFTER = {
  ...ALL_OF,
  combine: (conditions: readonly Condition[]) =>
    ALL_OF.combine(
      conditions.map(({ operator, value }) => ({ operator: operator === 'eq' ? 'lte' : operator, value })),
    ),
};

function possible<Range extends { readonly lower: bigint; readonly upper: bigint }>(range: Range) {
  return range.lower > range.upper ? NO_MATCH : range;
}

function integerParameter<Value>(
  pattern: string | null,
  { combine, left }: Combination<Value>,
  check: Parameter<Value>['check'],
  conditionsOf: (texts: readonly string[], context: ParameterContext) => MaybePromise<readonly Condition[]>,
  options: IntegerOptions,
): Parameter<Value> {
  const { isNeInvalid, withoutNe } = options;
  const combined = (conditions: readonly Condition[]) => {
    if (withoutNe !== undefined && conditions.some(({ operator }) => operator === 'ne'))
      throw invalidRequest([withoutNe]);
    return combine(conditions);
  };
  return {
    schema: repeated(withoutNe === undefined && !isNeInvalid ? OPERATORS : NO_NE, pattern, options),
    check: isNeInvalid
      ? (text, context) => parseFilter(text)?.operator !== 'ne' && check(text, context)
      : check,
    read(texts, context) {
      const conditions = conditionsOf(texts, context);
      return conditions instanceof Promise ? conditions.then(combined) : combined(conditions);
    },
    ...(left === undefined ? {} : { left }),
  };
}

/** The conditions of checked texts. @param value of a text without its operator; null for none */
export function readConditions(
  texts: readonly string[],
  value: (text: string) => bigint | null,
): readonly Condition[] {
  const conditions: Condition[] = [];
  for (const text of texts) {
    const filter = parseFilter(text);
    const read = filter === null ? null : value(filter.value);
    if (filter !== null && read !== null) conditions.push({ operator: filter.operator, value: read });
  }
  return conditions;
}

/** Consensus times. */
export const times = <Value>(combination: Combination<Value>, options: IntegerOptions = {}) =>
  integerParameter(TIME, combination, isTimestampCondition, timestampConditions, options);

/** Integers within bounds. */
export const integers = <Value>(
  combination: Combination<Value>,
  { least = 0n, most = MAX_INT64, ...options }: IntegerOptions & { least?: bigint; most?: bigint } = {},
) =>
  integerParameter(
    DIGITS,
    combination,
    (text) => isInteger(parseFilter(text)?.value ?? '', least, most),
    (texts) => readConditions(texts, BigInt),
    options,
  );

/** Whether a text is an integer within bounds, decimal and without sign. */
export function isInteger(text: string, least = 0n, most = MAX_INT64): boolean {
  return /^\d{1,19}$/.test(text) && BigInt(text) >= least && BigInt(text) <= most;
}

/** Entities by their numbers. */
export const numbers = <Value>(combination: Combination<Value>, options: IntegerOptions = {}) =>
  integerParameter(
    NUMBER,
    combination,
    (text, { names }) => numberOfText(parseFilter(text)?.value ?? '', names.home) !== null,
    (texts, { names }) => readConditions(texts, (text) => numberOfText(text, names.home)),
    options,
  );

/** Tokens by their numbers, also as long-zero addresses. */
export const tokens = <Value>(combination: Combination<Value>, options: IntegerOptions = {}) =>
  integerParameter(
    `(${NUMBER}|(0x|(\\d{1,10}\\.){0,2})[A-Fa-f0-9]{40})`,
    combination,
    (text, { names }) => tokenOfText(parseFilter(text)?.value ?? '', names.home) !== null,
    (texts, { names }) => readConditions(texts, (text) => tokenOfText(text, names.home)),
    options,
  );

/** Accounts by id or EVM address. */
export const accounts = <Value>(combination: Combination<Value>, options: IntegerOptions = {}) =>
  integerParameter(
    null,
    combination,
    isAccountCondition,
    (texts, { names }) => (texts.length === 0 ? [] : accountConditions(texts, names)),
    options,
  );

/** Null without values: then rows count for which it is not known as well. */
export const orAny = <Value, Context>({
  read,
  left,
  ...parameter
}: Parameter<Value, Context>): Parameter<Value | null, Context> => ({
  ...parameter,
  read: (texts, context) => (texts.length === 0 ? null : read(texts, context)),
  left: (value) => (value === null || left === undefined ? null : left(value)),
});

/** Accounts by id, EVM address or, where it is accepted, alias; null for all. */
export const accountFilter = (
  options: IntegerOptions & {
    readonly check?: (text: string) => boolean;
    readonly refuse?: (texts: readonly string[]) => void;
    readonly withAliases?: true;
  },
): Parameter<AccountFilter | null> => ({
  schema: repeated('', null, options),
  check: options.check ?? isAccountCondition,
  read(texts, { names }) {
    options.refuse?.(texts);
    if (options.withoutNe !== undefined && texts.some((text) => parseFilter(text)?.operator === 'ne'))
      throw invalidRequest([options.withoutNe]);
    const { home, resolveAddress, resolveAlias } = names;
    return parseAccountFilter(texts, home, resolveAddress, options.withAliases && resolveAlias);
  },
  left: (filter) => (filter === null ? null : accountSelection(filter)),
});

const WORD = /^((eq|gt|gte|lt|lte):)?(0x)?[\dA-Fa-f]{1,64}$/;

/** Words of 256 bits in hex. @param equal whether any of the values without operator will do, or all hold */
export const words = (equal: 'any' | 'all', options: Described = {}): Parameter<WordSelection> => ({
  schema: repeated(NO_NE, '(0x)?[\\dA-Fa-f]{1,64}', options),
  check: (text) => WORD.test(text),
  read: (texts) => possible(selectWords(texts, equal)),
  left: (selection) => selection,
});

/** Public keys in hex; null for all. @param lastCounts whether the last value alone counts */
export const publicKeys = (
  options: Described & { readonly lastCounts?: true },
): Parameter<PublicKeyFilter | null> => ({
  schema: repeated(OPERATORS, PUBLIC_KEY, options),
  check: isPublicKeyCondition,
  read: (texts) => parsePublicKeyFilter(options.lastCounts ? texts.slice(-1) : texts),
});

/** `true` or `false`; the last value counts. */
export const yesOrNo = (absent: boolean, description?: string): Parameter<boolean> => ({
  schema: Type.Optional(
    Type.Boolean({ default: absent, ...(description === undefined ? {} : { description }) }),
  ),
  check: isFlag,
  read(texts) {
    const last = texts.at(-1);
    return last === undefined ? absent : parseFlag(last) === true;
  },
});

/** One of a few names in any letter case; the last value counts. @param absent null where the names have no default */
export const oneOf = <Name extends string, Absent extends Name | null>(
  names: readonly Name[],
  absent: Absent,
  description?: string,
): Parameter<Name | Absent> => ({
  schema: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: [...names],
      ...(absent === null ? {} : { default: absent }),
      ...(description === undefined ? {} : { description }),
    }),
  ),
  check: isOneOf(...names.map((name) => name.toLowerCase())),
  read(texts) {
    const last = texts.at(-1);
    const given = last === undefined ? undefined : operand(last).toLowerCase();
    return names.find((name) => name.toLowerCase() === given) ?? absent;
  },
});
