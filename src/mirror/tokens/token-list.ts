import { Type } from '@sinclair/typebox';
import { printEntityId } from '../../values/entity-id.ts';
import { foldCase } from '../../values/fold-case.ts';
import { invalidRequest, messages } from '../errors.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { base64, id, integer, itemOf, key, text, word } from '../lists/fields.ts';
import { type ListContext, listOn } from '../lists/list.ts';
import { ANY_OF, type Parameter, publicKeys, tokens } from '../lists/parameters.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { NO_MATCH } from '../parameters/no-match.ts';
import type { QueryPair } from '../parameters/query-text.ts';
import { numberOfText } from '../parameters/token-in-path.ts';
import type { ListedToken } from './token-pages.sql.ts';
import type { TokenRepository } from './token-repository.sql.ts';

export interface TokenContext extends ListContext {
  readonly tokens: TokenRepository;
}

export const KINDS = ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] as const;
const NO_BYTES = new Uint8Array();
const MIN_NAME_BYTES = 3;
const MAX_NAME_BYTES = 100;
/** Clients compare them. @see contracts/mirror-entities.md section 6.1 */
const NAME_AND_TOKEN = 'token.id and name can not be used together. Use a more specific name instead.';
const NAME_AND_ACCOUNT = 'account.id and name cannot be used together';

const TOKEN = itemOf<ListedToken>()(
  {
    admin_key: key(({ adminKey }) => adminKey),
    decimals: integer(({ decimals }) => decimals),
    metadata: base64(({ metadata }) => metadata ?? NO_BYTES),
    name: text(({ name }) => name),
    symbol: text(({ symbol }) => symbol),
    token_id: id(({ token }) => token),
    type: word(KINDS, ({ kind }) => kind),
  },
  'TokenSummary',
);

/** Null for anyone. */
const associated: Parameter<bigint | null> = {
  schema: Type.Optional(
    Type.String({
      pattern: '^(eq:)?(\\d{1,10}\\.){0,2}\\d{1,12}$',
      description: 'Tokens that the account is associated with.',
    }),
  ),
  check: (text, { names }) => numberOfText(text.replace(/^eq:/, ''), names.home) !== null,
  read([account, another], { names }) {
    if (another !== undefined) throw invalidRequest([messages.invalidParameter('account.id')]);
    return account === undefined ? null : numberOfText(account.replace(/^eq:/, ''), names.home);
  },
};

/** Parts of the name in one letter case. */
const name: Parameter<readonly string[]> = {
  schema: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 103 }), {
      description:
        'Part of the name in any letter case, 3 to 100 bytes, without `token.id` and `account.id`; if there are several, all apply.',
    }),
  ),
  check(text) {
    const filter = parseFilter(text);
    if (filter?.operator !== 'eq') return false;
    const bytes = Buffer.byteLength(filter.value);
    return bytes >= MIN_NAME_BYTES && bytes <= MAX_NAME_BYTES;
  },
  read: (texts) => texts.map((text) => foldCase(operand(text))),
};

/** Null for both. */
const type: Parameter<TokenKind | null> = {
  schema: Type.Optional(
    Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['ALL', ...KINDS], default: 'ALL' })),
  ),
  check: isOneOf('all', ...KINDS.map((kind) => kind.toLowerCase())),
  read(texts) {
    const [kind = null, another] = KINDS.filter((kind) =>
      texts.some((text) => operand(text).toUpperCase() === kind),
    );
    return another === undefined ? kind : NO_MATCH;
  },
};

/** @see contracts/mirror-entities.md section 6.1 */
export const tokenList = listOn<TokenContext>()({
  path: '/api/v1/tokens',
  isKept: true,
  summary: 'List tokens',
  name: 'tokens',
  title: 'TokenList',
  maxAgeSeconds: 10,
  order: ['asc', 'Order by number.'],
  refuse: refuseNameWithIds,
  parameters: {
    'account.id': associated,
    name,
    publickey: publicKeys({ description: 'The admin key, in hex; operators compare the text.' }),
    'token.id': tokens(ANY_OF, { description: 'One of the given ids, within the bounds.' }),
    type,
  },
  rows: (
    { 'account.id': account, limit, name: names, order, publickey: keys, 'token.id': ids, type: kind },
    { tokens },
  ) => tokens.page({ ids, account, kind, keys, names, order, limit }),
  cursor: { parameter: 'token.id', of: ({ token }) => token, print: printEntityId },
  // A search by name is not continued.
  isContinued: ({ name }) => name.length === 0,
  item: TOKEN,
});

/** Reported before all other faults. */
function refuseNameWithIds(query: readonly QueryPair[]): void {
  const has = (wanted: string) => query.some(({ isNested, name }) => name === wanted && !isNested);
  if (!has('name')) return;
  if (has('token.id')) throw invalidRequest([NAME_AND_TOKEN]);
  if (has('account.id')) throw invalidRequest([NAME_AND_ACCOUNT]);
}
