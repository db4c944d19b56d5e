import type { AccountPages } from './accounts/account-pages.ts';
import type { AirdropRepository } from './airdrops/airdrop-repository.ts';
import type { AllowanceRepository } from './allowances/allowance-repository.ts';
import type { BalanceRepository } from './balances/balance-repository.ts';
import type { BlockRepository } from './blocks/block-repository.ts';
import type { ContractActionRepository } from './contracts/actions/contract-action-repository.ts';
import type { ContractAddresses } from './contracts/contract-addresses.ts';
import type { ContractCodes } from './contracts/contract-codes.ts';
import type { ContractPages } from './contracts/contract-pages.ts';
import type { ContractLogRepository } from './contracts/logs/contract-log-repository.ts';
import type { ContractResultRepository } from './contracts/results/contract-result-repository.ts';
import type { ContractStateRepository } from './contracts/state/contract-state-repository.ts';
import type { FeeStateSource } from './fees/pricing/fee-state.ts';
import type { HookRepository } from './hooks/hook-repository.ts';
import type { LedgerLookup } from './ingest/decode/known-entities.ts';
import type { ImportLock } from './ingest/schedule/import-lock.ts';
import type { EntityReader } from './ledger/entity-reader.ts';
import type { FileRepository, UserFiles } from './ledger/files/file-repository.ts';
import type { LedgerReader } from './ledger/ledger-reader.ts';
import type { LedgerRepository } from './ledger/ledger-repository.ts';
import type { LogChunks } from './ledger/log-chunks/log-chunks.ts';
import type { RegisteredNodes } from './ledger/registered-nodes.ts';
import type { Stakes } from './ledger/stakes.ts';
import type { LedgerGaps } from './ledger/upkeep/ledger-gaps.ts';
import type { LedgerReport } from './ledger/upkeep/ledger-report.ts';
import type { LedgerRetention } from './ledger/upkeep/retention.ts';
import type { StateRebuild } from './ledger/upkeep/state-rebuild.ts';
import type { StoredUnits } from './ledger/upkeep/stored-units.ts';
import type { NetworkRepository } from './network/network-repository.ts';
import type { NftRepository } from './nfts/nft-repository.ts';
import type { RelationRepository } from './relations/relation-repository.ts';
import type { RewardRepository } from './rewards/reward-repository.ts';
import type { ScheduleRepository } from './schedules/schedule-repository.ts';
import type { TokenRepository } from './tokens/token-repository.ts';
import type { TopicMessageRepository } from './topics/topic-message-repository.ts';
import type { TopicRepository } from './topics/topic-repository.ts';
import type { TransactionRepository } from './transactions/transaction-repository.ts';

/** The stored ledger; one implementation per database. */
export interface MirrorStore {
  /** The write side, for imports. */
  readonly ledger: LedgerRepository;
  readonly reader: LedgerReader;
  readonly transactions: TransactionRepository;
  readonly accounts: AccountPages;
  readonly balances: BalanceRepository;
  readonly allowances: AllowanceRepository;
  readonly airdrops: AirdropRepository;
  readonly blocks: BlockRepository;
  readonly entities: EntityReader;
  readonly contracts: ContractPages;
  readonly contractCodes: ContractCodes;
  readonly contractAddresses: ContractAddresses;
  readonly contractResults: ContractResultRepository;
  readonly contractLogs: ContractLogRepository;
  readonly contractState: ContractStateRepository;
  readonly contractActions: ContractActionRepository;
  readonly files: FileRepository;
  readonly userFiles: UserFiles;
  readonly network: NetworkRepository;
  readonly nfts: NftRepository;
  readonly registeredNodes: RegisteredNodes;
  readonly topics: TopicRepository;
  readonly relations: RelationRepository;
  readonly tokens: TokenRepository;
  readonly topicMessages: TopicMessageRepository;
  readonly schedules: ScheduleRepository;
  readonly hooks: HookRepository;
  readonly stakes: Stakes;
  readonly rewards: RewardRepository;
  readonly feeState: FeeStateSource;
  readonly gaps: LedgerGaps;
  /** What decoding asks about stored entities. */
  readonly lookup: LedgerLookup;
  readonly importLock: ImportLock;
  readonly retention: LedgerRetention;
  readonly logChunks: LogChunks;
  readonly report: LedgerReport;
  /** Prepared by the one command that needs it. */
  readonly rebuild: () => RebuildStore;
}

/** What deriving a ledger once more reads and writes. */
export interface RebuildStore {
  readonly units: StoredUnits;
  /** What the ledger knew before a time; rows of later units must not help an earlier one. */
  lookupBefore(time: bigint): LedgerLookup;
  /** Begins with an empty state; whoever calls closes it. */
  beginState(): Promise<StateRebuild>;
}
