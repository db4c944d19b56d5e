import { moved, type WorldScene } from './ledger-world.ts';
import type { WorldToken } from './world-token.ts';

const MAX_CONCURRENT = 3;

/** One account takes up to three tokens. */
export const associate: WorldScene = (world, at) => {
  const citizen = world.citizen();
  if (citizen === null) return [];
  const tokens = new Set<WorldToken>();
  for (let left = 1 + world.random.below(MAX_CONCURRENT); left > 0; left--) {
    const token = world.token(({ holdings, isUsable }) => isUsable && !holdings.has(citizen.num));
    if (token !== null) tokens.add(token);
  }
  if (tokens.size === 0) return [];
  for (const token of tokens) token.associate(citizen.num);
  const { account, token } = world.context;
  const tokenAssociate = { account: account(citizen.num), tokens: [...tokens].map(({ num }) => token(num)) };
  return [world.event(at, citizen.num, { tokenAssociate })];
};

/** By an account that has nothing left of the token. */
export const dissociate: WorldScene = (world, at) => {
  const token = world.token(({ holders, isPaused }) => holders.size > 1 && !isPaused);
  const isFree = (num: bigint) =>
    token?.balanceOf(num) === 0n && num !== token.treasury && !isFrozen(token, num);
  const account = token === null ? null : world.holder(token, isFree);
  if (token === null || account === null) return [];
  token.dissociate(account);
  const { context } = world;
  const tokenDissociate = { account: context.account(account), tokens: [context.token(token.num)] };
  return [world.event(at, account, { tokenDissociate })];
};

/** What an account had of a deleted token ends: one negative transfer, also for NFTs. */
export const dissociateDeleted: WorldScene = (world, at) => {
  const token = world.deletedTokens.drawWhere(world.random, ({ holders }) => holders.size > 1);
  const account = token === null ? null : world.holder(token, (num) => num !== token.treasury);
  if (token === null || account === null) return [];
  const { context } = world;
  const balance = token.balanceOf(account);
  token.dissociate(account);
  token.supply -= balance;
  for (const [serial, { owner }] of token.nfts) {
    if (owner !== account) continue;
    token.nfts.delete(serial);
    token.serials.delete(serial);
  }
  const tokenID = context.token(token.num);
  const lists = [{ token: tokenID, transfers: moved(context, [account, -balance]) }];
  return [
    world.event(
      at,
      account,
      { tokenDissociate: { account: context.account(account), tokens: [tokenID] } },
      {
        record: balance === 0n ? {} : { tokenTransferLists: lists },
      },
    ),
  ];
};

/** Most accounts stay able to move the token. */
export const freeze: WorldScene = (world, at) => {
  const token = world.token(({ isUsable, keys }) => isUsable && keys.has('freezeKey'));
  const account =
    token === null
      ? null
      : world.holder(
          token,
          (num) => num !== token.treasury && (isFrozen(token, num) || world.context.once(3)),
        );
  const holding = account === null ? undefined : token?.holdings.get(account);
  if (token === null || account === null || holding === undefined) return [];
  holding.isFrozen = !holding.isFrozen;
  const named = { token: world.context.token(token.num), account: world.context.account(account) };
  return [
    world.event(at, token.treasury, holding.isFrozen ? { tokenFreeze: named } : { tokenUnfreeze: named }),
  ];
};

export const changeKyc: WorldScene = (world, at) => {
  const token = world.token(({ isUsable, keys }) => isUsable && keys.has('kycKey'));
  if (token === null) return [];
  const hasNone = (num: bigint) => token.holdings.get(num)?.hasKyc === false;
  const account = world.holder(token, (num) => hasNone(num) || world.context.once(4));
  const holding = account === null ? undefined : token.holdings.get(account);
  if (account === null || holding === undefined || account === token.treasury) return [];
  holding.hasKyc = !holding.hasKyc;
  const named = { token: world.context.token(token.num), account: world.context.account(account) };
  return [
    world.event(at, token.treasury, holding.hasKyc ? { tokenGrantKyc: named } : { tokenRevokeKyc: named }),
  ];
};

function isFrozen(token: WorldToken, account: bigint): boolean {
  return token.holdings.get(account)?.isFrozen === true;
}
