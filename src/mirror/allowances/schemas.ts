import { Type } from '@sinclair/typebox';
import { AccountFilter, Links, ListOrder, StrictLimit, TimeRange, TokenFilter } from '../list-schemas.ts';

const limit = StrictLimit;
const amounts = {
  amount: Type.Integer({ description: 'What is left.' }),
  amount_granted: Type.Integer(),
};
const parties = { owner: Type.String(), spender: Type.String(), timestamp: TimeRange };
const token_id = Type.String();

export const HbarAllowancesQuery = Type.Object({
  'spender.id': Type.Optional(
    Type.Array(
      Type.String({
        description: 'Id or EVM address with optional operator; several without one form a set.',
      }),
    ),
  ),
  limit,
  order: ListOrder('desc'),
});

export const TokenAllowancesQuery = Type.Object({
  'spender.id': AccountFilter,
  'token.id': TokenFilter,
  limit,
  order: ListOrder('asc'),
});

export const ApprovalsQuery = Type.Object({
  'account.id': AccountFilter,
  'token.id': TokenFilter,
  owner: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the path names the owner and account.id the spender, or the other way round.',
    }),
  ),
  limit,
  order: ListOrder('asc'),
});

/** @see contracts/mirror-entities.md section 4 */
export const HbarAllowancesAnswer = Type.Object(
  {
    allowances: Type.Array(Type.Object({ ...amounts, ...parties }, { title: 'HbarAllowance' })),
    links: Links,
  },
  { title: 'HbarAllowanceList' },
);

export const TokenAllowancesAnswer = Type.Object(
  {
    allowances: Type.Array(Type.Object({ ...amounts, ...parties, token_id }, { title: 'TokenAllowance' })),
    links: Links,
  },
  { title: 'TokenAllowanceList' },
);

export const ApprovalsAnswer = Type.Object(
  {
    allowances: Type.Array(
      Type.Object({ approved_for_all: Type.Boolean(), ...parties, token_id }, { title: 'NftAllowance' }),
    ),
    links: Links,
  },
  { title: 'NftAllowanceList' },
);
