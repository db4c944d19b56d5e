import { type MessageObject, messages } from '../../src/mirror/protobuf/messages.ts';
import { SYSTEM_ACCOUNT } from '../../src/mirror/vocabulary/system-accounts.ts';
import { SYSTEM_FILE } from '../../src/mirror/vocabulary/system-files.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { type LedgerEvent, timestamp } from './ledger-item.ts';
import type { NodeSigner } from './node-signer.ts';
import { COIN_SUPPLY, openingTransfers, TREASURY, treasuryCreation } from './opening-events.ts';
import { CONTRACT, FUNGIBLE_TOKEN, NFT_TOKEN, type ScriptContext, SUCCESS, TOPIC } from './script-context.ts';

/** A system file that the stream writes in its first record file. */
export interface SystemFile {
  /** For example 112n. */
  readonly num: bigint;
  readonly contents: Uint8Array;
}

/** A transaction of the network itself, without what the script decides. */
export interface NetworkStep {
  readonly data: MessageObject;
  readonly receipt?: MessageObject;
  readonly transfers?: NonNullable<LedgerEvent['transfers']>;
  readonly record?: MessageObject;
}

/** Bytes of one file transaction; address books need several. */
const FILE_PART_LENGTH = 1024;
const RATE_PERIOD_SECONDS = 3600n;
const GRPC_PROXY_PORT = 8443;

/**
 * The first transactions of a ledger: treasury, stakes, system files, a topic, a contract, opening balances, nodes.
 *
 * @param hasEverydayTokens whether also the tokens of the everyday mix
 */
export function setupEvents(
  context: ScriptContext,
  at: (index: number) => ConsensusTimestamp,
  signers: readonly NodeSigner[],
  files: readonly SystemFile[],
  hasEverydayTokens = true,
): readonly LedgerEvent[] {
  const steps: readonly NetworkStep[] = [
    { data: nodeStakeUpdate(at(0) - 1n, signers) },
    ...files.flatMap((file) => fileSteps(context, file)),
    { data: { consensusCreateTopic: { memo: 'orders' } }, receipt: { topicID: context.topic(TOPIC) } },
    ...(hasEverydayTokens ? everydayTokens(context) : []),
    {
      data: { contractCreateInstance: { gas: 1_000_000n } },
      receipt: { contractID: context.contract(CONTRACT) },
      record: { contractCreateResult: { contractID: context.contract(CONTRACT), gasUsed: 800_000n } },
    },
    ...openingTransfers(context, hasEverydayTokens),
  ];
  const opening = [
    treasuryCreation(context, at(0)),
    ...steps.map((step, index) => systemEvent(context, at(index + 1), step)),
  ];
  const nodes = signers.map((signer, index) =>
    synthetic(at(opening.length + index), at(0), index + 1, nodeUpdate(context, signer)),
  );
  return [...opening, ...nodes];
}

/** A fungible one, of which everybody gets some, and a collection; nobody is associated first. */
function everydayTokens(context: ScriptContext): readonly NetworkStep[] {
  const [coin, treasury] = [context.token(FUNGIBLE_TOKEN), context.account(TREASURY)];
  return [
    {
      data: { tokenCreation: { name: 'Coin', symbol: 'C', treasury, initialSupply: COIN_SUPPLY } },
      receipt: { tokenID: coin, newTotalSupply: COIN_SUPPLY },
      record: {
        tokenTransferLists: [{ token: coin, transfers: [{ accountID: treasury, amount: COIN_SUPPLY }] }],
      },
    },
    {
      data: { tokenCreation: { name: 'Art', symbol: 'A', tokenType: 1, treasury } },
      receipt: { tokenID: context.token(NFT_TOKEN) },
    },
  ];
}

/** The steps that write one system file. */
export function fileSteps({ account }: ScriptContext, { num, contents }: SystemFile): readonly NetworkStep[] {
  const { shardNum, realmNum } = account(0n) as { shardNum: bigint; realmNum: bigint };
  const fileID = { shardNum, realmNum, fileNum: num };
  const steps: NetworkStep[] = [];
  for (let offset = 0; offset === 0 || offset < contents.length; offset += FILE_PART_LENGTH) {
    const part = contents.slice(offset, offset + FILE_PART_LENGTH);
    steps.push({
      data:
        offset === 0
          ? { fileUpdate: { fileID, contents: part } }
          : { fileAppend: { fileID, contents: part } },
    });
  }
  return steps;
}

/** A transaction that account 2 pays. */
export function systemEvent(context: ScriptContext, at: ConsensusTimestamp, step: NetworkStep): LedgerEvent {
  return { ...context.base(at, step.data), payer: TREASURY, ...step };
}

/**
 * The end of a staking period: new stakes, then the rewards that nodes get, which nobody submitted.
 *
 * @param staking when the period ended, and what an hbar that was staked in it earned, in tinybars
 */
export function stakingPeriodEvents(
  context: ScriptContext,
  at: ConsensusTimestamp,
  signers: readonly NodeSigner[],
  staking: { readonly end: bigint; readonly rate: bigint } = { end: at - 1n, rate: 0n },
): readonly LedgerEvent[] {
  const rewards = signers.map(({ accountNum }) => [accountNum, context.amount(5_000_000)] as const);
  const total = rewards.reduce((sum, [, amount]) => sum + amount, 0n);
  const transfers = [...rewards, [SYSTEM_ACCOUNT.NODE_REWARD, -total] as const];
  const accountAmounts = transfers.map(([num, amount]) => ({ accountID: context.account(num), amount }));
  return [
    synthetic(at, at, 1, nodeStakeUpdate(staking.end, signers, staking.rate)),
    { ...synthetic(at + 1n, at, 2, { cryptoTransfer: { transfers: { accountAmounts } } }), transfers },
  ];
}

/** A transaction that the network itself makes and charges nobody for. */
function synthetic(
  consensus: bigint,
  validStart: ConsensusTimestamp,
  nonce: number,
  data: MessageObject,
): LedgerEvent {
  return {
    consensus: consensusTimestamp(consensus),
    validStart,
    payer: TREASURY,
    node: null,
    nonce,
    fee: 0n,
    status: SUCCESS,
    data,
  };
}

/** Moves a node from the address book into the state, whose proxy for browsers no address book can list. */
function nodeUpdate({ account }: ScriptContext, { accountNum, nodeId }: NodeSigner): MessageObject {
  const grpcProxyEndpoint = { domainName: `node${nodeId}.localhost`, port: GRPC_PROXY_PORT };
  return { nodeUpdate: { nodeId, accountId: account(accountNum), grpcProxyEndpoint } };
}

/** One hbar is twelve cents, then fifteen; `start` is when the first rate begins. */
export function exchangeRates(start: ConsensusTimestamp): MessageObject {
  const until = (periods: bigint) => ({ seconds: start / 1_000_000_000n + periods * RATE_PERIOD_SECONDS });
  return {
    currentRate: { hbarEquiv: 1, centEquiv: 12, expirationTime: until(1n) },
    nextRate: { hbarEquiv: 1, centEquiv: 15, expirationTime: until(2n) },
  };
}

/** Contents of file 112. */
export function exchangeRateFile(start: ConsensusTimestamp): SystemFile {
  return { num: SYSTEM_FILE.EXCHANGE_RATES, contents: messages.ExchangeRateSet.encode(exchangeRates(start)) };
}

/** Equal stakes, so that a third of the nodes is a third of the weight. */
function nodeStakeUpdate(end: bigint, signers: readonly NodeSigner[], rate = 0n): MessageObject {
  const stake = 1_000_000_000_000_000n;
  const fraction = { numerator: 0n, denominator: 100n };
  const update = {
    endOfStakingPeriod: timestamp(consensusTimestamp(end)),
    nodeStake: signers.map(({ nodeId }) => ({
      nodeId,
      stake,
      maxStake: 45n * stake,
      minStake: stake / 2n,
      stakeRewarded: stake,
      stakeNotRewarded: 0n,
      rewardRate: rate === 0n ? 0n : rate + BigInt(nodeId),
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
  return { nodeStakeUpdate: update };
}
