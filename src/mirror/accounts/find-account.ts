import type { BalanceRepository } from '../balances/balance-repository.ts';
import { notFoundError } from '../errors.ts';
import type { EntityReader, EntityState } from '../ledger/entity-reader.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { accountInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { readQuery, requestPath } from '../parameters/query-text.ts';
import { listChecks, listRequest } from '../transactions/list-parameters.ts';
import { type ListDependencies, readPage } from '../transactions/list-transactions.ts';
import { EMPTY_PAGE } from '../transactions/page-text.ts';
import { accountDocument } from './account-document.ts';

export interface FindAccountDependencies {
  readonly entities: EntityReader;
  readonly balances: BalanceRepository;
  readonly names: EntityNames;
  readonly list: Omit<ListDependencies, 'resolveAddress'>;
}

/** Tokens in the answer, ascending; more are not shown. */
const MAX_TOKENS = 1000;

/**
 * Answers `GET /api/v1/accounts/{id, alias or EVM address}`: the newest state and a page of transactions.
 *
 * @throws MirrorApiError 400 for another form or a bad parameter, 404 when the ledger does not know the account.
 * @see contracts/mirror-roadmap.md, accounts
 */
export async function findAccount(
  idOrAliasOrEvmAddress: string,
  target: string,
  { balances, entities, list, names }: FindAccountDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const { settings } = list;
  const { limit, order, timestamp, transactiontype } = listChecks(settings);
  const values = checkParameters(
    readQuery(target),
    { limit, order, timestamp, transactiontype, transactions: (text) => parseFlag(text) !== null },
    settings.maxRepeated,
  );
  const entity = await entities.find(await accountInPath(idOrAliasOrEvmAddress, names));
  if (entity === null || !isAccount(entity)) throw notFoundError();

  const tokens = await balances.tokensOf(entity.id, MAX_TOKENS, null, 'asc');
  const showsTransactions = parseFlag(values.get('transactions')?.at(-1) ?? 'true') === true;
  const { next, page } = showsTransactions
    ? await readPage(
        listRequest(values, settings, { kind: 'set', ids: [entity.id] }),
        requestPath(target),
        list,
      )
    : { next: null, page: EMPTY_PAGE };
  // The list objects are stored as they are sent.
  const head = printExactJson(accountDocument(entity, tokens)).slice(0, -1);
  return {
    json: `${head},"transactions":[${page.rows}],"links":${JSON.stringify({ next })}}`,
    next,
  };
}

/** Whatever has no other kind: what is known from transfers alone is an account. */
function isAccount({ type }: EntityState): boolean {
  return type === null || type === 'ACCOUNT' || type === 'CONTRACT';
}

function parseFlag(text: string): boolean | null {
  const filter = parseFilter(text);
  const value = filter?.operator === 'eq' ? filter.value.toLowerCase() : null;
  return value === 'true' ? true : value === 'false' ? false : null;
}
