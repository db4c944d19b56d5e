import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { nextLink } from '../parameters/next-link.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery, requestPath } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { blockDocument } from './block-document.ts';
import type { Block, BlockRepository, BlockSelection } from './block-repository.ts';

export interface ListBlocksDependencies {
  readonly blocks: BlockRepository;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const INTEGER = /^-?\d{1,19}$/;

/**
 * Answers `GET /api/v1/blocks`.
 *
 * A time without operator or with `eq` selects the block that has it between its first and last transaction; the
 * other operators compare the end of a block.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-roadmap.md, blocks
 */
export async function listBlocks(
  target: string,
  { blocks, maxRepeated, page }: ListBlocksDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const checks = {
    ...pageChecks(page),
    'block.number': isNumberCondition,
    timestamp: isTimestampCondition,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page);
  const numbers = selectIntegers(
    (values.get('block.number') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const times = selectIntegers(timestampConditions(values.get('timestamp') ?? []));
  const end = times.equal === null ? undefined : await endOfOnly(times.equal, blocks);
  const isImpossible = end === null || numbers.lower > numbers.upper || times.lower > times.upper;
  const selection: BlockSelection = {
    ...numbers,
    order: request.order,
    lowerEnd: times.lower,
    upperEnd: times.upper,
    onlyEnd: end ?? null,
    excludedEnds: times.excluded,
    // One more tells whether a page follows.
    limit: request.limit + 1,
  };
  const found = isImpossible ? [] : await blocks.page(selection);
  const shown = found.slice(0, request.limit);
  const last = shown.at(-1);
  const mayFollow = page.dialect === 'spec' ? found.length > shown.length : shown.length === request.limit;
  const next =
    last === undefined || !mayFollow || end !== undefined || !leavesNumbers(selection, last)
      ? null
      : nextLink(page.linkBase + requestPath(target), values, {
          parameter: 'block.number',
          order: request.order,
          value: last.number.toString(),
        });
  return { json: printExactJson({ blocks: shown.map(blockDocument), links: { next } }), next };
}

/** Undefined without one; null when no block has it, also because several were asked for. */
async function endOfOnly(equal: ReadonlySet<bigint>, blocks: BlockRepository): Promise<bigint | null> {
  const [time] = equal;
  if (time === undefined || equal.size > 1 || time > MAX_INT64) return null;
  return blocks.endOfBlockAt(time);
}

/** Whether the conditions leave any number after the last one. */
function leavesNumbers({ equal, lower, order, upper }: BlockSelection, { number }: Block): boolean {
  const isBehind = (other: bigint) => (order === 'asc' ? other > number : other < number);
  if (equal !== null) return [...equal].some(isBehind);
  return order === 'asc' ? number < upper : number > lower;
}

function isNumberCondition(text: string): boolean {
  const filter = parseFilter(text);
  if (filter === null || !INTEGER.test(filter.value)) return false;
  const number = BigInt(filter.value);
  return number >= MIN_INT64 && number <= MAX_INT64;
}
