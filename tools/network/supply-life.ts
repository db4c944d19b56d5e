import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { type LedgerWorld, moved, type WorldScene } from './ledger-world.ts';
import type { WorldToken } from './world-token.ts';

const MAX_CONCURRENT = 3;

/** To the treasury: units, or up to three NFTs. */
export const mint: WorldScene = (world, at) => {
  const token = supplied(world);
  if (token === null) return [];
  const { context, random } = world;
  const { account } = context;
  const tokenID = context.token(token.num);
  if (!token.isUnique) {
    const amount = context.amount(100_000);
    token.add(token.treasury, amount);
    token.supply += amount;
    return [
      world.event(
        at,
        token.treasury,
        { tokenMint: { token: tokenID, amount } },
        {
          receipt: { newTotalSupply: token.supply },
          record: {
            tokenTransferLists: [{ token: tokenID, transfers: moved(context, [token.treasury, amount]) }],
          },
        },
      ),
    ];
  }
  const metadata = Array.from({ length: 1 + random.below(MAX_CONCURRENT) }, () => random.bytes(30));
  const serialNumbers = metadata.map(() => token.mintNft());
  const nftTransfers = serialNumbers.map((serialNumber) => ({
    receiverAccountID: account(token.treasury),
    serialNumber,
  }));
  return [
    world.event(
      at,
      token.treasury,
      { tokenMint: { token: tokenID, metadata } },
      {
        receipt: { serialNumbers, newTotalSupply: token.supply },
        record: { tokenTransferLists: [{ token: tokenID, nftTransfers }] },
      },
    ),
  ];
};

/** What the treasury has. */
export const burn: WorldScene = (world, at) => {
  const token = supplied(world);
  if (token === null) return [];
  const named = { token: world.context.token(token.num) };
  const ended = endOf(world, token, token.treasury);
  return ended === null
    ? []
    : [world.event(at, token.treasury, { tokenBurn: { ...named, ...ended.body } }, ended.told)];
};

/** What another account than the treasury has. */
export const wipe: WorldScene = (world, at) => {
  const token = world.token(({ isUsable, keys }) => isUsable && keys.has('wipeKey'));
  if (token === null) return [];
  const fits = (num: bigint) => num !== token.treasury && token.balanceOf(num) > 0n && token.canMove(num);
  const account = world.holder(token, fits);
  if (account === null) return [];
  const named = { token: world.context.token(token.num), account: world.context.account(account) };
  const ended = endOf(world, token, account);
  return ended === null
    ? []
    : [world.event(at, token.treasury, { tokenWipe: { ...named, ...ended.body } }, ended.told)];
};

/** New metadata for some serial numbers, or none given, which changes nothing. */
export const changeMetadata: WorldScene = (world, at) => {
  const token = world.token(
    ({ isUnique, isUsable, keys, serials }) =>
      isUnique && isUsable && serials.size > 0 && keys.has('metadataKey'),
  );
  const serial = token?.serials.draw(world.random) ?? null;
  if (token === null || serial === null) return [];
  const metadata = world.context.once(6) ? {} : { metadata: { value: world.random.bytes(16) } };
  const tokenUpdateNfts = { token: world.context.token(token.num), serialNumbers: [serial], ...metadata };
  return [world.event(at, token.treasury, { tokenUpdateNfts })];
};

function supplied(world: LedgerWorld): WorldToken | null {
  return world.token((token) => token.keys.has('supplyKey') && token.canMove(token.treasury));
}

/** Ends some of what an account has; null when it has nothing that can end. */
function endOf(
  world: LedgerWorld,
  token: WorldToken,
  account: bigint,
): {
  readonly body: MessageObject;
  readonly told: { readonly receipt: MessageObject; readonly record: MessageObject };
} | null {
  const { context } = world;
  const tokenID = context.token(token.num);
  if (!token.isUnique) {
    const balance = token.balanceOf(account);
    if (balance === 0n) return null;
    const amount = least(balance, context.amount(10_000));
    token.add(account, -amount);
    token.supply -= amount;
    return {
      body: { amount },
      told: {
        receipt: { newTotalSupply: token.supply },
        record: { tokenTransferLists: [{ token: tokenID, transfers: moved(context, [account, -amount]) }] },
      },
    };
  }
  const owned = (serial: bigint) => token.nfts.get(serial)?.owner === account;
  const serial = token.serials.drawWhere(world.random, owned);
  if (serial === null) return null;
  token.endNft(serial);
  const nft = { senderAccountID: context.account(account), serialNumber: serial };
  return {
    body: { serialNumbers: [serial] },
    told: {
      receipt: { newTotalSupply: token.supply },
      record: { tokenTransferLists: [{ token: tokenID, nftTransfers: [nft] }] },
    },
  };
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
