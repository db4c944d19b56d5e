import type { Clock } from '../../values/clock.ts';
import { parseTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { mapMaybe } from '../../values/map-maybe.ts';
import type { ResolveAddress } from '../parameters/account-filter.ts';
import { nextLink } from '../parameters/next-link.ts';
import { readQuery, requestPath } from '../parameters/query-text.ts';
import { createListParser, type ListRequest, type ListSettings } from './list-parameters.ts';
import { EMPTY_PAGE } from './page-text.ts';
import { bindTimeRange, type TimeWindow } from './time-window.ts';
import type { TransactionFilter, TransactionPage } from './transaction-filter.ts';
import type { TransactionRepository } from './transaction-repository.sql.ts';

export interface ListDependencies {
  readonly transactions: TransactionRepository;
  readonly resolveAddress: ResolveAddress;
  readonly clock: Clock;
  readonly settings: ListSettings;
  /** Widest time range of a list in nanoseconds; null leaves it open. */
  readonly maxRangeNanos: bigint | null;
}

/** A page ready to send. */
interface ListAnswer {
  readonly page: TransactionPage;
  readonly next: string | null;
  /** Names the rows and the link: in one edition of a ledger equal versions mean equal bytes. */
  readonly version: string;
}

const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * Answers `GET /api/v1/transactions`.
 *
 * @param target path and query as sent.
 * @returns no promise where everything was at hand: it would cost more than reading the query.
 * @throws MirrorApiError 400 for bad parameters.
 */
type TransactionList = (target: string) => ListAnswer | Promise<ListAnswer>;

/** Prepares the list once for all requests. @see contracts/mirror-transactions.md sections 3 to 5 */
export function createTransactionList(dependencies: ListDependencies): TransactionList {
  const { resolveAddress, settings } = dependencies;
  const parse = createListParser(settings, resolveAddress);
  const answer = ({ cutAt, next, page }: LinkedPage): ListAnswer => ({
    page,
    next,
    version: versionOf(page, next, `${settings.dialect}-${cutAt ?? 0n}`),
  });
  return (target) =>
    mapMaybe(
      mapMaybe(parse(readQuery(target)), (request) => readPage(request, requestPath(target), dependencies)),
      answer,
    );
}

/** Length of what {@link printPage} gives. */
export function pageBytes({ next, page }: Pick<ListAnswer, 'next' | 'page'>): number {
  return HEAD.length + page.rows.length + Buffer.byteLength(tailOf(next));
}

const tailOf = (next: string | null): string => `],"links":{"next":${JSON.stringify(next)}}}`;

/** The body of a list answer. */
export function printPage({ next, page }: Pick<ListAnswer, 'next' | 'page'>): Buffer {
  const tail = tailOf(next);
  const tailStart = HEAD.length + page.rows.length;
  // A link may echo any text of the query.
  const end = tailStart + Buffer.byteLength(tail);
  const body = Buffer.allocUnsafe(end);
  body.write(HEAD, 0, 'latin1');
  body.write(page.rows, HEAD.length, 'latin1');
  body.write(tail, tailStart);
  return body;
}

const HEAD = '{"transactions":[';

/** A page with the link to the following one. */
interface LinkedPage {
  readonly page: TransactionPage;
  readonly next: string | null;
  /** The edge at which a bound time range was cut and the page ends; null otherwise. */
  readonly cutAt: bigint | null;
}

/** Reads the page of a request; `path` is that of its links. @see contracts/mirror-transactions.md section 5 */
export function readPage(
  request: ListRequest,
  path: string,
  dependencies: Omit<ListDependencies, 'resolveAddress'>,
): LinkedPage | Promise<LinkedPage> {
  const { filter } = request;
  if (filter === null) return NOTHING;
  const isBound = dependencies.maxRangeNanos !== null && !request.isSingleTime;
  const window = isBound ? bindWindow(filter, dependencies) : null;
  return mapMaybe(window, (bound) => readWindow(request, filter, bound, path, dependencies));
}

function readWindow(
  request: ListRequest,
  asked: TransactionFilter,
  window: TimeWindow | null,
  path: string,
  { settings, transactions }: Omit<ListDependencies, 'resolveAddress'>,
): LinkedPage | Promise<LinkedPage> {
  const filter = window === null ? asked : { ...asked, lower: window.lower, upper: window.upper };
  if (filter.lower > filter.upper) return NOTHING;
  const link = (cursor: string) =>
    nextLink(settings.linkBase + path, request.values, {
      parameter: 'timestamp',
      order: filter.order,
      value: cursor,
    });
  return mapMaybe(transactions.page(filter), (page) => {
    if (page.count < filter.limit) {
      const cutAt = window?.cutAt ?? null;
      return { page, next: cutAt === null ? null : link(printTimestamp(cutAt)), cutAt };
    }
    if (page.last === null || request.isSingleTime || !mayContinue(asked, page.last)) {
      return { page, next: null, cutAt: null };
    }
    // A cut window hides what follows it, so only an uncut one can tell that nothing does.
    const knowsEnd = settings.dialect === 'spec' && (window?.cutAt ?? null) === null;
    return { page, next: knowsEnd && !page.hasMore ? null : link(page.last), cutAt: null };
  });
}

const NOTHING: LinkedPage = { page: EMPTY_PAGE, next: null, cutAt: null };

/** Whether the range leaves a nanosecond after the last row. */
function mayContinue({ lower, order, upper }: TransactionFilter, lastText: string): boolean {
  const isOpen = order === 'asc' ? upper === MAX_INT64 : lower === 0n;
  if (isOpen) return true;
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
function versionOf(page: TransactionPage, next: string | null, variant: string): string {
  return `${page.count}-${page.first ?? 0n}-${page.last ?? 0n}-${next === null ? 0 : 1}-${variant}`;
}
