import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { invalidRequest } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { type EntityNames, knownAccountInPath } from '../parameters/entity-in-path.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import type { RewardRepository } from './reward-repository.ts';

export interface ListRewardsDependencies {
  readonly rewards: RewardRepository;
  readonly names: EntityNames;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const NOT_EQUALS = 'Not equals (ne) operator is not supported for timestamp';

/**
 * Answers `GET /api/v1/accounts/{id}/rewards`: the staking rewards that transactions paid to an account.
 *
 * @throws MirrorApiError 404 when the ledger does not know the account, 400 for bad parameters.
 * @see contracts/mirror-entities.md section 4, /rewards
 */
export async function listRewards(
  idOrAliasOrEvmAddress: string,
  target: string,
  { maxRepeated, names, page, rewards }: ListRewardsDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const account = await knownAccountInPath(idOrAliasOrEvmAddress, names);
  const checks = { ...pageChecks(page), timestamp: isTimestampCondition };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const conditions = timestampConditions(values.get('timestamp') ?? []);
  if (conditions.some(({ operator }) => operator === 'ne')) throw invalidRequest([NOT_EQUALS]);

  const times = selectIntegers(conditions);
  const request = pageRequest(values, page);
  // One more tells whether a page follows.
  const selection = { times, order: request.order, limit: request.limit + 1 };
  const found = times.lower > times.upper ? [] : await rewards.page(account, selection);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'timestamp',
      of: ({ at }) => at,
      print: printTimestamp,
      selection: conditions.length === 0 ? null : times,
    },
    found,
    page,
    request,
    target,
    values,
  });
  const items = shown.map(({ amount, at }) => ({
    account_id: printEntityId(account),
    amount,
    timestamp: printTimestamp(at),
  }));
  return { json: printExactJson({ rewards: items, links: { next } }), next };
}
