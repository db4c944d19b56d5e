import { Type } from '@sinclair/typebox';
import { id, integer, itemOf, since } from '../lists/fields.ts';
import { accountPart, integerPart, orderedKeys, tokenPart } from '../lists/keys.ts';
import { type ListContext, listOn, owningAccount } from '../lists/list.ts';
import { isInteger } from '../lists/parameters.ts';
import { isCrossed, type PartConditions } from '../parameters/ordered-keys.ts';
import type { AirdropRepository, PendingAirdrop } from './airdrop-repository.sql.ts';

export interface AirdropContext extends ListContext {
  readonly airdrops: AirdropRepository;
}

const AIRDROP = itemOf<PendingAirdrop>()(
  {
    amount: integer.orNull(({ amount }) => amount, 'Pending amount; null for an NFT.'),
    receiver_id: id(({ receiver }) => receiver),
    sender_id: id(({ sender }) => sender),
    serial_number: integer.orNull(
      ({ serial }) => (serial === 0n ? null : serial),
      'Null for a fungible token.',
    ),
    timestamp: since(({ since }) => since),
    token_id: id(({ token }) => token),
  },
  'Airdrop',
);

/** Fungible tokens have the serial number 0 here. */
const serialNumber = integerPart(
  'serialnumber',
  Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,19}$',
        description: 'Serial number; fungible tokens have 0.',
      }),
      { maxItems: 2 },
    ),
  ),
  isInteger,
);

/** @see contracts/mirror-entities.md sections 1.5 and 4 */
function airdropList(
  name: string,
  summary: string,
  side: 'sender' | 'receiver',
  other: 'sender' | 'receiver',
) {
  return listOn<AirdropContext, readonly PartConditions[]>()({
    path: `/api/v1/accounts/:idOrAliasOrEvmAddress/airdrops/${name}`,
    summary,
    name: 'airdrops',
    title: 'AirdropList',
    order: ['asc'],
    isLimitStrict: true,
    subject: owningAccount(),
    keys: orderedKeys(
      [accountPart(`${other}.id`), tokenPart('token.id'), serialNumber],
      (row: PendingAirdrop) =>
        row.serial === 0n ? [row[other], row.token] : [row[other], row.token, row.serial],
      ([ofOther]) =>
        ofOther !== undefined && isCrossed(ofOther) ? `Invalid range provided for ${other}.id` : null,
    ),
    rows: ({ keys: conditions, limit, order, subject: account }, { airdrops }) =>
      airdrops.page({ side, account, conditions, order, limit }),
    item: AIRDROP,
  });
}

export const outstandingAirdropList = airdropList(
  'outstanding',
  'Airdrops that an account sent and that are not claimed yet',
  'sender',
  'receiver',
);

export const pendingAirdropList = airdropList(
  'pending',
  'Airdrops that an account may claim',
  'receiver',
  'sender',
);
