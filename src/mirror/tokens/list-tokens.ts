import { printEntityId } from '../../values/entity-id.ts';
import { foldCase } from '../../values/fold-case.ts';
import { invalidRequest, messages } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { checkParameters, type ParameterValues } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { isPublicKeyCondition, parsePublicKeyFilter } from '../parameters/public-key-filter.ts';
import { type QueryPair, readQuery } from '../parameters/query-text.ts';
import { numberOfText, tokenOfText } from '../parameters/token-in-path.ts';
import { tokenItem } from './token-document.ts';
import type { TokenRepository } from './token-repository.ts';

export interface ListTokensDependencies {
  readonly tokens: TokenRepository;
  readonly page: PageSettings;
  readonly home: EntityHome;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const MIN_NAME_BYTES = 3;
const MAX_NAME_BYTES = 100;
const KINDS = ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] as const;
/** Clients compare them. @see contracts/mirror-entities.md section 6.1 */
const NAME_AND_TOKEN = 'token.id and name can not be used together. Use a more specific name instead.';
const NAME_AND_ACCOUNT = 'account.id and name cannot be used together';

/**
 * Answers `GET /api/v1/tokens`.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-entities.md section 6.1
 */
export async function listTokens(
  target: string,
  { home, maxRepeated, page, tokens }: ListTokensDependencies,
): Promise<{ readonly json: string; readonly next: string | null }> {
  const query = readQuery(target);
  refuseNameWithIds(query);
  const tokenOf = (text: string) => tokenOfText(parseFilter(text)?.value ?? '', home);
  const accountOf = (text: string) => numberOfText(text.replace(/^eq:/, ''), home);
  const checks = {
    ...pageChecks(page),
    'account.id': (text: string) => accountOf(text) !== null,
    name: isName,
    publickey: isPublicKeyCondition,
    'token.id': (text: string) => tokenOf(text) !== null,
    type: isOneOf('all', ...KINDS.map((kind) => kind.toLowerCase())),
  };
  const values = checkParameters(query, checks, maxRepeated);
  const [account, another] = values.get('account.id') ?? [];
  if (another !== undefined) throw invalidRequest([messages.invalidParameter('account.id')]);
  const ids = selectIntegers(
    (values.get('token.id') ?? []).map((text) => ({
      operator: parseFilter(text)?.operator ?? 'eq',
      value: tokenOf(text) ?? 0n,
    })),
  );
  const request = pageRequest(values, page, 'asc');
  const kinds = kindsOf(values);
  const keys = parsePublicKeyFilter(values.get('publickey') ?? []);
  const names = (values.get('name') ?? []).map((text) => foldCase(operand(text)));
  const [kind = null] = kinds;
  const selection = {
    ids,
    account: account === undefined ? null : accountOf(account),
    kind,
    names,
    order: request.order,
    // One more tells whether a page follows.
    limit: request.limit + 1,
  };
  const isImpossible = kinds.size > 1 || keys === 'none' || ids.lower > ids.upper;
  const found = isImpossible ? [] : await tokens.page({ ...selection, keys });
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'token.id',
      of: ({ token }) => token,
      print: printEntityId,
      selection: values.has('token.id') ? ids : null,
    },
    found,
    page,
    request,
    target,
    values,
  });
  // A search by name is not continued.
  const link = names.length > 0 ? null : next;
  return { json: printExactJson({ tokens: shown.map(tokenItem), links: { next: link } }), next: link };
}

/** Told before all other faults. */
function refuseNameWithIds(query: readonly QueryPair[]): void {
  const has = (wanted: string) => query.some(({ isNested, name }) => name === wanted && !isNested);
  if (!has('name')) return;
  if (has('token.id')) throw invalidRequest([NAME_AND_TOKEN]);
  if (has('account.id')) throw invalidRequest([NAME_AND_ACCOUNT]);
}

function isName(text: string): boolean {
  const filter = parseFilter(text);
  if (filter?.operator !== 'eq') return false;
  const bytes = Buffer.byteLength(filter.value);
  return bytes >= MIN_NAME_BYTES && bytes <= MAX_NAME_BYTES;
}

/** The kinds that are asked for; none for all. */
function kindsOf(values: ParameterValues): ReadonlySet<TokenKind> {
  const asked = (values.get('type') ?? []).map((text) => operand(text).toUpperCase());
  return new Set(KINDS.filter((kind) => asked.includes(kind)));
}
