import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { invalidRequest } from '../errors.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { type EntityNames, knownAccountInPath } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type IntegerSelection, selectIntegers } from '../parameters/integer-range.ts';
import {
  type PageRequest,
  type PageSettings,
  pageChecks,
  pageRequest,
} from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { tokenOfText } from '../parameters/token-in-path.ts';
import type { AccountRelation, RelationRepository } from './relation-repository.ts';

export interface AccountTokensDependencies {
  readonly relations: RelationRepository;
  readonly names: EntityNames;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

/** A list as it is sent. */
export interface ListAnswer {
  readonly json: string;
  readonly next: string | null;
}

const NOT_EQUALS = 'Not equal (ne) comparison operator is not supported for token.id';

/**
 * Answers `GET /api/v1/accounts/{id, alias or EVM address}/tokens`: what the account holds now.
 *
 * @throws MirrorApiError 400 for another form or a bad parameter, 404 when the ledger does not know the account.
 * @see contracts/mirror-entities.md section 4
 */
export async function listAccountTokens(
  idOrAliasOrEvmAddress: string,
  target: string,
  { maxRepeated, names, page, relations }: AccountTokensDependencies,
): Promise<ListAnswer> {
  const account = await knownAccountInPath(idOrAliasOrEvmAddress, names);
  const tokenOf = (text: string) => tokenOfText(parseFilter(text)?.value ?? '', names.home);
  const values = checkParameters(
    readQuery(target),
    { ...pageChecks(page), 'token.id': (text) => tokenOf(text) !== null },
    maxRepeated,
  );
  const tokens = selectTokens(values.get('token.id') ?? [], tokenOf);
  const request = pageRequest(values, page, 'asc');
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'token.id',
      of: ({ token }) => token,
      print: printEntityId,
      selection: tokens,
    },
    found: await findRelations(account, tokens, request, relations),
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ tokens: shown.map(relationJson), links: { next } }), next };
}

function selectTokens(texts: readonly string[], tokenOf: (text: string) => bigint | null): IntegerSelection {
  const conditions = texts.flatMap((text) => {
    const value = tokenOf(text);
    return value === null ? [] : [{ operator: parseFilter(text)?.operator ?? 'eq', value }];
  });
  if (conditions.some(({ operator }) => operator === 'ne')) throw invalidRequest([NOT_EQUALS]);
  return selectIntegers(conditions);
}

/** One more than the limit tells whether a page follows. */
async function findRelations(
  account: bigint,
  { equal, lower, upper }: IntegerSelection,
  { limit, order }: PageRequest,
  relations: RelationRepository,
): Promise<readonly AccountRelation[]> {
  if (equal === null) return relations.ofAccount(account, { lower, upper, order, limit: limit + 1 });
  const found: AccountRelation[] = [];
  const asked = [...equal].filter((token) => token >= lower && token <= upper);
  for (const token of asked.sort((a, b) => (a < b === (order === 'asc') ? -1 : 1))) {
    found.push(...(await relations.ofAccount(account, { lower: token, upper: token, order, limit: 1 })));
  }
  return found.slice(0, limit + 1);
}

function relationJson(relation: AccountRelation): ExactJson {
  const { createdTimestamp: created } = relation;
  return {
    automatic_association: relation.isAutomatic,
    balance: relation.balance,
    created_timestamp: created === null ? null : printTimestamp(created),
    decimals: relation.decimals,
    freeze_status: relation.freezeStatus,
    kyc_status: relation.kycStatus,
    token_id: printEntityId(relation.token),
  };
}
