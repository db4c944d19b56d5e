import type { Clock } from '../../values/clock.ts';
import { parseTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import type { ResolveAddress } from '../parameters/account-filter.ts';
import { MAX_INT64 } from '../parameters/integer-range.ts';
import { nextLink } from '../parameters/next-link.ts';
import { readQuery, requestPath } from '../parameters/query-text.ts';
import { createListParser, type ListRequest, type ListSettings } from './list-parameters.ts';
import { bindTimeRange, type TimeWindow } from './time-window.ts';
import type { TransactionFilter, TransactionPage } from './transaction-filter.ts';
import type { TransactionRepository } from './transaction-repository.ts';

export interface ListDependencies {
  readonly transactions: TransactionRepository;
  readonly resolveAddress: ResolveAddress;
  readonly clock: Clock;
  readonly settings: ListSettings;
  /** Widest time range of a list in nanoseconds; null leaves it open. */
  readonly maxRangeNanos: bigint | null;
}

/** A page ready to send. */
export interface ListAnswer {
  readonly json: string;
  readonly next: string | null;
  /** Names the rows and the link: transactions never change, so equal tags mean equal bytes. */
  readonly version: string;
}

const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * Answers `GET /api/v1/transactions`.
 *
 * @param target path and query as sent.
 * @throws MirrorApiError 400 for bad parameters.
 */
export type TransactionList = (target: string) => Promise<ListAnswer>;

/** Prepares the list once for all requests. @see contracts/mirror-transactions.md sections 3 to 5 */
export function createTransactionList(dependencies: ListDependencies): TransactionList {
  const { resolveAddress, settings } = dependencies;
  const parse = createListParser(settings, resolveAddress);
  return async (target) => {
    const request = await parse(readQuery(target));
    const { cutAt, next, page } = await readPage(request, requestPath(target), dependencies);
    return printPage(page, next, `${settings.dialect}-${cutAt ?? 0n}`);
  };
}

/** A page with the link to the following one. */
export interface LinkedPage {
  /** Null when nothing can match. */
  readonly page: TransactionPage | null;
  readonly next: string | null;
  /** The edge at which a bound time range was cut and the page ends; null otherwise. */
  readonly cutAt: bigint | null;
}

/** Reads the page of a request; `path` is that of its links. @see contracts/mirror-transactions.md section 5 */
export async function readPage(
  request: ListRequest,
  path: string,
  dependencies: Omit<ListDependencies, 'resolveAddress'>,
): Promise<LinkedPage> {
  const { settings, transactions } = dependencies;
  if (request.filter === null) return NOTHING;
  const isBound = dependencies.maxRangeNanos !== null && !request.isSingleTime;
  const window = isBound ? await bindWindow(request.filter, dependencies) : null;
  const filter =
    window === null ? request.filter : { ...request.filter, lower: window.lower, upper: window.upper };
  if (filter.lower > filter.upper) return NOTHING;

  const page = await transactions.page(filter);
  const link = (cursor: string) =>
    nextLink(path, request.values, {
      parameter: 'timestamp',
      order: filter.order,
      value: cursor,
    });
  if (page.count < filter.limit) {
    const cutAt = window?.cutAt ?? null;
    return { page, next: cutAt === null ? null : link(printTimestamp(cutAt)), cutAt };
  }
  if (page.last === null || request.isSingleTime || !mayContinue(request.filter, page.last)) {
    return { page, next: null, cutAt: null };
  }
  // A cut window hides what follows it, so only an uncut one can tell that nothing does.
  const knowsEnd = settings.dialect === 'spec' && (window?.cutAt ?? null) === null;
  return { page, next: knowsEnd && !page.hasMore ? null : link(page.last), cutAt: null };
}

const NOTHING: LinkedPage = { page: null, next: null, cutAt: null };

/** Whether the range leaves a nanosecond behind the last row. */
function mayContinue({ lower, order, upper }: TransactionFilter, lastText: string): boolean {
  const last = parseTimestamp(lastText) ?? 0n;
  return order === 'asc' ? last < upper : last > lower;
}

async function bindWindow(
  filter: TransactionFilter,
  { clock, maxRangeNanos, transactions }: Omit<ListDependencies, 'resolveAddress'>,
): Promise<TimeWindow | null> {
  if (maxRangeNanos === null) return null;
  return bindTimeRange(
    filter,
    { hasLower: filter.lower > 0n, hasUpper: filter.upper < MAX_INT64 },
    (await transactions.oldestTimestamp()) ?? 0n,
    BigInt(clock.now()) * NANOS_PER_MILLISECOND,
    maxRangeNanos,
  );
}

/** @param variant tells pages of equal rows apart. */
function printPage(page: TransactionPage | null, next: string | null, variant: string): ListAnswer {
  return {
    json: `{"transactions":[${page?.json ?? ''}],"links":{"next":${JSON.stringify(next)}}}`,
    next,
    version: `${page?.count ?? 0}-${page?.first ?? 0n}-${page?.last ?? 0n}-${next === null ? 0 : 1}-${variant}`,
  };
}
