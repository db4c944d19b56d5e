import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { type EntityId, entityId, parseEntityId } from '../../values/entity-id.ts';
import { type FixtureRows, fixtureTransaction } from '../ledger/fixture-unit.ts';
import type {
  AddressBook,
  AddressBookEntry,
  AssessedCustomFee,
  BalanceStatement,
  FilePiece,
  HbarTransfer,
  LedgerTransaction,
  NodeChange,
  NodeStake,
  ServiceEndpoint,
  StakeUpdate,
} from '../ledger/rows.ts';
import { SYSTEM_ACCOUNT } from '../vocabulary/system-accounts.ts';
import { SYSTEM_FILE } from '../vocabulary/system-files.ts';

/** A row as the case files write it, parsed with bigint for every integer. */
export type CaseRow = Readonly<Record<string, unknown>>;

/** The sections of `setup`; missing ones are empty. */
export type CaseSetup = Readonly<Record<string, unknown>>;

const HEX_TEXT = /^(?:0x)?[0-9A-Fa-f]+$/;
const DEFAULT_PUBLIC_KEY = '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f';
const DEFAULT_CERT_HASH =
  '01d173753810c0aae794ba72d5443c292e9ff962b01046220dd99f5816422696e0569c977e2f169e1e5688afc8f4aa16';
const DEFAULT_STAKING_PERIOD = 86_399_999_999_999n;
const SCHEDULE_FILES: ReadonlySet<bigint> = new Set([SYSTEM_FILE.FEE_SCHEDULE, SYSTEM_FILE.EXCHANGE_RATES]);
const DEFAULT_NODE = 3n;

/**
 * Turns the `setup` of a mirror-rest case into the rows of one fixture.
 *
 * The sections and their defaults are those of the README beside the case files; sections that only the
 * reference's own tables need (`entityTransactions`, `tokens`) are derived by the ledger itself.
 */
export function caseFixture(setup: CaseSetup): FixtureRows {
  const rewards = groupBy(section(setup, 'stakingRewardTransfers'), (row) =>
    integer(row, 'consensus_timestamp'),
  );
  const fees = groupBy(section(setup, 'assessedcustomfees'), (row) => integer(row, 'consensus_timestamp'));
  const transactions = [
    ...section(setup, 'transactions'),
    ...section(setup, 'cryptotransfers').map(expandCryptoTransfer),
  ].map((row) => {
    const at = integer(row, 'consensus_timestamp');
    return transaction(row, rewards.get(at) ?? [], fees.get(at) ?? []);
  });
  return {
    transactions,
    filePieces: section(setup, 'filedata').map(filePiece),
    addressBooks: addressBooks(setup),
    nodeChanges: section(setup, 'nodes').map(nodeChange),
    stakeUpdates: stakeUpdates(setup),
    balances: [
      ...[...section(setup, 'accounts'), ...section(setup, 'entities')].flatMap(accountBalance),
      ...section(setup, 'balances').map(balanceSnapshot),
    ],
  };
}

function section(setup: CaseSetup, name: string): readonly CaseRow[] {
  const rows = setup[name];
  return Array.isArray(rows) ? rows : [];
}

/** @see README of the cases, section cryptotransfers */
function expandCryptoTransfer(row: CaseRow): CaseRow {
  const sender = row['senderAccountId'] ?? row['payerAccountId'];
  const recipient = row['recipientAccountId'] ?? row['nodeAccountId'];
  const amount = integer(row, 'amount', 2n);
  const expanded = { ...row, payerAccountId: row['payerAccountId'] ?? sender };
  if (row['transfers'] !== undefined) return expanded;
  return {
    ...expanded,
    transfers: [
      { account: sender, amount: -(amount + 1n), is_approval: false },
      { account: recipient, amount, is_approval: false },
      { account: row['treasuryAccountId'], amount: 1n, is_approval: false },
    ],
  };
}

function transaction(row: CaseRow, rewards: readonly CaseRow[], fees: readonly CaseRow[]): LedgerTransaction {
  const at = integer(row, 'consensus_timestamp');
  const bytes = row['transaction_bytes'] === undefined ? 'bytes' : row['transaction_bytes'];
  const batchKey = text(row, 'batch_key', null);
  const inner = list(row, 'inner_transactions').map((value) => toInteger(value));
  const chargedFee = integer(row, 'charged_tx_fee', 7n);
  const payer = id(row, 'payerAccountId');
  const node = idOrNull(row, 'nodeAccountId');
  return fixtureTransaction({
    consensusTimestamp: consensusTimestamp(at),
    payer,
    validStart: consensusTimestamp(integer(row, 'valid_start_timestamp', at - 1n)),
    node,
    type: Number(integer(row, 'type', 14n)),
    result: Number(integer(row, 'result', 22n)),
    chargedFee,
    maxFee: integerOrNull(row, 'max_fee', 33n),
    validDurationSeconds: integerOrNull(row, 'valid_duration_seconds', 11n),
    nonce: Number(integer(row, 'nonce', 0n)),
    scheduled: row['scheduled'] === true,
    parentConsensusTimestamp: timeOrNull(row, 'parent_consensus_timestamp'),
    entityId: idOrNull(row, 'entity_id'),
    hash:
      row['transaction_hash'] === undefined
        ? countingHash()
        : bytesOf(text(row, 'transaction_hash', '') ?? ''),
    batchKey: batchKey === null ? null : bytesOf(batchKey),
    transactionBytes: bytes === null ? null : Buffer.from(String(bytes), 'utf8'),
    maxCustomFees: rows(row, 'max_custom_fees').flatMap(maxCustomFee),
    highVolume: row['high_volume'] === true,
    highVolumePricingMultiplier: integerOrNull(row, 'high_volume_pricing_multiplier', null),
    innerTransactions: inner.flatMap((value, index) =>
      index % 2 === 0
        ? [{ payer: entityId(value), validStart: consensusTimestamp(inner[index + 1] ?? 0n) }]
        : [],
    ),
    nftTransfers: rows(row, 'nft_transfer').map((nft) => ({
      token: id(nft, 'token_id'),
      sender: idOrNull(nft, 'sender_account_id'),
      receiver: idOrNull(nft, 'receiver_account_id'),
      serial: integer(nft, 'serial_number'),
      isApproval: nft['is_approval'] === true,
    })),
    transfers: hbarTransfers(rows(row, 'transfers'), chargedFee, payer, node),
    tokenTransfers: rows(row, 'token_transfer_list').map((entry) => ({
      ...transfer(entry),
      token: id(entry, 'token_id'),
    })),
    stakingRewards: rewards.map((reward) => ({
      account: id(reward, 'account_id', 1001n),
      amount: integer(reward, 'amount', 100n),
    })),
    assessedCustomFees: fees.map(assessedFee),
  });
}

/** A charged fee without transfers stands for the usual three rows. */
function hbarTransfers(
  given: readonly CaseRow[],
  chargedFee: bigint,
  payer: EntityId,
  node: EntityId | null,
): readonly HbarTransfer[] {
  if (given.length > 0 || chargedFee <= 0n) return given.map(transfer);
  return [
    { account: node ?? entityId(DEFAULT_NODE), amount: 2n, isApproval: false },
    { account: entityId(SYSTEM_ACCOUNT.FEE_COLLECTION), amount: 1n, isApproval: false },
    { account: payer, amount: -3n, isApproval: false },
  ];
}

function transfer(row: CaseRow): HbarTransfer {
  return {
    account: id(row, 'account'),
    amount: integer(row, 'amount'),
    isApproval: row['is_approval'] === true,
  };
}

function maxCustomFee(limit: CaseRow): LedgerTransaction['maxCustomFees'] {
  const account = id(object(limit, 'accountId'), 'accountNum');
  return rows(limit, 'fees').map((fee) => {
    const token = object(fee, 'denominatingTokenId')['tokenNum'];
    return {
      account,
      amount: integer(fee, 'amount'),
      denominatingToken: token === undefined ? null : entityId(toInteger(token)),
    };
  });
}

function assessedFee(row: CaseRow): AssessedCustomFee {
  return {
    amount: integer(row, 'amount'),
    collector: id(row, 'collector_account_id'),
    token: idOrNull(row, 'token_id'),
    effectivePayers: list(row, 'effective_payer_account_ids').map((value) => entityId(toInteger(value))),
  };
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

function accountBalance(row: CaseRow): readonly BalanceStatement[] {
  const balance = integerOrNull(row, 'balance', null);
  if (balance === null) return [];
  const timestamp = integerOrNull(row, 'balance_timestamp', null) ?? 0n;
  const account = row['num'] === undefined ? id(row, 'id') : id(row, 'num');
  return [{ account, balance, timestamp: consensusTimestamp(timestamp) }];
}

function balanceSnapshot(row: CaseRow): BalanceStatement {
  return {
    account: id(row, 'id'),
    balance: integer(row, 'balance', 0n),
    timestamp: consensusTimestamp(integer(row, 'timestamp', 0n)),
  };
}

/** The 48 bytes 1, 2, 3 … 48. */
function countingHash(): Uint8Array {
  return Uint8Array.from({ length: 48 }, (_, index) => index + 1);
}

/** Hex when the text is hex (odd lengths get a zero in front), else base64. */
function bytesOf(value: string): Uint8Array {
  if (!HEX_TEXT.test(value)) return Buffer.from(value, 'base64');
  const digits = value.replace(/^0x/, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

function toInteger(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  const written = String(value);
  return parseEntityId(written) ?? BigInt(written);
}

function integerOrNull(row: CaseRow, name: string, absent: bigint | null): bigint | null {
  const value = row[name];
  return value === undefined ? absent : value === null ? null : toInteger(value);
}

/** @throws Error when the section demands the member and it is missing. */
function integer(row: CaseRow, name: string, absent?: bigint): bigint {
  const value = integerOrNull(row, name, absent ?? null);
  if (value === null) throw new Error(`A case row lacks ${name}`);
  return value;
}

function id(row: CaseRow, name: string, absent?: bigint): EntityId {
  return entityId(integer(row, name, absent));
}

function idOrNull(row: CaseRow, name: string): EntityId | null {
  const value = integerOrNull(row, name, null);
  return value === null ? null : entityId(value);
}

function timeOrNull(row: CaseRow, name: string) {
  const value = integerOrNull(row, name, null);
  return value === null ? null : consensusTimestamp(value);
}

function text(row: CaseRow, name: string, absent: string | null): string | null {
  const value = row[name];
  return value === undefined ? absent : value === null ? null : String(value);
}

function list(row: CaseRow, name: string): readonly unknown[] {
  const value = row[name];
  return Array.isArray(value) ? value : [];
}

function rows(row: CaseRow, name: string): readonly CaseRow[] {
  return list(row, name) as readonly CaseRow[];
}

function object(row: CaseRow, name: string): CaseRow {
  const value = row[name];
  return typeof value === 'object' && value !== null ? (value as CaseRow) : {};
}

function groupBy(
  all: readonly CaseRow[],
  key: (row: CaseRow) => bigint,
): ReadonlyMap<bigint, readonly CaseRow[]> {
  const groups = new Map<bigint, CaseRow[]>();
  for (const row of all) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}
