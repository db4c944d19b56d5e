import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import type { LedgerEvent } from './ledger-item.ts';
import { type LedgerWorld, moved, type WorldScene } from './ledger-world.ts';
import { least } from './supply-life.ts';
import type { WorldToken } from './world-token.ts';

/** Units from one account to another, which may become a holder by it; some pay the token's fee. */
export const moveUnits: WorldScene = (world, at) => {
  const token = movable(world, (each) => !each.isUnique);
  if (token === null) return [];
  const from = sender(world, token);
  const opened = from === null ? null : receiver(world, token, from);
  if (from === null || opened === null) return [];
  const { context } = world;
  const { num: to, record } = opened;
  const amount = least(token.balanceOf(from), context.amount(5000));
  token.add(from, -amount);
  token.add(to, amount);
  const tokenTransferLists = [
    { token: context.token(token.num), transfers: moved(context, [from, -amount], [to, amount]) },
  ];
  const fee = feeOf(world, token, from);
  return [
    world.event(
      at,
      from,
      { cryptoTransfer: { tokenTransfers: tokenTransferLists } },
      {
        ...fee.transfers,
        record: { tokenTransferLists, ...record, ...fee.record },
      },
    ),
  ];
};

/** An NFT to another account, some of them at once to a third one. */
export const moveNft: WorldScene = (world, at) => {
  const token = movable(world, ({ isUnique, serials }) => isUnique && serials.size > 0);
  const serial = token?.serials.draw(world.random) ?? null;
  const owner = serial === null ? undefined : token?.nfts.get(serial)?.owner;
  if (token === null || serial === null || owner === undefined || !token.canMove(owner)) return [];
  const first = receiver(world, token, owner);
  if (first === null) return [];
  const hops = [owner, first.num];
  const second = world.context.once(4)
    ? world.holder(token, (num) => num !== first.num && token.canMove(num))
    : null;
  if (second !== null) hops.push(second);
  for (const to of hops.slice(1)) token.moveNft(serial, to);
  const { account, token: tokenOf } = world.context;
  const nftTransfers = hops.slice(1).map((to, index) => ({
    senderAccountID: account(hops[index] ?? owner),
    receiverAccountID: account(to),
    serialNumber: serial,
  }));
  const tokenTransferLists = [{ token: tokenOf(token.num), nftTransfers }];
  return [
    world.event(
      at,
      owner,
      { cryptoTransfer: { tokenTransfers: tokenTransferLists } },
      {
        record: { tokenTransferLists, ...first.record },
      },
    ),
  ];
};

/** A token that can move now and fits; null when none was found. */
export function movable(world: LedgerWorld, fits: (token: WorldToken) => boolean): WorldToken | null {
  return world.token((token) => token.isUsable && fits(token));
}

/** Who has some of it and may send it. */
export function sender(world: LedgerWorld, token: WorldToken): bigint | null {
  const fits = (num: bigint) => token.balanceOf(num) > 0n && token.canMove(num);
  const account = world.holder(token, fits);
  return account ?? (fits(token.treasury) ? token.treasury : null);
}

/** Another holder, or an account that becomes one automatically, which the record then tells. */
export function receiver(
  world: LedgerWorld,
  token: WorldToken,
  than: bigint,
): { readonly num: bigint; readonly record: MessageObject } | null {
  if (token.opensFreely && world.context.once(4)) {
    const citizen = world.otherCitizen(than);
    if (citizen !== null && citizen.slots !== 0 && !token.holdings.has(citizen.num)) {
      if (citizen.slots > 0) citizen.slots--;
      token.associate(citizen.num);
      const { account, token: tokenOf } = world.context;
      const made = { tokenId: tokenOf(token.num), accountId: account(citizen.num) };
      return { num: citizen.num, record: { automaticTokenAssociations: [made] } };
    }
  }
  const fits = (num: bigint) => num !== than && token.canMove(num);
  const num = world.holder(token, fits);
  return num === null ? null : { num, record: {} };
}

function feeOf(
  { context: { account } }: LedgerWorld,
  { fee, treasury }: WorldToken,
  payer: bigint,
): { readonly transfers: Pick<LedgerEvent, 'transfers'>; readonly record: MessageObject } {
  if (fee === null || payer === treasury || payer === fee.collector) return { transfers: {}, record: {} };
  const { amount, collector } = fee;
  const assessed = {
    amount,
    feeCollectorAccountId: account(collector),
    effectivePayerAccountId: [account(payer)],
  };
  return {
    transfers: {
      transfers: [
        [payer, -amount],
        [collector, amount],
      ],
    },
    record: { assessedCustomFees: [assessed] },
  };
}
