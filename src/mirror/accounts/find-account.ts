import type { BalanceRepository } from '../balances/balance-repository.ts';
import { MirrorApiError, notFoundError } from '../errors.ts';
import type { EntityReader, EntityState } from '../ledger/entity-reader.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import type { Stakes } from '../ledger/stakes.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { accountInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { isFlag, lastFlag } from '../parameters/flag.ts';
import { readQuery, requestPath } from '../parameters/query-text.ts';
import { type TimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { listChecks, listRequest } from '../transactions/list-parameters.ts';
import { type ListDependencies, readPage } from '../transactions/list-transactions.ts';
import { EMPTY_PAGE } from '../transactions/page-text.ts';
import { accountDocument } from './account-document.ts';
import { entityTimes } from './entity-times.ts';
import { heldAt } from './held-balance.ts';
import { isMadeUpTreasury } from './made-up-treasury.ts';

export interface FindAccountDependencies {
  readonly entities: EntityReader;
  readonly balances: BalanceRepository;
  readonly names: EntityNames;
  readonly stakes: Stakes;
  readonly list: Omit<ListDependencies, 'resolveAddress'>;
  /** Tokens in the answer, ascending; more are not shown. */
  readonly maxTokens: number;
}

const EMPTY_RANGE = 'Timestamp range is empty';

/**
 * Answers `GET /api/v1/accounts/{id, alias or EVM address}`: the newest state, or with `timestamp` that of a time, and
 * a page of transactions.
 *
 * @throws MirrorApiError 400 for another form or a bad parameter, 404 when the ledger does not know the account.
 * @see contracts/mirror-entities.md section 3
 */
export async function findAccount(
  idOrAliasOrEvmAddress: string,
  target: string,
  { balances, entities, list, maxTokens, names, stakes }: FindAccountDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const { settings } = list;
  const { limit, order, timestamp, transactiontype } = listChecks(settings);
  const values = checkParameters(
    readQuery(target),
    { limit, order, timestamp, transactiontype, transactions: isFlag },
    settings.maxRepeated,
  );
  const times = timestampConditions(values.get('timestamp') ?? []);
  const id = await accountInPath(idOrAliasOrEvmAddress, names);
  const request = listRequest(values, settings, { kind: 'set', ids: [id] });
  if (request.filter === null) throw new MirrorApiError(404, [{ message: EMPTY_RANGE }]);
  const entity = await stateAt(id, times, entities);
  if (entity === null || !isAccount(entity) || isMadeUpTreasury(entity, names.home)) throw notFoundError();

  const held = await heldAt(entity, times, { balances, clock: list.clock, maxTokens });
  const stake =
    times.length === 0 ? ((await stakes.now([id])).get(id) ?? null) : await stakes.at(id, entityTimes(times));
  const { next, page } = lastFlag(values, 'transactions', true)
    ? await readPage(request, requestPath(target), list)
    : { next: null, page: EMPTY_PAGE };
  // The list objects are stored as they are sent.
  const head = printExactJson(accountDocument(entity, held, stake)).slice(0, -1);
  return {
    json: `${head},"transactions":[${page.rows}],"links":${JSON.stringify({ next })}}`,
    next,
  };
}

async function stateAt(
  id: bigint,
  times: readonly TimestampCondition[],
  entities: EntityReader,
): Promise<EntityState | null> {
  return times.length === 0 ? entities.find(id) : entities.findAt(id, entityTimes(times));
}

/** Whatever has no other kind: what is known from transfers alone is an account. */
function isAccount({ type }: EntityState): boolean {
  return type === null || type === 'ACCOUNT' || type === 'CONTRACT';
}
