import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { bareHex } from '../../values/hex.ts';
import { invalidRequest, messages, notFoundError } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { accountInPath } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { MAX_WORD, wordBytes, wordDigits, wordOfText } from '../parameters/word-text.ts';
import { type HookDependencies, isHookId } from './list-hooks.ts';

const KEY = /^((eq|gt|gte|lt|lte):)?(0x)?[\dA-Fa-f]{1,64}$/;
const KEY_DIGITS = 64;
const MOST_TIMES = 2;

/**
 * Answers `GET /api/v1/accounts/{id}/hooks/{hookId}/storage`: the slots as they are, or as they were set within times.
 *
 * @throws MirrorApiError 400 for another form of account or hook or bad parameters, 404 for an unknown hook.
 * @see contracts/mirror-entities.md section 10
 */
export async function listHookStorage(
  account: string,
  hook: string,
  target: string,
  { hooks, maxRepeated, names, page }: HookDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const owner = await accountInPath(account, names);
  if (!isHookId(hook)) throw invalidRequest([messages.invalidParameter('hookid')]);
  const hookId = BigInt(hook);
  if (!(await hooks.exists(owner, hookId))) throw notFoundError('Hook not found');
  const checks = {
    ...pageChecks(page),
    key: (text: string) => KEY.test(text),
    timestamp: (text: string) => isTimestampCondition(text) && parseFilter(text)?.operator !== 'ne',
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const texts = values.get('timestamp') ?? [];
  if (texts.length > MOST_TIMES) throw invalidRequest([messages.invalidParameter('timestamp')]);
  const request = pageRequest(values, page, 'asc');
  const { lower, upper } = keysBetween(values.get('key') ?? []);
  const times = andIntegers(
    timestampConditions(texts).map(({ operator, value }) => ({
      operator: operator === 'eq' ? ('lte' as const) : operator,
      value,
    })),
  );
  const found =
    lower > upper || times.lower > times.upper
      ? []
      : await hooks.slots({
          ...{ owner, hookId, lowerKey: wordBytes(lower), upperKey: wordBytes(upper) },
          ...{ lowerTime: times.lower, upperTime: times.upper },
          order: request.order,
          // One more tells whether a page follows.
          limit: request.limit + 1,
        });
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'key',
      of: ({ key }) => BigInt(`0x${bareHex(key)}`),
      print: (key) => `0x${wordDigits(key)}`,
      selection: { equal: null, lower, upper },
    },
    found,
    page,
    request,
    target,
    values,
  });
  const storage = shown.map(({ consensusTimestamp, key, value }) => ({
    key: `0x${bareHex(key)}`,
    timestamp: printTimestamp(consensusTimestamp),
    value: `0x${bareHex(value).padStart(KEY_DIGITS, '0')}`,
  }));
  return {
    json: printExactJson({ hook_id: hookId, owner_id: printEntityId(owner), storage, links: { next } }),
    next,
  };
}

/** All conditions hold; keys have 256 bits. */
function keysBetween(texts: readonly string[]): { readonly lower: bigint; readonly upper: bigint } {
  let [lower, upper] = [0n, MAX_WORD];
  for (const text of texts) {
    const { operator, value } = parseFilter(text) ?? { operator: 'eq', value: '0' };
    const key = wordOfText(value);
    const from = operator === 'gt' ? key + 1n : operator === 'gte' || operator === 'eq' ? key : 0n;
    const to = operator === 'lt' ? key - 1n : operator === 'lte' || operator === 'eq' ? key : MAX_WORD;
    if (from > lower) lower = from;
    if (to < upper) upper = to;
  }
  return { lower, upper };
}
