import { printEntityId } from '../../values/entity-id.ts';
import type { BalanceRepository } from '../balances/balance-repository.ts';
import type { EntityReader } from '../ledger/entity-reader.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import type { Stakes } from '../ledger/stakes.ts';
import { accountSelection, isAccountCondition, parseAccountFilter } from '../parameters/account-filter.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { isFlag, lastFlag } from '../parameters/flag.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { isPublicKeyCondition, parsePublicKeyFilter } from '../parameters/public-key-filter.ts';
import { readQuery } from '../parameters/query-text.ts';
import { accountDocument } from './account-document.ts';
import type { AccountPages } from './account-pages.ts';
import { isMadeUpTreasury, treasuryOf } from './made-up-treasury.ts';

export interface ListAccountsDependencies {
  readonly accounts: AccountPages;
  readonly entities: EntityReader;
  readonly balances: BalanceRepository;
  readonly names: EntityNames;
  readonly stakes: Stakes;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
  /** Tokens of each account in the list; the account's own document shows more. */
  readonly maxTokens: number;
}

const BALANCE = /^\d{1,19}$/;
/** More tinybars than there are. */
const MAX_BALANCE = 5_000_000_000_000_000_000n;

/**
 * Answers `GET /api/v1/accounts`: accounts and contracts by their ids, deleted ones too.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-entities.md section 2
 */
export async function listAccounts(
  target: string,
  {
    accounts: pages,
    balances,
    entities,
    maxRepeated,
    maxTokens,
    names,
    page,
    stakes,
  }: ListAccountsDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const values = checkParameters(readQuery(target), accountChecks(page), maxRepeated, 'query');
  const all = (name: string) => values.get(name) ?? [];
  const accounts = await parseAccountFilter(all('account.id'), names.home, names.resolveAddress);
  const keys = parsePublicKeyFilter(all('account.publickey'));
  const showsBalance = lastFlag(values, 'balance', true);
  const balance = showsBalance ? balanceSelection(all('account.balance')) : null;
  const request = pageRequest(values, page, 'asc');
  const isImpossible = balance !== null && balance.lower > balance.upper;
  if (isImpossible || accounts === 'none' || keys === 'none') return print([], null);

  const treasury = treasuryOf(names.home);
  const isHidden = showsBalance && isMadeUpTreasury(await entities.find(treasury), names.home);
  // One more tells whether a page follows, and another one may be hidden.
  const limit = request.limit + (isHidden ? 2 : 1);
  const walked = await pages.page({ accounts, balance, keys, order: request.order, limit });
  const found = isHidden ? walked.filter((id) => id !== treasury) : walked;
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'account.id',
      of: (id) => id,
      print: printEntityId,
      selection: accounts === null ? null : accountSelection(accounts),
    },
    found,
    page,
    request,
    target,
    values,
  });
  const stakeOf = await stakes.now(shown);
  const tokensOf = showsBalance ? await balances.tokensOfEach(shown, maxTokens, null, request.order) : null;
  const items: ExactJson[] = [];
  const states = await entities.findEach(shown);
  for (const id of shown) {
    const entity = states.get(id);
    if (entity === undefined) continue;
    const tokens = tokensOf?.get(id) ?? [];
    const held = tokensOf && { balance: entity.balance, timestamp: entity.balanceTimestamp, tokens };
    items.push(accountDocument(entity, held, stakeOf.get(id) ?? null));
  }
  return print(items, next);
}

function print(accounts: readonly ExactJson[], next: string | null) {
  return { json: printExactJson({ accounts, links: { next } }), next };
}

function accountChecks(page: PageSettings) {
  return {
    ...pageChecks(page),
    'account.id': isAccountCondition,
    'account.balance': (text: string) => {
      const filter = parseFilter(text);
      return filter !== null && BALANCE.test(filter.value) && BigInt(filter.value) <= MAX_BALANCE;
    },
    'account.publickey': isPublicKeyCondition,
    balance: isFlag,
  };
}

/** Null without conditions: then an unknown balance does no harm. */
function balanceSelection(texts: readonly string[]) {
  if (texts.length === 0) return null;
  return andIntegers(
    texts
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
}
