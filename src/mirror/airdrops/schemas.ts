import { Type } from '@sinclair/typebox';
import { AccountFilter, Links, ListOrder, StrictLimit, TimeRange, TokenFilter } from '../list-schemas.ts';

const serialnumber = Type.Optional(
  Type.Array(
    Type.String({
      pattern: '^((eq|gt|gte|lt|lte):)?\\d{1,19}$',
      description: 'Serial number; fungible tokens have 0.',
    }),
    { maxItems: 2 },
  ),
);

const common = { 'token.id': TokenFilter, serialnumber, limit: StrictLimit, order: ListOrder('asc') };

export const OutstandingAirdropsQuery = Type.Object({ 'receiver.id': AccountFilter, ...common });

export const PendingAirdropsQuery = Type.Object({ 'sender.id': AccountFilter, ...common });

/** @see contracts/mirror-entities.md section 4 */
export const AirdropListAnswer = Type.Object(
  {
    airdrops: Type.Array(
      Type.Object(
        {
          amount: Type.Union([Type.Integer(), Type.Null()], {
            description: 'All that waits; null for an NFT.',
          }),
          receiver_id: Type.String(),
          sender_id: Type.String(),
          serial_number: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Null for a fungible token.',
          }),
          timestamp: TimeRange,
          token_id: Type.String(),
        },
        { title: 'Airdrop' },
      ),
    ),
    links: Links,
  },
  { title: 'AirdropList' },
);
