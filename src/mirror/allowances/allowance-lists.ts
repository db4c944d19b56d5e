import { printEntityId } from '../../values/entity-id.ts';
import { type Fields, flag, id, integer, itemOf, since } from '../lists/fields.ts';
import { accountPart, orderedKeys, tokenPart, twoPartKeys } from '../lists/keys.ts';
import { account, type ListContext, listOn, owningAccount } from '../lists/list.ts';
import { accountFilter, yesOrNo } from '../lists/parameters.ts';
import { isCrossed, type PartConditions, type TwoPartConditions } from '../parameters/ordered-keys.ts';
import type { Allowance, AllowanceRepository, Approval } from './allowance-repository.sql.ts';

export interface AllowanceContext extends ListContext {
  readonly allowances: AllowanceRepository;
}

const BELOW_ACCOUNT = '/api/v1/accounts/:idOrAliasOrEvmAddress/allowances';

const parties = {
  owner: id(({ owner }) => owner),
  spender: id(({ spender }) => spender),
  timestamp: since(({ since }) => since),
} satisfies Fields<Approval>;
const token = { token_id: id(({ token }) => token) } satisfies Fields<Approval>;
const hbar = {
  amount: integer(({ amount }) => amount, 'Remaining amount.'),
  amount_granted: integer(({ granted }) => granted),
  ...parties,
} satisfies Fields<Allowance>;

/** Who may spend hbar of an account, and how much still. @see contracts/mirror-entities.md section 4 */
export const hbarAllowanceList = listOn<AllowanceContext>()({
  path: `${BELOW_ACCOUNT}/crypto`,
  summary: 'Who may spend hbar of an account',
  name: 'allowances',
  title: 'HbarAllowanceList',
  order: ['desc'],
  subject: account(),
  parameters: {
    'spender.id': accountFilter({
      each: 'Id or EVM address with optional operator; several without one form a set.',
      withoutNe: 'Not equal (ne) comparison operator is not supported for spender.id',
    }),
  },
  rows: ({ limit, order, 'spender.id': spenders, subject }, { allowances }) =>
    allowances.hbar({ account: subject, spenders, order, limit }),
  cursor: { parameter: 'spender.id', of: ({ spender }) => spender, print: printEntityId },
  item: itemOf<Allowance>()(hbar, 'HbarAllowance'),
});

/** Who may spend tokens of an account, and how much still. @see contracts/mirror-entities.md sections 1.4 and 4 */
export const tokenAllowanceList = listOn<AllowanceContext, TwoPartConditions>()({
  path: `${BELOW_ACCOUNT}/tokens`,
  summary: 'Who may spend tokens of an account',
  name: 'allowances',
  title: 'TokenAllowanceList',
  order: ['asc'],
  subject: account(),
  keys: twoPartKeys(accountPart('spender.id'), tokenPart('token.id'), ({ spender, token }: Allowance) => [
    spender,
    token,
  ]),
  rows: ({ keys: conditions, limit, order, subject }, { allowances }) =>
    allowances.tokens({ account: subject, conditions, order, limit }),
  item: itemOf<Allowance>()({ ...hbar, ...token }, 'TokenAllowance'),
});

/**
 * The approvals of all NFTs of a token that an account gave, or got with `owner=false`: only those in force are shown.
 *
 * @see contracts/mirror-entities.md sections 1.5 and 4
 */
export const approvalList = listOn<AllowanceContext, readonly PartConditions[]>()({
  path: `${BELOW_ACCOUNT}/nfts`,
  summary: 'Who may spend all NFTs of a token for an account',
  name: 'allowances',
  title: 'NftAllowanceList',
  order: ['asc'],
  isLimitStrict: true,
  subject: owningAccount(),
  keys: orderedKeys(
    [accountPart('account.id'), tokenPart('token.id')],
    (row: Approval, { owner: isOwner }: { readonly owner: boolean }) => [
      isOwner ? row.spender : row.owner,
      row.token,
    ],
    refuse,
  ),
  parameters: {
    owner: yesOrNo(
      true,
      'Whether the path names the owner and account.id the spender, or the other way round.',
    ),
  },
  rows: ({ keys: conditions, limit, order, owner: isOwner, subject }, { allowances }) =>
    allowances.nfts({ account: subject, side: isOwner ? 'owner' : 'spender', conditions, order, limit }),
  item: itemOf<Approval>()({ approved_for_all: flag(() => true), ...parties, ...token }, 'NftAllowance'),
});

/** The first combination of conditions that is refused, in the order of the contract's table. */
function refuse([account, token]: readonly PartConditions[]): string | null {
  if (account === undefined || token === undefined) return null;
  const isAsked = ({ equal, lower, upper }: PartConditions) =>
    equal !== null || lower !== null || upper !== null;
  const allows = ({ equal, ...bounds }: PartConditions, side: 'lower' | 'upper') =>
    equal !== null || bounds[side]?.isInclusive === true;
  const hasBothBounds = account.lower !== null && account.upper !== null;
  if (isCrossed(account)) return 'Invalid range provided for account.id';
  if (isAsked(token) && !isAsked(account)) return 'token.id parameter must have account.id present';
  if (isCrossed(token) && !hasBothBounds) return 'Invalid range provided for token.id';
  if (token.upper !== null && !allows(account, 'upper'))
    return 'Requires the presence of an lte or eq account.id parameter';
  if (token.lower !== null && !allows(account, 'lower'))
    return 'Requires the presence of an gte or eq account.id parameter';
  return null;
}
