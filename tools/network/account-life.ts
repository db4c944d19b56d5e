import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import type { LedgerEvent } from './ledger-item.ts';
import { type LedgerWorld, moved, type WorldScene } from './ledger-world.ts';
import { TREASURY } from './opening-events.ts';
import { REWARD_ACCOUNT } from './script-context.ts';

/** What an account that acts begins with: a few hundred thousand fees. */
const SHARE = 1_000_000_000_000n;
const VISITOR_SHARE = 10_000_000n;
const DAY = 86_400_000_000_000n;
const AUTO_RENEW = { seconds: 7_776_000n };
const [KEY_ED25519, KEY_LENGTH] = [0x12, 0x20];

/** An account with any of the settings that accounts have. */
export const openAccount: WorldScene = (world, at) => {
  if (world.citizens.size >= world.capacity) return openVisitor(world, at);
  const { context, random } = world;
  const num = context.create('account');
  const slots = [0, 3, 10, -1][random.below(4)] ?? 0;
  const staking = drawStaking(world);
  const data: MessageObject = {
    key: anyKey(world),
    initialBalance: SHARE,
    autoRenewPeriod: AUTO_RENEW,
    maxAutomaticTokenAssociations: slots,
    receiverSigRequired: context.once(5),
    memo: context.once(3) ? `customer ${random.below(1000)}` : '',
    ...staking,
    ...(context.once(6) ? { declineReward: true } : {}),
  };
  const alias = drawAlias(world, data);
  world.citizens.add({ num, slots, stakedNode: 'stakedNodeId' in staking, rewardedOn: at / DAY });
  return [creation(world, at, num, { ...data, ...alias.data }, SHARE, alias.record)];
};

/** Some fields of a settled account, others stay. */
export const changeAccount: WorldScene = (world, at) => {
  const citizen = world.citizen();
  if (citizen === null) return [];
  const { context, random } = world;
  const staking = world.chance() ? drawStaking(world) : {};
  if ('stakedNodeId' in staking) citizen.stakedNode = staking['stakedNodeId'] !== -1n;
  if ('stakedAccountId' in staking) citizen.stakedNode = false;
  const cryptoUpdateAccount = {
    accountIDToUpdate: context.account(citizen.num),
    ...(world.chance() ? { memo: { value: `moved ${random.below(100)}` } } : {}),
    ...(context.once(3) ? { key: anyKey(world) } : {}),
    ...(context.once(4) ? { receiverSigRequiredWrapper: { value: world.chance() } } : {}),
    ...(context.once(4) ? { declineReward: { value: world.chance() } } : {}),
    ...(context.once(5) ? { expirationTime: { seconds: at / 1_000_000_000n + 9_000_000n } } : {}),
    ...staking,
  };
  return [world.event(at, citizen.num, { cryptoUpdateAccount })];
};

/** With an alias that a deleted account had, when there is one. */
export const openVisitor: WorldScene = (world, at) => {
  const { context, random } = world;
  const num = context.create('account');
  const free = world.freeAliases.draw(random);
  if (free !== null) world.freeAliases.delete(free);
  const alias = free ?? random.bytes(20);
  world.visitors.add({ num, alias, balance: VISITOR_SHARE });
  const data = { key: world.key(), initialBalance: VISITOR_SHARE, alias };
  return [creation(world, at, num, data, VISITOR_SHARE, { evmAddress: alias })];
};

/** What is left goes to another account. */
export const closeVisitor: WorldScene = (world, at) => {
  const visitor = world.visitors.draw(world.random);
  const to = world.citizen();
  if (visitor === null || to === null) return [];
  const { account } = world.context;
  world.visitors.delete(visitor);
  if (visitor.alias !== null) world.freeAliases.add(visitor.alias);
  const data = {
    cryptoDelete: { deleteAccountID: account(visitor.num), transferAccountID: account(to.num) },
  };
  return [
    world.event(at, to.num, data, {
      transfers: [
        [visitor.num, -visitor.balance],
        [to.num, visitor.balance],
      ],
    }),
  ];
};

/** A transfer to an address that nobody has: the creation stands before it. */
export const openHollow: WorldScene = (world, at) => {
  const { context } = world;
  const payer = world.citizen();
  if (payer === null) return [];
  const num = context.create('account');
  const evmAddress = world.random.bytes(20);
  world.hollows.add({ num, alias: evmAddress, balance: VISITOR_SHARE });
  const parent = world.event(at + 1n, payer.num, {
    cryptoTransfer: {
      transfers: {
        accountAmounts: [
          ...moved(context, [payer.num, -VISITOR_SHARE]),
          {
            accountID: { ...context.account(0n), accountNum: undefined, alias: evmAddress },
            amount: VISITOR_SHARE,
          },
        ],
      },
    },
  });
  const created = { cryptoCreateAccount: { alias: evmAddress, key: { keyList: {} } } };
  return [
    {
      ...context.child(parent, -1, created),
      receipt: { accountID: context.account(num) },
      record: { evmAddress },
    },
    {
      ...parent,
      transfers: [
        [payer.num, -VISITOR_SHARE],
        [num, VISITOR_SHARE],
      ],
    },
  ];
};

/** The first transaction that a hollow account signs tells its key, in a record before its own. */
export const completeHollow: WorldScene = (world, at) => {
  const hollow = world.hollows.draw(world.random);
  const to = world.citizen();
  if (hollow === null || to === null) return [];
  const { context } = world;
  const amount = 1000n;
  const transfers = [
    [hollow.num, -amount],
    [to.num, amount],
  ] as const;
  const parent = world.event(
    at + 1n,
    hollow.num,
    { cryptoTransfer: { transfers: { accountAmounts: moved(context, ...transfers) } } },
    { transfers },
  );
  hollow.balance -= amount + parent.fee;
  world.hollows.delete(hollow);
  world.visitors.add(hollow);
  const key = { ECDSASecp256k1: Buffer.concat([Buffer.of(3), world.random.bytes(32)]) };
  const completion = { cryptoUpdateAccount: { accountIDToUpdate: context.account(hollow.num), key } };
  return [
    { ...context.child(parent, -1, completion), receipt: { accountID: context.account(hollow.num) } },
    parent,
  ];
};

/** Pays what a staked account has earned in the days before, once a day. */
export const rewardedTransfer: WorldScene = (world, at) => {
  const today = at / DAY;
  const citizen = world.citizens.drawWhere(
    world.random,
    ({ rewardedOn, stakedNode }) => stakedNode && rewardedOn < today,
  );
  const to = citizen === null ? null : world.otherCitizen(citizen.num);
  if (citizen === null || to === null) return [];
  const { context } = world;
  citizen.rewardedOn = today;
  const [amount, reward] = [context.amount(100_000), context.amount(10_000)];
  const accountAmounts = moved(context, [citizen.num, -amount], [to.num, amount]);
  return [
    world.event(
      at,
      citizen.num,
      { cryptoTransfer: { transfers: { accountAmounts } } },
      {
        transfers: [
          [citizen.num, reward - amount],
          [to.num, amount],
          [REWARD_ACCOUNT, -reward],
        ],
        record: { paidStakingRewards: moved(context, [citizen.num, reward]) },
      },
    ),
  ];
};

function creation(
  world: LedgerWorld,
  at: bigint,
  num: bigint,
  data: MessageObject,
  share: bigint,
  record: MessageObject,
): LedgerEvent {
  return world.event(
    at,
    TREASURY,
    { cryptoCreateAccount: data },
    {
      transfers: [
        [TREASURY, -share],
        [num, share],
      ],
      receipt: { accountID: world.context.account(num) },
      record,
    },
  );
}

/** To a node, to an account, or given up. */
function drawStaking(world: LedgerWorld): MessageObject {
  const to = world.citizen();
  const draw = world.random.below(6);
  if (draw < 3) return { stakedNodeId: BigInt(world.random.below(2)) };
  if (draw === 3 && to !== null) return { stakedAccountId: world.context.account(to.num) };
  return draw === 4 ? { stakedNodeId: -1n } : {};
}

function anyKey(world: LedgerWorld): MessageObject {
  const draw = world.random.below(8);
  if (draw === 0) return { thresholdKey: { threshold: 1, keys: { keys: [world.key(), world.key()] } } };
  return draw === 1 ? { keyList: { keys: [world.key()] } } : world.key();
}

/** An EVM address, the serialized key, or none. */
function drawAlias(
  world: LedgerWorld,
  { key }: MessageObject,
): { readonly data: MessageObject; readonly record: MessageObject } {
  const draw = world.random.below(3);
  if (draw === 0) {
    const alias = world.random.bytes(20);
    return { data: { alias }, record: { evmAddress: alias } };
  }
  const ed25519 = (key as { readonly ed25519?: Uint8Array }).ed25519;
  if (draw === 1 && ed25519 !== undefined) {
    return { data: { alias: Buffer.concat([Buffer.of(KEY_ED25519, KEY_LENGTH), ed25519]) }, record: {} };
  }
  return { data: {}, record: {} };
}
