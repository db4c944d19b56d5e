import type { Sql } from '../storage/sql/sql.ts';
import { withReadErrors, withStorageErrors } from '../storage/with-storage-errors.ts';
import type { MaybePromise } from '../values/map-maybe.ts';
import type { Work } from '../values/work.ts';
import { createAccountPages } from './accounts/account-pages.sql.ts';
import { createAirdropRepository } from './airdrops/airdrop-repository.sql.ts';
import { createAllowanceRepository } from './allowances/allowance-repository.sql.ts';
import { createBalanceRepository } from './balances/balance-repository.sql.ts';
import { createBlockRepository } from './blocks/block-repository.sql.ts';
import { createContractActionRepository } from './contracts/actions/contract-action-repository.sql.ts';
import { createContractAddresses } from './contracts/contract-addresses.sql.ts';
import { createContractCodes } from './contracts/contract-codes.sql.ts';
import { createContractPages } from './contracts/contract-pages.sql.ts';
import { createContractLogRepository } from './contracts/logs/contract-log-repository.sql.ts';
import { createContractResultRepository } from './contracts/results/contract-result-repository.sql.ts';
import { createContractStateRepository } from './contracts/state/contract-state-repository.sql.ts';
import type { Dialect } from './dialect.ts';
import { createFeeState } from './fees/pricing/fee-state.sql.ts';
import { createHookRepository } from './hooks/hook-repository.sql.ts';
import { createLedgerLookup, createLookupBefore } from './ingest/ledger-lookup.sql.ts';
import type { ImportLock } from './ingest/schedule/import-lock.ts';
import type { SnapshotScope } from './ledger/balance-snapshots.ts';
import { createEntityReader } from './ledger/entity-reader.sql.ts';
import { createFileRepository, createUserFiles } from './ledger/files/file-repository.sql.ts';
import { createLedgerReader } from './ledger/ledger-reader.sql.ts';
import { createLedgerRepository } from './ledger/ledger-repository.sql.ts';
import { createLogChunks } from './ledger/log-chunks/log-chunks.sql.ts';
import { createRegisteredNodes } from './ledger/registered-nodes.sql.ts';
import { createStakes } from './ledger/stakes.sql.ts';
import { createLedgerGaps } from './ledger/upkeep/ledger-gaps.sql.ts';
import { createLedgerReport } from './ledger/upkeep/ledger-report.sql.ts';
import type { LedgerSize } from './ledger/upkeep/ledger-report.ts';
import { createRetention } from './ledger/upkeep/retention.sql.ts';
import type { StateRebuild } from './ledger/upkeep/state-rebuild.ts';
import { createStoredUnits } from './ledger/upkeep/stored-units.sql.ts';
import { createNetworkRepository } from './network/network-repository.sql.ts';
import { createNftRepository } from './nfts/nft-repository.sql.ts';
import { createRelationRepository } from './relations/relation-repository.sql.ts';
import { createRewardRepository } from './rewards/reward-repository.sql.ts';
import { createScheduleRepository } from './schedules/schedule-repository.sql.ts';
import { createTokenRepository } from './tokens/token-repository.sql.ts';
import { createTopicMessageRepository } from './topics/topic-message-repository.sql.ts';
import { createTopicRepository } from './topics/topic-repository.sql.ts';
import { createTransactionRepository } from './transactions/transaction-repository.sql.ts';

/** What the stored rows of a ledger depend on. */
export interface MirrorOptions {
  /** Default `spec`. */
  readonly dialect?: Dialect;
  /** Shard of the network. Default 0n. */
  readonly shard?: bigint;
  /** Realm of the network. Default 0n. */
  readonly realm?: bigint;
  /** Whether rows stored from now on answer with `bytes`. Default false. */
  readonly transactionBytes?: boolean;
  /** Default `changed`. */
  readonly balanceSnapshots?: SnapshotScope;
}

/** What each database does in its own way. */
interface LedgerEngine {
  readonly importLock: ImportLock;
  /** The first work of each commit of units. @throws StorageBusyError when another server imports. */
  beginCommit(): Work<void>;
  /** The first work of what changes stored units: none are committed beside it. */
  beginUpkeep(): Work<void>;
  /** What the tables of the ledger take. */
  readSize(): MaybePromise<LedgerSize>;
  /** Begins to derive the state once more, from nothing. */
  beginState(sql: Sql, snapshots: SnapshotScope): StateRebuild;
}

/** The ledger in an opened and migrated database, which stays open. */
export function createMirrorStore(sql: Sql, options: MirrorOptions, engine: LedgerEngine) {
  const { balanceSnapshots = 'changed', dialect = 'spec', realm = 0n, shard = 0n } = options;
  const { transactionBytes = false } = options;
  const home = { shard, realm };
  const beginCommit = () => engine.beginCommit();
  const beginUpkeep = () => engine.beginUpkeep();
  return {
    /** The write side, for imports. */
    ledger: withStorageErrors(
      createLedgerRepository(sql, { ...home, balanceSnapshots, transactionBytes }, beginCommit),
    ),
    reader: withReadErrors(createLedgerReader(sql)),
    transactions: withReadErrors(createTransactionRepository(sql, dialect)),
    accounts: withReadErrors(createAccountPages(sql)),
    balances: withReadErrors(createBalanceRepository(sql)),
    allowances: withReadErrors(createAllowanceRepository(sql)),
    airdrops: withReadErrors(createAirdropRepository(sql)),
    blocks: withReadErrors(createBlockRepository(sql)),
    entities: withReadErrors(createEntityReader(sql)),
    contracts: withReadErrors(createContractPages(sql)),
    contractCodes: withReadErrors(createContractCodes(sql, home)),
    contractAddresses: withReadErrors(createContractAddresses(sql)),
    contractResults: withReadErrors(createContractResultRepository(sql)),
    contractLogs: withReadErrors(createContractLogRepository(sql)),
    contractState: withReadErrors(createContractStateRepository(sql)),
    contractActions: withReadErrors(createContractActionRepository(sql)),
    files: withReadErrors(createFileRepository(sql)),
    userFiles: withReadErrors(createUserFiles(sql)),
    network: withReadErrors(createNetworkRepository(sql)),
    nfts: withReadErrors(createNftRepository(sql)),
    registeredNodes: withReadErrors(createRegisteredNodes(sql)),
    topics: withReadErrors(createTopicRepository(sql)),
    topicMessages: withReadErrors(createTopicMessageRepository(sql)),
    hooks: withReadErrors(createHookRepository(sql)),
    schedules: withReadErrors(createScheduleRepository(sql)),
    stakes: withReadErrors(createStakes(sql)),
    relations: withReadErrors(createRelationRepository(sql)),
    rewards: withReadErrors(createRewardRepository(sql)),
    tokens: withReadErrors(createTokenRepository(sql)),
    feeState: withReadErrors(createFeeState(sql, home)),
    gaps: withStorageErrors(createLedgerGaps(sql)),
    /** What decoding asks about stored entities. */
    lookup: withReadErrors(createLedgerLookup(sql)),
    importLock: withStorageErrors(engine.importLock),
    retention: withStorageErrors(createRetention(sql, beginUpkeep)),
    logChunks: withStorageErrors(createLogChunks(sql, beginCommit)),
    report: withReadErrors(createLedgerReport(sql, () => engine.readSize())),
    /** Prepared by the one command that needs it. */
    rebuild: () =>
      createRebuildStore(sql, transactionBytes, beginUpkeep, () => engine.beginState(sql, balanceSnapshots)),
  };
}

function createRebuildStore(
  sql: Sql,
  showBytes: boolean,
  beginUpkeep: () => Work<void>,
  beginState: () => StateRebuild,
) {
  const lookupBefore = createLookupBefore(sql);
  return {
    units: withStorageErrors(createStoredUnits(sql, showBytes, beginUpkeep)),
    /** What the ledger knew before a time; rows of later units must not help an earlier one. */
    lookupBefore: (time: bigint) => withReadErrors(lookupBefore(time)),
    /** Begins with an empty state; whoever calls closes it. */
    async beginState() {
      return withStorageErrors(beginState());
    },
  };
}
