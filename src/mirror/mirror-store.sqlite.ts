import { openDatabase } from '../storage/open-database.ts';
import { sqliteSql } from '../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../storage/sqlite.ts';
import { withReadErrors, withStorageErrors } from '../storage/with-storage-errors.ts';
import { createAccountPages } from './accounts/account-pages.sql.ts';
import { createAirdropRepository } from './airdrops/airdrop-repository.sql.ts';
import { createAllowanceRepository } from './allowances/allowance-repository.sql.ts';
import { createBalanceRepository } from './balances/balance-repository.sql.ts';
import { createSqliteBlockRepository } from './blocks/block-repository.sqlite.ts';
import { createSqliteContractCodes } from './contracts/contract-codes.sqlite.ts';
import type { Dialect } from './dialect.ts';
import { createSqliteFeeState } from './fees/pricing/fee-state.sqlite.ts';
import { createSqliteHookRepository } from './hooks/hook-repository.sqlite.ts';
import { createSqliteLedgerLookup, createSqliteLookupBefore } from './ingest/ledger-lookup.sqlite.ts';
import { createSqliteImportLock } from './ingest/schedule/import-lock.sqlite.ts';
import type { SnapshotScope } from './ledger/balance-snapshots.ts';
import { createSqliteEntityReader } from './ledger/entity-reader.sqlite.ts';
import { createSqliteFileRepository } from './ledger/files/file-repository.sqlite.ts';
import { createSqliteLedgerReader } from './ledger/ledger-reader.sqlite.ts';
import { createSqliteLedgerRepository } from './ledger/ledger-repository.sqlite.ts';
import { createSqliteRegisteredNodes } from './ledger/registered-nodes.sqlite.ts';
import { createSqliteStakes } from './ledger/stakes.sqlite.ts';
import { createSqliteLedgerGaps } from './ledger/upkeep/ledger-gaps.sqlite.ts';
import { createSqliteLedgerReport } from './ledger/upkeep/ledger-report.sqlite.ts';
import { createSqliteRetention } from './ledger/upkeep/retention.sqlite.ts';
import { createSqliteStateRebuild } from './ledger/upkeep/state-rebuild.sqlite.ts';
import { createSqliteStoredUnits } from './ledger/upkeep/stored-units.sqlite.ts';
import type { MirrorStore, RebuildStore } from './mirror-store.ts';
import { createSqliteNetworkRepository } from './network/network-repository.sqlite.ts';
import { createNftRepository } from './nfts/nft-repository.sql.ts';
import { createRelationRepository } from './relations/relation-repository.sql.ts';
import { createSqliteRewardRepository } from './rewards/reward-repository.sqlite.ts';
import { createSqliteScheduleRepository } from './schedules/schedule-repository.sqlite.ts';
import { createTokenRepository } from './tokens/token-repository.sql.ts';
import { createSqliteTopicMessageRepository } from './topics/topic-message-repository.sqlite.ts';
import { createSqliteTopicRepository } from './topics/topic-repository.sqlite.ts';
import { createTransactionRepository } from './transactions/transaction-repository.sql.ts';

/** What the stored rows of a ledger depend on. */
export interface SqliteMirrorOptions {
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

/** The ledger in an opened and migrated SQLite database, which stays open. */
export function createSqliteMirrorStore(
  database: SqliteDatabase,
  options: SqliteMirrorOptions = {},
): MirrorStore {
  const { balanceSnapshots = 'changed', dialect = 'spec', realm = 0n, shard = 0n } = options;
  const { transactionBytes = false } = options;
  const sql = sqliteSql(database);
  const home = { shard, realm };
  return {
    ledger: withStorageErrors(
      createSqliteLedgerRepository(database, { ...home, balanceSnapshots, transactionBytes }),
    ),
    reader: withReadErrors(createSqliteLedgerReader(database)),
    transactions: withReadErrors(createTransactionRepository(sql, dialect)),
    accounts: withReadErrors(createAccountPages(sql)),
    balances: withReadErrors(createBalanceRepository(sql)),
    allowances: withReadErrors(createAllowanceRepository(sql)),
    airdrops: withReadErrors(createAirdropRepository(sql)),
    blocks: withReadErrors(createSqliteBlockRepository(database)),
    entities: withReadErrors(createSqliteEntityReader(database)),
    contractCodes: withReadErrors(createSqliteContractCodes(database, home)),
    files: withReadErrors(createSqliteFileRepository(database)),
    network: withReadErrors(createSqliteNetworkRepository(database)),
    nfts: withReadErrors(createNftRepository(sql)),
    registeredNodes: withReadErrors(createSqliteRegisteredNodes(database)),
    topics: withReadErrors(createSqliteTopicRepository(database)),
    topicMessages: withReadErrors(createSqliteTopicMessageRepository(database)),
    hooks: withReadErrors(createSqliteHookRepository(database)),
    schedules: withReadErrors(createSqliteScheduleRepository(database)),
    stakes: withReadErrors(createSqliteStakes(database)),
    relations: withReadErrors(createRelationRepository(sql)),
    rewards: withReadErrors(createSqliteRewardRepository(database)),
    tokens: withReadErrors(createTokenRepository(sql)),
    feeState: withReadErrors(createSqliteFeeState(database, home)),
    gaps: withStorageErrors(createSqliteLedgerGaps(database)),
    lookup: withReadErrors(createSqliteLedgerLookup(database)),
    importLock: createSqliteImportLock(database),
    retention: withStorageErrors(createSqliteRetention(database)),
    report: withReadErrors(createSqliteLedgerReport(database)),
    // Prepared by the one command that needs it.
    get rebuild() {
      return createSqliteRebuildStore(database, transactionBytes, balanceSnapshots);
    },
  };
}

function createSqliteRebuildStore(
  database: SqliteDatabase,
  showBytes: boolean,
  snapshots: SnapshotScope,
): RebuildStore {
  const lookupBefore = createSqliteLookupBefore(database);
  return {
    units: withStorageErrors(createSqliteStoredUnits(database, showBytes)),
    lookupBefore: (time) => withReadErrors(lookupBefore(time)),
    async beginState() {
      return withStorageErrors(createSqliteStateRebuild(database, openDatabase(':memory:'), snapshots));
    },
  };
}
