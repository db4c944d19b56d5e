import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { column, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { currentSince, idIn, integer, required } from '../../items/fixture-members.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { PendingAirdropId } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changeSince } from '../fold/change-order.ts';
import type { Facet } from './facet.ts';

/** A token that an account sent to another, which has to claim it. */
interface AirdropId {
  readonly sender: EntityId;
  readonly receiver: EntityId;
  readonly token: EntityId;
  /** 0 for a fungible token. */
  readonly serial: bigint;
}

/** What becomes of an airdrop. */
export interface AirdropChange extends AirdropId {
  readonly timestamp: ConsensusTimestamp;
  readonly state: keyof typeof AIRDROP_STATE;
  /** All that waits; null for an NFT, undefined when the change does not tell. */
  readonly amount?: bigint | null;
}

/** As they are stored. */
const AIRDROP_STATE = { pending: 0n, cancelled: 1n, claimed: 2n } as const;
const AIRDROP = stateTable(
  'airdrop',
  { sender: 'sender_id', receiver: 'receiver_id', token: 'token_id', serial: 'serial_number' },
  { amount: column<bigint | null>('amount'), state: column<bigint>('state'), at: column<bigint>('lower_ts') },
);
const FUNGIBLE = 0n;

/**
 * Airdrops that wait for their receivers, as records tell them, until they are claimed or cancelled: the last change
 * holds. What becomes of an airdrop that is not known makes no row, since only waiting ones are shown.
 * Rows are in the order of the transactions.
 *
 * @see contracts/mirror-entities.md section 11.7
 */
export const airdrops: Facet<'airdrops', AirdropChange> = {
  name: 'airdrops',

  decode: {
    types: [TYPE.TOKENAIRDROP, TYPE.TOKENCANCELAIRDROP, TYPE.TOKENCLAIMAIRDROP],
    rows: decodeAirdrops,
  },

  fixture: {
    kind: 'airdrop',
    read(line, { home }) {
      const id = idIn(home);
      const since = currentSince(line);
      if (since === null) return { rows: [] };
      const serial = integer(line, 'serial_number') ?? FUNGIBLE;
      const row: AirdropChange = {
        sender: required(line, 'sender_id', id),
        receiver: required(line, 'receiver_id', id),
        token: required(line, 'token_id', id),
        serial,
        amount: serial === FUNGIBLE ? required(line, 'amount', integer) : null,
        state: 'pending',
        timestamp: consensusTimestamp(since),
      };
      return { rows: [row] };
    },
  },

  touch(unit, keys) {
    for (const { receiver, sender, serial, token } of unit.airdrops)
      keys.add(AIRDROP, sender, receiver, token, serial);
  },

  fold(folded, state) {
    const rows = state.rows(AIRDROP);
    for (const change of folded.unit.airdrops) {
      const { amount, receiver, sender, serial, state: next, timestamp, token } = change;
      const row = rows.get(sender, receiver, token, serial);
      const at = changeSince(timestamp, row?.at ?? null, folded);
      if (at === null || (row === null && amount === undefined)) continue;
      const left = amount === undefined ? (row?.amount ?? null) : amount;
      rows.set({ sender, receiver, token, serial, amount: left, state: AIRDROP_STATE[next], at });
    }
  },

  rebuild: { replaced: ['airdrop'] },
};

function decodeAirdrops(
  { body, consensusTimestamp: timestamp, record, type }: DecodedItem,
  resolve: ResolveAlias,
): readonly AirdropChange[] {
  if (type !== TYPE.TOKENAIRDROP) {
    const ended = body.tokenClaimAirdrop ?? body.tokenCancelAirdrop;
    const state = body.tokenClaimAirdrop === null ? 'cancelled' : 'claimed';
    return (ended?.pendingAirdrops ?? []).flatMap((given) => {
      const id = airdropId(given, resolve);
      return id === null ? [] : [{ ...id, timestamp, state }];
    });
  }
  return record.newPendingAirdrops.flatMap(({ pendingAirdropId, pendingAirdropValue }) => {
    const id = airdropId(pendingAirdropId, resolve);
    if (id === null) return [];
    const told = pendingAirdropValue === null ? 0n : toBigInt(pendingAirdropValue.amount);
    // Unsigned on the wire, and never more than a supply.
    const amount = id.serial !== FUNGIBLE ? null : told > MAX_INT64 ? MAX_INT64 : told;
    return [{ ...id, timestamp, state: 'pending', amount }];
  });
}

function airdropId(id: PendingAirdropId | null, resolve: ResolveAlias): AirdropId | null {
  const sender = accountId(id?.senderId ?? null, resolve);
  const receiver = accountId(id?.receiverId ?? null, resolve);
  const token = tokenId(id?.nonFungibleToken?.token_ID ?? id?.fungibleTokenType ?? null);
  if (sender === null || receiver === null || token === null) return null;
  const serial = id?.nonFungibleToken == null ? FUNGIBLE : toBigInt(id.nonFungibleToken.serialNumber);
  return { sender, receiver, token, serial };
}
