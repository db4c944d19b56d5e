import { createHash } from 'node:crypto';
import {
  type FixtureTransaction,
  fixtureTransaction,
  fixtureUnit,
} from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { messages } from '../../src/mirror/protobuf/messages.ts';
import { createBusyStatusPage } from '../../src/status/testing/busy-page.ts';
import { consensusTimestamp, NANOS_PER_SECOND } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import type { TestServer } from '../support/test-server.ts';

/** Puts a fixture of `cases/seed` into the database through the repositories. @see cases/seed, README */
export async function storeSeedFixture(name: string, server: TestServer): Promise<void> {
  switch (name) {
    case 'thirty':
      await server.services.mirror.ledger.commitUnit(thirtyTransactions());
      return;
    case 'network':
      await server.services.mirror.ledger.commitUnit(aKnownNetwork());
      return;
    case 'status-busy':
      await createBusyStatusPage(server.services.status);
      return;
    default:
      throw new Error(`unknown fixture ${name}`);
  }
}

const FIRST_SECOND = 1_700_000_000n;
const SENDER = entityId(1001n);
const NODE = entityId(3n);
const INSUFFICIENT_ACCOUNT_BALANCE = 28;

/** The thirty transactions that the README of the cases describes. */
function thirtyTransactions(): LedgerUnit {
  const transactions = Array.from({ length: 30 }, (_, index) =>
    fixtureTransaction(theTransaction(BigInt(index + 1))),
  );
  return fixtureUnit('thirty', { transactions });
}

function theTransaction(k: bigint): FixtureTransaction {
  const time = consensusTimestamp((FIRST_SECOND + k) * NANOS_PER_SECOND);
  const hasFailed = k % 10n === 0n;
  const amount = 10n + k;
  const transfers = [
    { account: SENDER, amount: -amount, isApproval: false },
    { account: entityId(k % 2n === 1n ? 1002n : 1003n), amount, isApproval: false },
  ];
  const rewarded = [
    { account: entityId(800n), amount: -5n, isApproval: false },
    { account: entityId(1002n), amount: 5n, isApproval: false },
  ];
  return {
    consensusTimestamp: time,
    validStart: consensusTimestamp(time - NANOS_PER_SECOND),
    payer: SENDER,
    node: NODE,
    maxFee: 100_000_000n,
    validDurationSeconds: 120n,
    memo: new TextEncoder().encode(k === 7n ? 'seven' : ''),
    hash: createHash('sha384').update(String(k)).digest(),
    transfers: hasFailed ? [] : [...transfers, ...(k === 15n ? rewarded : [])],
    ...(hasFailed ? { result: INSUFFICIENT_ACCOUNT_BALANCE } : {}),
    ...(k === 15n
      ? {
          stakingRewards: [{ account: entityId(1002n), amount: 5n }],
          batchKey: Buffer.concat([Buffer.from('1220', 'hex'), Buffer.alloc(32, 7)]),
        }
      : {}),
  };
}

const FIRST = consensusTimestamp(FIRST_SECOND * NANOS_PER_SECOND);
const TREASURY = entityId(2n);

/** An address book, exchange rates, a fee schedule, treasury balances and a stake update. */
function aKnownNetwork(): LedgerUnit {
  const piece = (file: bigint, contents: Uint8Array) => ({
    file: entityId(file),
    consensusTimestamp: FIRST,
    transactionType: 17 as const,
    contents,
  });
  return fixtureUnit('network', {
    addressBooks: [
      {
        startTimestamp: consensusTimestamp(FIRST + 1n),
        file: entityId(102n),
        entries: [
          {
            nodeId: 0n,
            nodeAccount: NODE,
            description: 'First node | somewhere',
            memo: '0.0.3',
            publicKey: '00'.repeat(16),
            nodeCertHash: new TextEncoder().encode('ab'.repeat(48)),
            serviceEndpoints: [{ domainName: '', ipAddressV4: '127.0.0.1', port: 50_211 }],
          },
        ],
      },
    ],
    filePieces: [piece(112n, exchangeRates()), piece(111n, legacyFeeSchedule())],
    balances: [{ account: TREASURY, balance: 4_000_000_000_000_000_000n, timestamp: FIRST }],
    stakeUpdates: [
      {
        consensusTimestamp: FIRST,
        stakingPeriodEnd: consensusTimestamp(FIRST - 1n),
        maxStakeRewarded: 10n,
        maxStakingRewardRatePerHbar: 17_808n,
        maxTotalReward: 20n,
        nodeRewardFeeNumerator: 0n,
        nodeRewardFeeDenominator: 100n,
        reservedStakingRewards: 30n,
        rewardBalanceThreshold: 40n,
        stakeTotal: 100n,
        stakingPeriodDuration: 1440n,
        stakingPeriodsStored: 365n,
        stakingRewardFeeNumerator: 1n,
        stakingRewardFeeDenominator: 10n,
        stakingRewardRate: 100n,
        stakingStartThreshold: 25n,
        unreservedStakingRewardBalance: 50n,
        nodes: [
          {
            nodeId: 0n,
            maxStake: 1000n,
            minStake: 1n,
            rewardRate: 0n,
            stake: 100n,
            stakeNotRewarded: 0n,
            stakeRewarded: 100n,
          },
        ],
      },
    ],
  });
}

function exchangeRates(): Uint8Array {
  const rate = (centEquiv: number) => ({
    hbarEquiv: 1,
    centEquiv,
    expirationTime: { seconds: 4_102_444_800 },
  });
  return messages.ExchangeRateSet.encode({ currentRate: rate(12), nextRate: rate(15) });
}

/** Gas at 852 000 thousandths of a tinycent for the three kinds that the endpoint lists. */
function legacyFeeSchedule(): Uint8Array {
  const entry = (hederaFunctionality: number) => ({
    transactionFeeSchedule: { hederaFunctionality, fees: [{ servicedata: { gas: 852_000 } }] },
  });
  const schedule = [6, 7, 84].map(entry).map(({ transactionFeeSchedule }) => transactionFeeSchedule);
  const current = { transactionFeeSchedule: schedule, expiryTime: { seconds: 4_102_444_800 } };
  return messages.CurrentAndNextFeeSchedule.encode({ currentFeeSchedule: current });
}
