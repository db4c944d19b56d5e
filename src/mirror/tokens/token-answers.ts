import { Type } from '@sinclair/typebox';
import {
  MAX_CONSENSUS_TIMESTAMP,
  NANOS_PER_SECOND,
  printTimestamp,
} from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { foldCase } from '../../values/fold-case.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest, messages } from '../errors.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { NullableText } from '../list-schemas.ts';
import {
  base64,
  type Field,
  flag,
  id,
  integer,
  itemOf,
  key,
  stored,
  text,
  time,
  word,
} from '../lists/fields.ts';
import { type ListContext, listOn, token } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { ANY_OF, type Parameter, publicKeys, repeated, tokens } from '../lists/parameters.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { NO_MATCH } from '../parameters/no-match.ts';
import type { QueryPair } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { numberOfText } from '../parameters/token-in-path.ts';
import type { ListedToken } from './token-pages.sql.ts';
import type { TokenRepository, TokenState } from './token-repository.sql.ts';

export interface TokenContext extends ListContext {
  readonly tokens: TokenRepository;
}

const KINDS = ['FUNGIBLE_COMMON', 'NON_FUNGIBLE_UNIQUE'] as const;
const NO_BYTES = new Uint8Array();
const MIN_NAME_BYTES = 3;
const MAX_NAME_BYTES = 100;
/** Clients compare them. @see contracts/mirror-entities.md section 6.1 */
const NAME_AND_TOKEN = 'token.id and name can not be used together. Use a more specific name instead.';
const NAME_AND_ACCOUNT = 'account.id and name cannot be used together';

const LISTED_TOKEN = itemOf<ListedToken>()(
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
  item: LISTED_TOKEN,
});

/** Reported before all other faults. */
function refuseNameWithIds(query: readonly QueryPair[]): void {
  const has = (wanted: string) => query.some(({ isNested, name }) => name === wanted && !isNested);
  if (!has('name')) return;
  if (has('token.id')) throw invalidRequest([NAME_AND_TOKEN]);
  if (has('account.id')) throw invalidRequest([NAME_AND_ACCOUNT]);
}

const OPERATORS: readonly string[] = ['eq', 'lt', 'lte'];

const Collected = {
  all_collectors_are_exempt: Type.Boolean(),
  collector_account_id: NullableText,
};
const Amount = {
  amount: Type.Integer(),
  denominating_token_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for hbar.' }),
};
const Fraction = Type.Object(
  { numerator: Type.Integer(), denominator: Type.Integer() },
  { title: 'Fraction' },
);

/** @see contracts/mirror-entities.md section 6.3 */
const CustomFees = Type.Object(
  {
    created_timestamp: Type.String({ description: 'Time from which the fees apply.' }),
    fixed_fees: Type.Array(Type.Object({ ...Collected, ...Amount }, { title: 'TokenFixedFee' })),
    fractional_fees: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...Collected,
            amount: Fraction,
            denominating_token_id: Type.String(),
            maximum: Type.Union([Type.Integer(), Type.Null()]),
            minimum: Type.Integer(),
            net_of_transfers: Type.Boolean(),
          },
          { title: 'FractionalFee' },
        ),
        { description: 'Of fungible tokens.' },
      ),
    ),
    royalty_fees: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...Collected,
            amount: Fraction,
            fallback_fee: Type.Union([Type.Object(Amount), Type.Null()]),
          },
          { title: 'RoyaltyFee' },
        ),
        { description: 'Of unique tokens.' },
      ),
    ),
  },
  { title: 'TokenFees' },
);

/** An integer as text. */
const digits = (of: (token: TokenState) => bigint, description?: string): Field<TokenState, string> => ({
  schema: Type.String({ pattern: '^\\d+$', ...(description === undefined ? {} : { description }) }),
  json: (token) => `"${of(token)}"`,
});

export const TOKEN = itemOf<TokenState>()(
  {
    admin_key: key(({ entity }) => entity.adminKey),
    auto_renew_account: id.orNull(({ entity }) => entity.autoRenewAccount),
    auto_renew_period: integer.orNull(({ entity }) => entity.autoRenewPeriod),
    created_timestamp: time.orNull(({ createdTimestamp }) => createdTimestamp),
    // The lists are stored as they are sent.
    custom_fees: stored(Type.Union([CustomFees, Type.Null()]), feesJson),
    decimals: digits(({ decimals }) => decimals),
    deleted: flag.orNull(({ entity }) => entity.isDeleted),
    expiry_timestamp: integer.orNull(expiryOf, 'Nanoseconds.'),
    fee_schedule_key: key(({ feeScheduleKey }) => feeScheduleKey),
    freeze_default: flag(({ freezeDefault }) => freezeDefault),
    freeze_key: key(({ freezeKey }) => freezeKey),
    initial_supply: digits(({ initialSupply }) => initialSupply),
    kyc_key: key(({ kycKey }) => kycKey),
    max_supply: digits(({ maxSupply }) => maxSupply, '0: no limit.'),
    memo: text.orNull(({ entity }) => entity.memo),
    metadata: base64(({ metadata }) => metadata ?? NO_BYTES),
    metadata_key: key(({ metadataKey }) => metadataKey),
    modified_timestamp: time(({ changedTimestamp: own, entity: { changedTimestamp: shared } }) =>
      own > shared ? own : shared,
    ),
    name: text(({ name }) => name),
    pause_key: key(({ pauseKey }) => pauseKey),
    pause_status: word(['NOT_APPLICABLE', 'PAUSED', 'UNPAUSED'], ({ pauseStatus }) => pauseStatus),
    supply_key: key(({ supplyKey }) => supplyKey),
    supply_type: word(['FINITE', 'INFINITE'], ({ supplyType }) => supplyType),
    symbol: text(({ symbol }) => symbol),
    token_id: id(({ token }) => token),
    total_supply: digits(({ totalSupply }) => totalSupply),
    treasury_account_id: id.orNull(({ treasury }) => treasury),
    type: word(KINDS, ({ kind }) => kind),
    wipe_key: key(({ wipeKey }) => wipeKey),
  },
  'Token',
);

function feesJson({ fees, kind }: TokenState): string {
  if (fees === null) return 'null';
  const other =
    kind === 'FUNGIBLE_COMMON' ? `"fractional_fees":${fees.fractional}` : `"royalty_fees":${fees.royalty}`;
  return `{"created_timestamp":"${printTimestamp(fees.since)}","fixed_fees":${fees.fixed},${other}}`;
}

/** What no update set ends a renewal period after the creation. */
function expiryOf({ createdTimestamp, entity }: TokenState): bigint | null {
  const { autoRenewPeriod, expiryTimestamp } = entity;
  if (expiryTimestamp !== null || autoRenewPeriod === null || createdTimestamp === null)
    return expiryTimestamp;
  const end = createdTimestamp + autoRenewPeriod * NANOS_PER_SECOND;
  return end > MAX_CONSENSUS_TIMESTAMP ? MAX_CONSENSUS_TIMESTAMP : end;
}

/** The last time that is asked for; null without any. */
const upperEnd: Parameter<bigint | null> = {
  schema: repeated('((eq|lt|lte):)?', '\\d{1,10}(\\.\\d{1,9})?', {
    description: 'The token as it was at the time; the last one applies.',
  }),
  check: (text) => isTimestampCondition(text) && OPERATORS.includes(parseFilter(text)?.operator ?? ''),
  read(texts) {
    const last = timestampConditions(texts).at(-1);
    if (last === undefined) return null;
    const time = last.operator === 'lt' ? last.value - 1n : last.value;
    return time > MAX_INT64 ? MAX_INT64 : time;
  },
};

/** The token as it is, or as it was at a time. @see contracts/mirror-entities.md section 6.2 */
export const oneToken = oneOn<TokenContext>()({
  path: '/api/v1/tokens/:tokenId',
  summary: 'One token',
  subject: token(
    Type.String({
      pattern: '^((\\d{1,10}\\.){0,2}\\d{1,12}|(0x|(\\d{1,10}\\.){0,2})[A-Fa-f0-9]{40})$',
      description: 'Number of the token, also `0.0.n` or its long-zero EVM address.',
    }),
  ),
  parameters: { timestamp: upperEnd },
  find: ({ subject, timestamp }, { tokens }) => tokens.find(subject, timestamp),
  item: TOKEN,
  maxAgeSeconds: 5,
});
