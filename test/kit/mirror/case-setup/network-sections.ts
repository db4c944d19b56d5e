import { type FixtureRows, fixtureTransaction } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type {
  AddressBook,
  AddressBookEntry,
  FilePiece,
  LedgerTransaction,
  NodeChange,
  NodeStake,
  ServiceEndpoint,
  StakeUpdate,
} from '../../../../src/mirror/ledger/rows.ts';
import { messages } from '../../../../src/mirror/protobuf/messages.ts';
import { SYSTEM_FILE } from '../../../../src/mirror/vocabulary/system-files.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../../src/values/entity-id.ts';
import {
  bytesOf,
  type CaseRow,
  type CaseSetup,
  groupBy,
  id,
  idOrNull,
  integer,
  section,
  text,
} from './case-row.ts';

const DEFAULT_PUBLIC_KEY = '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f';
const DEFAULT_CERT_HASH =
  '01d173753810c0aae794ba72d5443c292e9ff962b01046220dd99f5816422696e0569c977e2f169e1e5688afc8f4aa16';
const DEFAULT_STAKING_PERIOD = 86_399_999_999_999n;
const LAST_SYSTEM_FILE = 1000n;
const PAYER = 2n;
const SCHEDULE_FILES: ReadonlySet<bigint> = new Set([SYSTEM_FILE.FEE_SCHEDULE, SYSTEM_FILE.EXCHANGE_RATES]);

/** Sections `filedata`, `addressbooks` with their entries, `nodes`, `nodestakes` and `networkstakes`. */
export function networkSections(setup: CaseSetup): FixtureRows {
  return {
    filePieces: section(setup, 'filedata').filter(isOfNetwork).map(filePiece),
    transactions: section(setup, 'filedata')
      .filter((row) => !isOfNetwork(row))
      .map(fileTransaction),
    addressBooks: addressBooks(setup),
    nodeChanges: section(setup, 'nodes').map(nodeChange),
    stakeUpdates: stakeUpdates(setup),
  };
}

/** Files of users are what their transactions wrote. */
function isOfNetwork(row: CaseRow): boolean {
  return id(row, 'entity_id') <= LAST_SYSTEM_FILE;
}

function fileTransaction(row: CaseRow): LedgerTransaction {
  const { consensusTimestamp, file, transactionType } = filePiece(row);
  const hex = text(row, 'file_hex', null);
  const contents = hex === null ? Buffer.from(text(row, 'file_data', '') ?? '') : Buffer.from(hex, 'hex');
  const member = { 16: 'fileAppend', 17: 'fileCreate' }[transactionType] ?? 'fileUpdate';
  return fixtureTransaction({
    consensusTimestamp,
    payer: entityId(PAYER),
    type: transactionType,
    entityId: file,
    transactionBytes: messages.Transaction.encode({
      bodyBytes: messages.TransactionBody.encode({ [member]: { contents } }),
    }),
  });
}

/** Hex decoding stops at the first other character: some contents are broken on purpose. */
function filePiece(row: CaseRow): FilePiece {
  const file = id(row, 'entity_id');
  const data = String(row['file_data'] ?? '');
  const kind = Number(integer(row, 'transaction_type', 17n));
  return {
    file,
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp')),
    transactionType: kind === 16 || kind === 19 ? kind : 17,
    contents: SCHEDULE_FILES.has(file)
      ? Buffer.from(data.replace(/^0x/, ''), 'hex')
      : Buffer.from(data, 'utf8'),
  };
}

function addressBooks(setup: CaseSetup): readonly AddressBook[] {
  const entries = section(setup, 'addressbookentries');
  const endpoints = section(setup, 'addressbookserviceendpoints');
  const startOf = (row: CaseRow) => integer(row, 'consensus_timestamp', 0n);
  return section(setup, 'addressbooks').map((book): AddressBook => {
    const start = integer(book, 'start_consensus_timestamp', 0n);
    const inBook = endpoints.filter((row) => startOf(row) === start);
    return {
      startTimestamp: consensusTimestamp(start),
      file: id(book, 'file_id', SYSTEM_FILE.NODE_DETAILS),
      entries: entries
        .filter((row) => startOf(row) === start)
        .map((row) =>
          bookEntry(
            row,
            inBook.filter((other) => integer(other, 'node_id', 0n) === integer(row, 'node_id', 2000n)),
          ),
        ),
    };
  });
}

function bookEntry(row: CaseRow, endpoints: readonly CaseRow[]): AddressBookEntry {
  return {
    nodeId: integer(row, 'node_id', 2000n),
    nodeAccount: id(row, 'node_account_id', 3n),
    description: text(row, 'description', 'description'),
    memo: text(row, 'memo', '0.0.3'),
    publicKey: text(row, 'public_key', DEFAULT_PUBLIC_KEY),
    nodeCertHash: Buffer.from(text(row, 'node_cert_hash', DEFAULT_CERT_HASH) ?? '', 'utf8'),
    serviceEndpoints: endpoints.map(
      (endpoint): ServiceEndpoint => ({
        domainName: text(endpoint, 'domain_name', '') ?? '',
        ipAddressV4: text(endpoint, 'ip_address_v4', '127.0.0.1') ?? '',
        port: Number(integer(endpoint, 'port', 50211n)),
      }),
    ),
  };
}

function nodeChange(row: CaseRow): NodeChange {
  const adminKey = text(row, 'admin_key', null);
  return {
    nodeId: integer(row, 'node_id', 0n),
    consensusTimestamp: consensusTimestamp(0n),
    account: idOrNull(row, 'account_id'),
    adminKey: adminKey === null ? null : bytesOf(adminKey),
    declineReward: row['decline_reward'] === true,
    grpcProxyEndpoint: null,
    deleted: row['deleted'] === true,
  };
}

/** The node rows of one time belong to one update, with or without a row for the network. */
function stakeUpdates(setup: CaseSetup): readonly StakeUpdate[] {
  const networks = groupBy(section(setup, 'networkstakes'), (row) => integer(row, 'consensus_timestamp', 0n));
  const nodes = groupBy(section(setup, 'nodestakes'), (row) => integer(row, 'consensus_timestamp', 0n));
  return [...new Set([...networks.keys(), ...nodes.keys()])].map((at) => {
    const stakes = nodes.get(at) ?? [];
    return stakeUpdate(at, networks.get(at)?.[0] ?? stakes[0] ?? {}, stakes);
  });
}

function stakeUpdate(at: bigint, row: CaseRow, nodes: readonly CaseRow[]): StakeUpdate {
  return {
    consensusTimestamp: consensusTimestamp(at),
    stakingPeriodEnd: consensusTimestamp(integer(row, 'staking_period', DEFAULT_STAKING_PERIOD)),
    maxStakeRewarded: integer(row, 'max_stake_rewarded', 10n),
    maxStakingRewardRatePerHbar: integer(row, 'max_staking_reward_rate_per_hbar', 17_808n),
    maxTotalReward: integer(row, 'max_total_reward', 20n),
    nodeRewardFeeNumerator: integer(row, 'node_reward_fee_numerator', 100n),
    nodeRewardFeeDenominator: integer(row, 'node_reward_fee_denominator', 0n),
    reservedStakingRewards: integer(row, 'reserved_staking_rewards', 30n),
    rewardBalanceThreshold: integer(row, 'reward_balance_threshold', 40n),
    stakeTotal: integer(row, 'stake_total', 10_000_000n),
    stakingPeriodDuration: integer(row, 'staking_period_duration', 1440n),
    stakingPeriodsStored: integer(row, 'staking_periods_stored', 365n),
    stakingRewardFeeNumerator: integer(row, 'staking_reward_fee_numerator', 100n),
    stakingRewardFeeDenominator: integer(row, 'staking_reward_fee_denominator', 100n),
    stakingRewardRate: integer(row, 'staking_reward_rate', 100_000_000_000n),
    stakingStartThreshold: integer(row, 'staking_start_threshold', 25_000_000_000_000_000n),
    unreservedStakingRewardBalance: integer(row, 'unreserved_staking_reward_balance', 50n),
    nodes: nodes.map(
      (node): NodeStake => ({
        nodeId: integer(node, 'node_id', 0n),
        maxStake: integer(node, 'max_stake', 2000n),
        minStake: integer(node, 'min_stake', 1n),
        rewardRate: integer(node, 'reward_rate', 0n),
        stake: integer(node, 'stake', 0n),
        stakeNotRewarded: integer(node, 'stake_not_rewarded', 0n),
        stakeRewarded: integer(node, 'stake_rewarded', 0n),
      }),
    ),
  };
}
