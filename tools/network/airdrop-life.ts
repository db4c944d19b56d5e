import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { movable, receiver, sender } from './holder-life.ts';
import {
  type Citizen,
  type LedgerWorld,
  moved,
  type PendingAirdrop,
  type WorldScene,
} from './ledger-world.ts';
import { least } from './supply-life.ts';

/** Delivered to holders and to who takes tokens automatically, pending for others. */
export const airdropTokens: WorldScene = (world, at) => {
  const { context, random } = world;
  const { account } = context;
  const token = movable(world, ({ isUnique, serials }) => !isUnique || serials.size > 0);
  if (token === null) return [];
  const serial = token.isUnique ? token.serials.draw(random) : 0n;
  const from =
    token.isUnique && serial !== null ? (token.nfts.get(serial)?.owner ?? null) : sender(world, token);
  if (serial === null || from === null || !token.canMove(from)) return [];
  const refuses = ({ num, slots }: Citizen) => num !== from && slots === 0 && !token.holdings.has(num);
  const stranger = world.chance() ? world.citizens.drawWhere(random, refuses) : null;
  const isPending = stranger !== null;
  const opened = isPending ? null : receiver(world, token, from);
  const to = isPending ? stranger.num : (opened?.num ?? null);
  if (to === null) return [];
  const amount = token.isUnique ? 1n : least(token.balanceOf(from), context.amount(500));
  const list = { token: context.token(token.num) };
  const lists = [
    token.isUnique
      ? {
          ...list,
          nftTransfers: [
            { senderAccountID: account(from), receiverAccountID: account(to), serialNumber: serial },
          ],
        }
      : { ...list, transfers: moved(context, [from, -amount], [to, amount]) },
  ];
  const data = { tokenAirdrop: { tokenTransfers: lists } };
  if (!isPending) {
    if (token.isUnique) token.moveNft(serial, to);
    else {
      token.add(from, -amount);
      token.add(to, amount);
    }
    return [world.event(at, from, data, { record: { tokenTransferLists: lists, ...opened?.record } })];
  }
  const total = world.addAirdrop(token, from, to, serial, amount);
  const pendingAirdropId = idOf(world, { token, sender: from, receiver: to, serial });
  const told = token.isUnique
    ? { pendingAirdropId }
    : { pendingAirdropId, pendingAirdropValue: { amount: total } };
  return [world.event(at, from, data, { record: { newPendingAirdrops: [told] } })];
};

export const cancelAirdrop: WorldScene = (world, at) => {
  const airdrop = world.airdrops.draw(world.random);
  if (airdrop === null) return [];
  world.endAirdrop(airdrop);
  const tokenCancelAirdrop = { pendingAirdrops: [idOf(world, airdrop)] };
  return [world.event(at, airdrop.sender, { tokenCancelAirdrop })];
};

/** By the receiver, who is associated by it. */
export const claimAirdrop: WorldScene = (world, at) => {
  const airdrop = world.airdrops.drawWhere(world.random, isClaimable);
  if (airdrop === null) return [];
  const { amount, receiver: to, sender: from, serial, token } = airdrop;
  world.endAirdrop(airdrop);
  token.associate(to);
  const { context } = world;
  const list = { token: context.token(token.num) };
  let told: MessageObject;
  if (token.isUnique) {
    token.moveNft(serial, to);
    const { account } = context;
    told = {
      nftTransfers: [
        { senderAccountID: account(from), receiverAccountID: account(to), serialNumber: serial },
      ],
    };
  } else {
    token.add(from, -amount);
    token.add(to, amount);
    told = { transfers: moved(context, [from, -amount], [to, amount]) };
  }
  const tokenClaimAirdrop = { pendingAirdrops: [idOf(world, airdrop)] };
  return [
    world.event(at, to, { tokenClaimAirdrop }, { record: { tokenTransferLists: [{ ...list, ...told }] } }),
  ];
};

/** Everything of a token, or one NFT, back to the treasury. */
export const rejectToken: WorldScene = (world, at) => {
  const token = movable(world, ({ holders }) => holders.size > 1);
  if (token === null || !token.canMove(token.treasury)) return [];
  const fits = (num: bigint) => num !== token.treasury && token.balanceOf(num) > 0n && token.canMove(num);
  const owner = world.holder(token, fits);
  if (owner === null) return [];
  const { context } = world;
  const { account } = context;
  const tokenID = context.token(token.num);
  if (!token.isUnique) {
    const amount = token.balanceOf(owner);
    token.add(owner, -amount);
    token.add(token.treasury, amount);
    const list = { token: tokenID, transfers: moved(context, [owner, -amount], [token.treasury, amount]) };
    const tokenReject = { owner: account(owner), rejections: [{ fungibleToken: tokenID }] };
    return [world.event(at, owner, { tokenReject }, { record: { tokenTransferLists: [list] } })];
  }
  const owned = (each: bigint) => token.nfts.get(each)?.owner === owner;
  const serial = token.serials.drawWhere(world.random, owned);
  if (serial === null) return [];
  token.moveNft(serial, token.treasury);
  const nft = {
    senderAccountID: account(owner),
    receiverAccountID: account(token.treasury),
    serialNumber: serial,
  };
  const tokenReject = {
    owner: account(owner),
    rejections: [{ nft: { token_ID: tokenID, serialNumber: serial } }],
  };
  return [
    world.event(
      at,
      owner,
      { tokenReject },
      {
        record: { tokenTransferLists: [{ token: tokenID, nftTransfers: [nft] }] },
      },
    ),
  ];
};

function isClaimable({ amount, receiver: to, sender: from, serial, token }: PendingAirdrop): boolean {
  if (!token.canMove(from) || !(token.holdings.has(to) ? token.canMove(to) : token.opensFreely)) return false;
  return token.isUnique ? token.nfts.get(serial)?.owner === from : token.balanceOf(from) >= amount;
}

function idOf(
  { context: { account, token } }: LedgerWorld,
  airdrop: Pick<PendingAirdrop, 'receiver' | 'sender' | 'serial' | 'token'>,
): MessageObject {
  const tokenID = token(airdrop.token.num);
  return {
    senderId: account(airdrop.sender),
    receiverId: account(airdrop.receiver),
    ...(airdrop.token.isUnique
      ? { nonFungibleToken: { token_ID: tokenID, serialNumber: airdrop.serial } }
      : { fungibleTokenType: tokenID }),
  };
}
