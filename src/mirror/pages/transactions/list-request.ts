import { MirrorApiError, messages } from '../../errors.ts';
import { type QueryPair, readQuery } from '../../parameters/query-text.ts';
import { momentTimestamp } from '../parts/times.ts';

/** The fields of the filter as they were filled in; empty for those that were not. */
export interface FilterFields {
  readonly 'account.id': string;
  readonly type: string;
  readonly result: string;
  readonly transactiontype: string;
  readonly from: string;
  readonly to: string;
  readonly order: string;
  readonly limit: string;
}

/** What a list of transactions is asked for, in the words of the page and of the API. */
export interface ListRequest {
  readonly fields: FilterFields;
  /** Query of the same request to the API, with the question mark; empty without one. */
  readonly apiQuery: string;
  /** Whether the list begins with the newest transaction of the ledger that fits. */
  readonly isNewest: boolean;
  /** Whether anything narrows the list. */
  readonly isFiltered: boolean;
  /** Query of the page without its place in the list. */
  readonly firstQuery: string;
  /** Query of the page that continues after the end of this one. @param next link of the API */
  nextQuery(next: string): string;
}

/** Places in the list, as the API's links name them. */
const CURSOR = 'cursor';
const FIELDS = ['account.id', 'type', 'result', 'transactiontype', 'from', 'to', 'order', 'limit'] as const;
const MOMENTS = { from: ['gte', 'first'], to: ['lte', 'last'] } as const;

/**
 * Reads the query of a page: the parameters of the API, the times `from` and `to`, and the `cursor` of a link. What the form
 * left empty is no parameter; every other parameter is the API's to judge.
 *
 * @throws MirrorApiError 400 for times that cannot be read.
 */
export function readListRequest(target: string): ListRequest {
  // A form without a script sends its empty fields too.
  const given = readQuery(target).filter(({ value }) => value.trim() !== '');
  const place = given.filter(({ name }) => name === CURSOR);
  const kept = given.filter(({ name }) => name !== CURSOR);
  const timestamps = kept.filter(({ name }) => name === 'timestamp');
  const last = (field: string) => kept.findLast(({ name }) => name === field)?.value.trim() ?? '';
  const fields = Object.fromEntries(FIELDS.map((field) => [field, last(field)])) as unknown as FilterFields;
  const asked = [...kept.map(apiPair), ...place.map(({ value }) => ({ name: 'timestamp', value }))];
  const order = fields.order.toLowerCase();
  return {
    fields,
    apiQuery: printQuery(asked),
    isNewest:
      place.length === 0 && timestamps.length === 0 && fields.to === '' && (order === '' || order === 'desc'),
    isFiltered: kept.some(({ name }) => name !== 'order' && name !== 'limit'),
    firstQuery: printQuery(kept),
    nextQuery: (next) => {
      const cursor = readQuery(next).findLast(({ name }) => name === 'timestamp')?.value ?? '';
      return printQuery([...kept, { name: CURSOR, value: cursor }]);
    },
  };
}

/** The same query as the form shows it, where its values cannot be read. */
export function givenFields(target: string): FilterFields {
  const given = readQuery(target);
  const last = (field: string) => given.findLast(({ name }) => name === field)?.value ?? '';
  return Object.fromEntries(FIELDS.map((field) => [field, last(field)])) as unknown as FilterFields;
}

function apiPair({ isNested, name, value }: QueryPair): Pair {
  if (name !== 'from' && name !== 'to') return { name: isNested ? `${name}[_]` : name, value: value.trim() };
  const [operator, edge] = MOMENTS[name];
  const time = momentTimestamp(value, edge);
  if (time === null) {
    const detail = `${name} must be a date such as 2024-01-31, a time such as 2024-01-31 12:00 (UTC), or a consensus timestamp`;
    throw new MirrorApiError(400, [{ message: messages.invalidParameter(name), detail }]);
  }
  return { name: 'timestamp', value: `${operator}:${time}` };
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Colons may stand in a query, and conditions are easier to read with them. */
function printQuery(pairs: readonly Pair[]): string {
  const parts = pairs.map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%3A', ':')}`,
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
