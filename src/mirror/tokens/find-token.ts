import { MAX_INT64 } from '../../values/int64.ts';
import { notFoundError } from '../errors.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { tokenInPath } from '../parameters/token-in-path.ts';
import { tokenJson } from './token-document.ts';
import type { TokenRepository } from './token-repository.ts';

export interface FindTokenDependencies {
  readonly tokens: TokenRepository;
  readonly home: EntityHome;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const OPERATORS: readonly string[] = ['eq', 'lt', 'lte'];

/**
 * Answers `GET /api/v1/tokens/{tokenId}`: the token as it is, or as it was at a time.
 *
 * @throws MirrorApiError 400 for another form of the id or a bad parameter, 404 when the ledger does not know the token.
 * @see contracts/mirror-entities.md section 6.2
 */
export async function findToken(
  tokenId: string,
  target: string,
  { home, maxRepeated, tokens }: FindTokenDependencies,
): Promise<string> {
  const id = tokenInPath(tokenId, home);
  const values = checkParameters(readQuery(target), { timestamp: isUpperEnd }, maxRepeated);
  const found = await tokens.find(id, upperEnd(values.get('timestamp') ?? []));
  if (found === null) throw notFoundError();
  return tokenJson(found);
}

function isUpperEnd(text: string): boolean {
  return isTimestampCondition(text) && OPERATORS.includes(parseFilter(text)?.operator ?? '');
}

/** The last one counts; null without any. */
function upperEnd(texts: readonly string[]): bigint | null {
  const last = timestampConditions(texts).at(-1);
  if (last === undefined) return null;
  const time = last.operator === 'lt' ? last.value - 1n : last.value;
  return time > MAX_INT64 ? MAX_INT64 : time;
}
