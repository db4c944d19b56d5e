import { MAX_INT64 } from '../../values/int64.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { readBlockNumber } from '../parameters/block-number.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { blockDocument } from './block-document.ts';
import type { BlockRepository, BlockSelection } from './block-repository.ts';

export interface ListBlocksDependencies {
  readonly blocks: BlockRepository;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

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
  const only = times.equal === null ? undefined : await placeOfOnly(times.equal, blocks);
  const isImpossible = only === null || numbers.lower > numbers.upper || times.lower > times.upper;
  const selection: BlockSelection = {
    ...numbers,
    order: request.order,
    lowerEnd: times.lower,
    upperEnd: times.upper,
    only: only ?? null,
    excludedEnds: times.excluded,
    // One more tells whether a page follows.
    limit: request.limit + 1,
  };
  const found = isImpossible ? [] : await blocks.page(selection);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'block.number',
      of: ({ number }) => number,
      print: String,
      // A time selects one block.
      selection: only === undefined ? numbers : { ...numbers, equal: new Set() },
    },
    found,
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ blocks: shown.map(blockDocument), links: { next } }), next };
}

/** Undefined without one; null when no block has it, also because several were asked for. */
async function placeOfOnly(equal: ReadonlySet<bigint>, blocks: BlockRepository): Promise<bigint | null> {
  const [time] = equal;
  if (time === undefined || equal.size > 1 || time > MAX_INT64) return null;
  return blocks.placeOfBlockAt(time);
}

function isNumberCondition(text: string): boolean {
  const filter = parseFilter(text);
  return filter !== null && readBlockNumber(filter.value) !== null;
}
