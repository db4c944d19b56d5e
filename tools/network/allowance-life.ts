import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { movable, receiver, sender } from './holder-life.ts';
import { moved, type WorldScene } from './ledger-world.ts';
import { least } from './supply-life.ts';

const MOST = 1_000_000;

/** For hbar, for units, for all NFTs of a token and for one of them, in any mixture; some take an approval back. */
export const approve: WorldScene = (world, at) => {
  const { context } = world;
  const { account } = context;
  const token = movable(world, ({ isUnique }) => !isUnique);
  const owner = (token === null ? null : sender(world, token)) ?? world.citizen()?.num ?? null;
  const spender = owner === null ? null : world.otherCitizen(owner);
  if (owner === null || spender === null) return [];
  const isRevoked = context.once(5);
  // Who pays need not be named as the owner.
  const who = { ...(context.once(5) ? {} : { owner: account(owner) }), spender: account(spender.num) };
  const cryptoAllowances: MessageObject[] = [];
  const tokenAllowances: MessageObject[] = [];
  if (world.chance() || token === null) {
    const amount = isRevoked ? 0n : context.amount(MOST);
    // The last entry for a spender counts.
    if (context.once(6)) cryptoAllowances.push({ ...who, amount: 77n });
    cryptoAllowances.push({ ...who, amount });
    world.approve(owner, spender.num, null, amount);
  }
  if (token !== null && (cryptoAllowances.length === 0 || world.chance())) {
    const amount = isRevoked ? 0n : context.amount(MOST);
    tokenAllowances.push({ ...who, tokenId: context.token(token.num), amount });
    world.approve(owner, spender.num, token, amount);
  }
  return [world.event(at, owner, { cryptoApproveAllowance: { cryptoAllowances, tokenAllowances } })];
};

export const approveNfts: WorldScene = (world, at) => {
  const token = movable(world, ({ isUnique, serials }) => isUnique && serials.size > 0);
  const serial = token?.serials.draw(world.random) ?? null;
  const nft = serial === null ? undefined : token?.nfts.get(serial);
  const spender = nft === undefined ? null : world.otherCitizen(nft.owner);
  if (token === null || serial === null || nft === undefined || spender === null) return [];
  const { context } = world;
  const { account } = context;
  const delegating = context.once(4) ? world.otherCitizen(spender.num) : null;
  const isForAll = context.once(3);
  const isForOne = !isForAll || context.once(3);
  if (isForOne) nft.spender = spender.num;
  const allowance = {
    tokenId: context.token(token.num),
    owner: account(nft.owner),
    spender: account(spender.num),
    ...(isForAll ? { approvedForAll: { value: !context.once(3) } } : {}),
    ...(isForOne ? { serialNumbers: [serial] } : {}),
    ...(isForOne && delegating !== null ? { delegatingSpender: account(delegating.num) } : {}),
  };
  return [world.event(at, nft.owner, { cryptoApproveAllowance: { nftAllowances: [allowance] } })];
};

export const revokeNft: WorldScene = (world, at) => {
  const token = movable(world, ({ isUnique, serials }) => isUnique && serials.size > 0);
  const isApproved = (each: bigint) => token?.nfts.get(each)?.spender !== null;
  const serial = token?.serials.drawWhere(world.random, isApproved) ?? null;
  const nft = serial === null ? undefined : token?.nfts.get(serial);
  if (token === null || serial === null || nft === undefined || nft.spender === null) return [];
  nft.spender = null;
  const { account, token: tokenOf } = world.context;
  const removal = { tokenId: tokenOf(token.num), owner: account(nft.owner), serialNumbers: [serial] };
  return [world.event(at, nft.owner, { cryptoDeleteAllowance: { nftAllowances: [removal] } })];
};

/** A spender takes some of what is left, to himself or to another. */
export const spendApproval: WorldScene = (world, at) => {
  const { context } = world;
  const approval = world.approvals.drawWhere(world.random, ({ left }) => left > 0n);
  if (approval === null) return [];
  const { owner, spender, token } = approval;
  const has = token?.balanceOf(owner) ?? approval.left;
  const amount = least(least(approval.left, has), context.once(4) ? approval.left : context.amount(1000));
  if (amount === 0n) return [];
  const entries = (to: bigint) => {
    const [debit, credit] = moved(context, [owner, -amount], [to, amount]);
    return { asked: [{ ...debit, isApproval: true }, { ...credit }], told: [{ ...debit }, { ...credit }] };
  };
  if (token === null) {
    const to = world.otherCitizen(owner);
    if (to === null) return [];
    approval.left -= amount;
    const data = { cryptoTransfer: { transfers: { accountAmounts: entries(to.num).asked } } };
    return [
      world.event(at, spender, data, {
        transfers: [
          [owner, -amount],
          [to.num, amount],
        ],
      }),
    ];
  }
  const opened = token.canMove(owner) ? receiver(world, token, owner) : null;
  if (opened === null) return [];
  approval.left -= amount;
  token.add(owner, -amount);
  token.add(opened.num, amount);
  const { asked, told } = entries(opened.num);
  const list = { token: context.token(token.num) };
  return [
    world.event(
      at,
      spender,
      { cryptoTransfer: { tokenTransfers: [{ ...list, transfers: asked }] } },
      {
        record: { tokenTransferLists: [{ ...list, transfers: told }], ...opened.record },
      },
    ),
  ];
};

/** The spender of a serial number gives it to another account, which ends the approval. */
export const spendNftApproval: WorldScene = (world, at) => {
  const token = movable(world, ({ isUnique, serials }) => isUnique && serials.size > 0);
  const isApproved = (each: bigint) => token?.nfts.get(each)?.spender !== null;
  const serial = token?.serials.drawWhere(world.random, isApproved) ?? null;
  const nft = serial === null ? undefined : token?.nfts.get(serial);
  if (token === null || serial === null || nft === undefined || nft.spender === null) return [];
  const { owner, spender } = nft;
  const opened = token.canMove(owner) ? receiver(world, token, owner) : null;
  if (opened === null) return [];
  token.moveNft(serial, opened.num);
  const { account, token: tokenOf } = world.context;
  const told = {
    senderAccountID: account(owner),
    receiverAccountID: account(opened.num),
    serialNumber: serial,
  };
  const list = { token: tokenOf(token.num) };
  return [
    world.event(
      at,
      spender,
      { cryptoTransfer: { tokenTransfers: [{ ...list, nftTransfers: [{ ...told, isApproval: true }] }] } },
      { record: { tokenTransferLists: [{ ...list, nftTransfers: [told] }], ...opened.record } },
    ),
  ];
};
