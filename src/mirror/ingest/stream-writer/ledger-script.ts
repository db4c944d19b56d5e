import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { MessageObject } from '../../protobuf/messages.ts';
import { childOf, contractSteps, type WrittenContract } from './contract-events.ts';
import { accountOf, type LedgerEvent, type NetworkIds, timestamp } from './ledger-item.ts';
import type { NodeSigner } from './node-signer.ts';
import type { RandomSource } from './seeded-random.ts';

const SUCCESS = 22;
const INSUFFICIENT_ACCOUNT_BALANCE = 28;
const SYSTEM_PAYER = 2n;
const FIRST_USER_ACCOUNT = 1001n;
const USER_ACCOUNTS = 20;
const TOPIC = 2001n;
const FUNGIBLE_TOKEN = 2002n;
const NFT_TOKEN = 2003n;
const CONTRACT = 2004n;
const FIRST_CREATED_ACCOUNT = 3001n;
const REWARD_ACCOUNT = 800n;
const BASE_FEE = 84_000;
const MILLISECOND = 1_000_000n;
/** Bytes of one file transaction; address books need several. */
const FILE_PART_LENGTH = 1024;

/** A system file that the stream writes in its first record file. */
export interface SystemFile {
  /** For example 112n. */
  readonly num: bigint;
  readonly contents: Uint8Array;
}

/** What the events of a stream are made from. */
export interface LedgerScript {
  readonly ids: NetworkIds;
  readonly signers: readonly NodeSigner[];
  readonly random: RandomSource;
  readonly systemFiles: readonly SystemFile[];
  readonly contracts: readonly WrittenContract[];
}

/** Makes the events of record file `index`, the first of which has exactly the time `start`. */
export type EventsOfFile = (
  index: number,
  start: ConsensusTimestamp,
  count: number,
) => readonly LedgerEvent[];

/**
 * A ledger's everyday mix: transfers, messages, tokens, NFTs, failures, contract calls with children, new
 * accounts; the first file sets up tokens, a topic, system files and stakes.
 *
 * The same script and randomness give the same events.
 */
export function createLedgerScript({
  ids,
  signers,
  random,
  systemFiles,
  contracts,
}: LedgerScript): EventsOfFile {
  const account = (num: bigint) => accountOf(num, ids);
  const token = (tokenNum: bigint) => ({ shardNum: ids.shard, realmNum: ids.realm, tokenNum });
  const topic = { shardNum: ids.shard, realmNum: ids.realm, topicNum: TOPIC };
  const contract = { shardNum: ids.shard, realmNum: ids.realm, contractNum: CONTRACT };
  let nextAccount = FIRST_CREATED_ACCOUNT;
  let nextSerial = 1n;

  const user = (): bigint => FIRST_USER_ACCOUNT + BigInt(random.below(USER_ACCOUNTS));
  const other = (than: bigint): bigint => {
    const found = user();
    return found === than
      ? FIRST_USER_ACCOUNT + ((than - FIRST_USER_ACCOUNT + 1n) % BigInt(USER_ACCOUNTS))
      : found;
  };
  const node = (): bigint => signers[random.below(signers.length)]?.accountNum ?? 3n;
  const base = (consensus: ConsensusTimestamp, data: MessageObject): LedgerEvent => ({
    consensus,
    validStart: consensusTimestamp(consensus - 2_000n * MILLISECOND - BigInt(random.below(1_000_000))),
    payer: user(),
    node: node(),
    fee: BigInt(BASE_FEE + random.below(BASE_FEE)),
    status: SUCCESS,
    data,
  });

  const transfer = (at: ConsensusTimestamp): LedgerEvent => {
    const event = base(at, {});
    const to = other(event.payer);
    const amount = BigInt(1 + random.below(1_000_000_000));
    const accountAmounts = [
      { accountID: account(event.payer), amount: -amount },
      { accountID: account(to), amount },
    ];
    const isFailed = random.below(10) === 0;
    const isRewarded = random.below(10) === 0;
    const reward = BigInt(1 + random.below(10_000));
    return {
      ...event,
      data: { cryptoTransfer: { transfers: { accountAmounts } } },
      memo: random.below(3) === 0 ? `invoice ${random.below(100_000)}` : '',
      scheduled: false,
      ...(isFailed
        ? { status: INSUFFICIENT_ACCOUNT_BALANCE }
        : {
            transfers: [
              [event.payer, -amount],
              [to, amount],
              ...(isRewarded
                ? ([
                    [to, reward],
                    [REWARD_ACCOUNT, -reward],
                  ] as const)
                : []),
            ],
            ...(isRewarded
              ? { record: { paidStakingRewards: [{ accountID: account(to), amount: reward }] } }
              : {}),
          }),
    };
  };
  const message = (at: ConsensusTimestamp): LedgerEvent =>
    base(at, {
      consensusSubmitMessage: { topicID: topic, message: random.bytes(20 + random.below(100)) },
    });
  const tokenTransfer = (at: ConsensusTimestamp): LedgerEvent => {
    const event = base(at, {});
    const to = other(event.payer);
    const amount = BigInt(1 + random.below(10_000));
    const isApproval = random.below(4) === 0;
    const lists = (withApproval: boolean) => [
      {
        token: token(FUNGIBLE_TOKEN),
        transfers: [
          { accountID: account(event.payer), amount: -amount, isApproval: withApproval },
          { accountID: account(to), amount },
        ],
      },
    ];
    return {
      ...event,
      data: { cryptoTransfer: { tokenTransfers: lists(isApproval) } },
      record: { tokenTransferLists: lists(false) },
    };
  };
  const nftTransfer = (at: ConsensusTimestamp): LedgerEvent => {
    const event = base(at, {});
    const nft = {
      senderAccountID: account(event.payer),
      receiverAccountID: account(other(event.payer)),
      serialNumber: nextSerial++,
    };
    const tokenTransferLists = [{ token: token(NFT_TOKEN), nftTransfers: [nft] }];
    return {
      ...event,
      data: { cryptoTransfer: { tokenTransfers: tokenTransferLists } },
      record: { tokenTransferLists },
    };
  };
  const createAccount = (at: ConsensusTimestamp): LedgerEvent => {
    const event = base(at, {});
    const created = nextAccount++;
    const alias = random.bytes(20);
    const initialBalance = BigInt(1 + random.below(1_000_000));
    return {
      ...event,
      data: { cryptoCreateAccount: { initialBalance, alias, key: { ed25519: random.bytes(32) } } },
      transfers: [
        [event.payer, -initialBalance],
        [created, initialBalance],
      ],
      receipt: { accountID: account(created) },
      record: { evmAddress: alias },
    };
  };
  const contractCall = (at: ConsensusTimestamp): readonly LedgerEvent[] => {
    const parent: LedgerEvent = {
      ...base(at, { contractCall: { contractID: contract, gas: 100_000n } }),
      receipt: { contractID: contract },
    };
    const { payer, validStart } = parent;
    const to = other(payer);
    const child: LedgerEvent = {
      consensus: consensusTimestamp(at + 1n),
      parent: at,
      validStart,
      payer,
      nonce: 1,
      node: null,
      fee: 0n,
      status: SUCCESS,
      data: { cryptoTransfer: {} },
      transfers: [
        [payer, -7n],
        [to, 7n],
      ],
    };
    return [parent, child];
  };

  const setup = (at: (index: number) => ConsensusTimestamp): readonly LedgerEvent[] => {
    const steps: MessageObject[] = [];
    const add = (data: MessageObject, receipt: MessageObject = {}) => steps.push({ data, receipt });
    add({ nodeStakeUpdate: nodeStakeUpdate(at(0), signers) });
    for (const { num, contents } of systemFiles) {
      const fileID = { shardNum: ids.shard, realmNum: ids.realm, fileNum: num };
      for (let offset = 0; offset === 0 || offset < contents.length; offset += FILE_PART_LENGTH) {
        const part = contents.slice(offset, offset + FILE_PART_LENGTH);
        add(
          offset === 0
            ? { fileUpdate: { fileID, contents: part } }
            : { fileAppend: { fileID, contents: part } },
        );
      }
    }
    add({ consensusCreateTopic: { memo: 'orders' } }, { topicID: topic });
    add({ tokenCreation: { name: 'Coin', symbol: 'C' } }, { tokenID: token(FUNGIBLE_TOKEN) });
    add({ tokenCreation: { name: 'Art', symbol: 'A', tokenType: 1 } }, { tokenID: token(NFT_TOKEN) });
    add({ contractCreateInstance: { gas: 1_000_000n } }, { contractID: contract });
    return steps.map(({ data, receipt }, index) => ({
      ...base(at(index), data as MessageObject),
      payer: SYSTEM_PAYER,
      receipt: receipt as MessageObject,
    }));
  };

  return (index, start, count) => {
    const at = (position: number) => consensusTimestamp(start + BigInt(position) * MILLISECOND);
    const events: LedgerEvent[] = index === 0 ? [...setup(at)] : [];
    if (index === 0) {
      for (const step of contractSteps(contracts, ids)) {
        const parent = step.isChild ? events.at(-1) : undefined;
        const time = at(events.length);
        events.push(
          parent === undefined ? { ...base(time, step.data), ...step.more } : childOf(parent, step),
        );
      }
    }
    while (events.length < count) {
      const time = at(events.length);
      const kind = random.below(20);
      if (kind < 8) events.push(transfer(time));
      else if (kind < 13) events.push(message(time));
      else if (kind < 16) events.push(tokenTransfer(time));
      else if (kind < 17) events.push(nftTransfer(time));
      else if (kind < 18) events.push(createAccount(time));
      else events.push(...contractCall(time));
    }
    return events;
  };
}

/** Equal stakes, so that a third of the nodes is a third of the weight. */
function nodeStakeUpdate(at: ConsensusTimestamp, signers: readonly NodeSigner[]): MessageObject {
  const stake = 1_000_000_000_000_000n;
  const fraction = { numerator: 0n, denominator: 100n };
  return {
    endOfStakingPeriod: timestamp(consensusTimestamp(at - 1n)),
    nodeStake: signers.map(({ nodeId }) => ({
      nodeId,
      stake,
      maxStake: 45n * stake,
      minStake: stake / 2n,
      stakeRewarded: stake,
      stakeNotRewarded: 0n,
      rewardRate: 0n,
    })),
    maxStakingRewardRatePerHbar: 17_808n,
    nodeRewardFeeFraction: fraction,
    stakingRewardFeeFraction: fraction,
    stakingPeriodsStored: 365n,
    stakingPeriod: 1440n,
    stakingStartThreshold: 25_000_000_000_000_000n,
    maxStakeRewarded: 650_000_000_000_000_000n,
    rewardBalanceThreshold: 8_500_000_000_000_000n,
  };
}
