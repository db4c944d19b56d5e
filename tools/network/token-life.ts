import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { type LedgerWorld, moved, type WorldScene } from './ledger-world.ts';
import { TOKEN_KEYS, WorldToken } from './world-token.ts';

const FINITE = 1;
const UNIQUE = 1;
const AUTO_RENEW = { seconds: 7_776_000n };
const NEVER_DELETED_BELOW = 6;

/** Fungible or unique, with some keys or all, with custom fees of every kind. */
export const createToken: WorldScene = (world, at) => {
  const treasury = world.citizen();
  const collector = treasury === null ? null : world.otherCitizen(treasury.num);
  if (treasury === null || collector === null) return [];
  const { context, random } = world;
  const { account } = context;
  const isUnique = context.once(3);
  const hasAllKeys = world.chance();
  const keys = TOKEN_KEYS.filter(
    (name) => hasAllKeys || name === 'supplyKey' || name === 'adminKey' || context.once(3),
  );
  const freezeDefault = keys.includes('freezeKey') && context.once(4);
  const token = new WorldToken(context.create('token'), treasury.num, { isUnique, keys, freezeDefault });
  const initialSupply = isUnique || context.once(5) ? 0n : 1000n + context.amount(1_000_000);
  const fees = drawFees(world, token, collector.num);
  if (fees.associates) token.associate(collector.num, true);
  token.add(treasury.num, initialSupply);
  token.supply = initialSupply;
  world.tokens.add(token);
  const tokenID = context.token(token.num);
  const associated = [...token.holdings.keys()];
  const number = random.below(10_000);
  const tokenCreation = {
    name: isUnique ? `Art ${number}` : `Coin ${number}`,
    symbol: isUnique ? `A${number}` : `C${number}`,
    treasury: account(treasury.num),
    autoRenewAccount: account(treasury.num),
    autoRenewPeriod: AUTO_RENEW,
    memo: context.once(2) ? `token ${number}` : '',
    freezeDefault,
    ...Object.fromEntries(keys.map((name) => [name, world.key()])),
    ...(isUnique ? { tokenType: UNIQUE } : { decimals: random.below(9), initialSupply }),
    ...(context.once(2) ? { supplyType: FINITE, maxSupply: 1_000_000_000_000n } : {}),
    ...(context.once(2) ? { metadata: random.bytes(20) } : {}),
    customFees: fees.fees,
  };
  return [
    world.event(
      at,
      treasury.num,
      { tokenCreation },
      {
        receipt: { tokenID, newTotalSupply: initialSupply },
        record: {
          ...(initialSupply === 0n
            ? {}
            : {
                tokenTransferLists: [
                  { token: tokenID, transfers: moved(context, [treasury.num, initialSupply]) },
                ],
              }),
          ...(world.chance()
            ? {
                automaticTokenAssociations: associated.map((num) => ({
                  tokenId: tokenID,
                  accountId: account(num),
                })),
              }
            : {}),
        },
      },
    ),
  ];
};

/** Name, memo, metadata, renewal, and a key now and then: a new one or none. */
export const updateToken: WorldScene = (world, at) => {
  const token = world.token(({ isPaused, keys }) => keys.has('adminKey') && !isPaused);
  if (token === null) return [];
  const { context, random } = world;
  const removable = context.once(6)
    ? (['metadataKey', 'feeScheduleKey'] as const)[random.below(2)]
    : undefined;
  const removed =
    removable !== undefined && token.keys.delete(removable) ? { [removable]: { keyList: {} } } : {};
  const replaced = context.once(3) && token.keys.has('supplyKey') ? { supplyKey: world.key() } : {};
  const tokenUpdate = {
    token: context.token(token.num),
    ...(world.chance() ? { name: `Renamed ${random.below(1000)}`, symbol: `R${random.below(1000)}` } : {}),
    ...(context.once(3) ? { memo: { value: `note ${random.below(100)}` } } : {}),
    ...(context.once(3) ? { metadata: { value: random.bytes(12) } } : {}),
    ...(context.once(4) ? { expiry: { seconds: at / 1_000_000_000n + 8_000_000n } } : {}),
    ...replaced,
    ...removed,
  };
  return [world.event(at, token.treasury, { tokenUpdate })];
};

/** Everything that the treasury has goes to the new one: units as a transfer, NFTs as one row with serial −1. */
export const changeTreasury: WorldScene = (world, at) => {
  const token = world.token(({ isUsable, keys }) => isUsable && keys.has('adminKey'));
  const to =
    token === null ? null : world.holder(token, (num) => num !== token.treasury && token.canMove(num));
  if (token === null || to === null || !token.canMove(token.treasury)) return [];
  const { context } = world;
  const { account } = context;
  const from = token.treasury;
  const count = token.changeTreasury(to);
  const tokenID = context.token(token.num);
  const list = token.isUnique
    ? {
        nftTransfers: [{ senderAccountID: account(from), receiverAccountID: account(to), serialNumber: -1n }],
      }
    : { transfers: moved(context, [from, -count], [to, count]) };
  return [
    world.event(
      at,
      from,
      { tokenUpdate: { token: tokenID, treasury: account(to) } },
      {
        record: count === 0n ? {} : { tokenTransferLists: [{ token: tokenID, ...list }] },
      },
    ),
  ];
};

export const pauseToken: WorldScene = (world, at) => {
  const token = world.token(
    ({ isPaused, keys }) => keys.has('pauseKey') && (isPaused || world.context.once(3)),
  );
  if (token === null) return [];
  token.isPaused = !token.isPaused;
  const named = { token: world.context.token(token.num) };
  return [world.event(at, token.treasury, token.isPaused ? { tokenPause: named } : { tokenUnpause: named })];
};

/** A list of another kind, or an empty one. */
export const changeFees: WorldScene = (world, at) => {
  const token = world.token(({ isUsable, keys }) => isUsable && keys.has('feeScheduleKey'));
  if (token === null) return [];
  const collector = world.holder(token, () => true) ?? token.treasury;
  const { fees } = world.context.once(4) ? { fees: [] } : drawFees(world, token, collector);
  if (fees.length === 0) token.fee = null;
  const tokenId = world.context.token(token.num);
  return [world.event(at, token.treasury, { tokenFeeScheduleUpdate: { tokenId, customFees: fees } })];
};

export const deleteToken: WorldScene = (world, at) => {
  if (world.tokens.size < NEVER_DELETED_BELOW) return [];
  const token = world.token(({ isPaused, keys }) => keys.has('adminKey') && !isPaused);
  if (token === null) return [];
  token.isDeleted = true;
  world.tokens.delete(token);
  world.deletedTokens.add(token);
  return [world.event(at, token.treasury, { tokenDeletion: { token: world.context.token(token.num) } })];
};

/** @returns the fees, and whether their collector has to be associated with the token */
function drawFees(
  world: LedgerWorld,
  token: WorldToken,
  collector: bigint,
): { readonly fees: readonly MessageObject[]; readonly associates: boolean } {
  const { context } = world;
  const { shardNum, realmNum } = context.token(0n);
  const by = {
    feeCollectorAccountId: context.account(collector),
    allCollectorsAreExempt: context.once(3),
  };
  token.fee = null;
  const fees: MessageObject[] = [];
  let associates = false;
  if (context.once(3)) {
    const amount = context.amount(1000);
    token.fee = { amount, collector };
    fees.push({ ...by, fixedFee: { amount } });
  }
  const fraction = { numerator: 1n, denominator: context.amount(100) + 1n };
  if (token.isUnique) {
    const fallbackFee = { amount: context.amount(500) };
    if (world.chance()) fees.push({ ...by, royaltyFee: { exchangeValueFraction: fraction } });
    if (context.once(3)) fees.push({ ...by, royaltyFee: { exchangeValueFraction: fraction, fallbackFee } });
  } else {
    if (context.once(3)) {
      associates = true;
      const maximumAmount = world.chance() ? 1_000_000n : 0n;
      const fractionalFee = {
        fractionalAmount: fraction,
        minimumAmount: 1n,
        maximumAmount,
        netOfTransfers: world.chance(),
      };
      fees.push({ ...by, fractionalFee });
    }
    if (context.once(4)) {
      associates = true;
      const denominatingTokenId = { shardNum, realmNum, tokenNum: 0n };
      fees.push({ ...by, fixedFee: { amount: context.amount(9), denominatingTokenId } });
    }
  }
  const other = context.once(4)
    ? world.token((each) => !each.isUnique && each !== token && each.holdings.has(collector))
    : null;
  if (other !== null) {
    fees.push({ ...by, fixedFee: { amount: 3n, denominatingTokenId: context.token(other.num) } });
  }
  return { fees, associates };
}
