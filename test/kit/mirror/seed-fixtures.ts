import { type FixtureRows, fixtureTransaction } from '../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerTransaction, StakeUpdate } from '../../../src/mirror/ledger/rows.ts';
import { enumNumbers, messages } from '../../../src/mirror/protobuf/messages.ts';
import { consensusTimestamp, NANOS_PER_SECOND } from '../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../src/values/entity-id.ts';

const FIRST_SECOND = 1_700_000_000n;
const INSUFFICIENT_ACCOUNT_BALANCE = 28;

/** The ledger of thirty transfers that the cases of the specification name `thirty`. */
export function thirtyTransactions(): FixtureRows {
  return { transactions: Array.from({ length: 30 }, (_, index) => transfer(index + 1)) };
}

function transfer(k: number): LedgerTransaction {
  const at = consensusTimestamp((FIRST_SECOND + BigInt(k)) * NANOS_PER_SECOND);
  const isFailed = k % 10 === 0;
  const amount = BigInt(10 + k);
  const rewarded = [
    { account: entityId(800n), amount: -5n, isApproval: false },
    { account: entityId(1002n), amount: 5n, isApproval: false },
  ];
  return fixtureTransaction({
    consensusTimestamp: at,
    validStart: consensusTimestamp(at - NANOS_PER_SECOND),
    payer: entityId(1001n),
    node: entityId(3n),
    ...(isFailed ? { result: INSUFFICIENT_ACCOUNT_BALANCE } : {}),
    maxFee: 100_000_000n,
    validDurationSeconds: 120n,
    memo: Buffer.from(k === 7 ? 'seven' : '', 'utf8'),
    transfers: isFailed
      ? []
      : [
          { account: entityId(1001n), amount: -amount, isApproval: false },
          { account: entityId(k % 2 === 1 ? 1002n : 1003n), amount, isApproval: false },
          ...(k === 15 ? rewarded : []),
        ],
    ...(k === 15
      ? {
          stakingRewards: [{ account: entityId(1002n), amount: 5n }],
          batchKey: Buffer.from(`1220${'07'.repeat(32)}`, 'hex'),
        }
      : {}),
  });
}

/** The ledger that the cases of the specification name `network`: no transactions, everything else known. */
export function networkState(): FixtureRows {
  const at = (second: bigint) => consensusTimestamp((FIRST_SECOND + second) * NANOS_PER_SECOND);
  const rate = { hbarEquiv: 30_000, centEquiv: 285_576, expirationTime: { seconds: FIRST_SECOND + 3600n } };
  const functions = enumNumbers('proto.HederaFunctionality');
  return {
    filePieces: [
      {
        file: entityId(112n),
        consensusTimestamp: at(1n),
        transactionType: 19,
        contents: messages.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate }),
      },
      {
        file: entityId(111n),
        consensusTimestamp: at(2n),
        transactionType: 19,
        contents: messages.CurrentAndNextFeeSchedule.encode({
          currentFeeSchedule: {
            transactionFeeSchedule: ['ContractCall', 'ContractCreate', 'EthereumTransaction'].map((name) => ({
              hederaFunctionality: functions[name],
              fees: [{ servicedata: { gas: 852_000n } }],
            })),
          },
        }),
      },
    ],
    addressBooks: [
      {
        startTimestamp: at(3n),
        file: entityId(102n),
        entries: [
          {
            nodeId: 0n,
            nodeAccount: entityId(3n),
            description: 'Node 0 | Somewhere',
            memo: '0.0.3',
            publicKey: '308201a2300d06092a864886f70d01010105000382018f003082018a0282018100',
            nodeCertHash: Buffer.from('ab'.repeat(48), 'utf8'),
            serviceEndpoints: [{ domainName: '', ipAddressV4: '127.0.0.1', port: 50211 }],
          },
        ],
      },
    ],
    balances: [{ account: entityId(2n), balance: 4_000_000_000_000_000_000n, timestamp: at(4n) }],
    stakeUpdates: [stakeUpdate(at(5n))],
  };
}

function stakeUpdate(timestamp: LedgerTransaction['consensusTimestamp']): StakeUpdate {
  return {
    consensusTimestamp: timestamp,
    stakingPeriodEnd: consensusTimestamp(1_699_999_999_999_999_999n),
    maxStakeRewarded: 10n,
    maxStakingRewardRatePerHbar: 17_808n,
    maxTotalReward: 20n,
    nodeRewardFeeNumerator: 3n,
    nodeRewardFeeDenominator: 1000n,
    reservedStakingRewards: 30n,
    rewardBalanceThreshold: 40n,
    stakeTotal: 35_000_000_000_000_003n,
    stakingPeriodDuration: 1440n,
    stakingPeriodsStored: 365n,
    stakingRewardFeeNumerator: 1n,
    stakingRewardFeeDenominator: 10n,
    stakingRewardRate: 100_000_000_000n,
    stakingStartThreshold: 25_000_000_000_000_000n,
    unreservedStakingRewardBalance: 50n,
    nodes: [
      {
        nodeId: 0n,
        maxStake: 5000n,
        minStake: -1n,
        rewardRate: 6n,
        stake: 13n,
        stakeNotRewarded: 8n,
        stakeRewarded: 5n,
      },
    ],
  };
}
