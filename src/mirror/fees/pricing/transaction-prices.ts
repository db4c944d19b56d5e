import type {
  FileFields,
  PendingAirdropsFields,
  PricedBodies,
  TokenKeysFields,
  TopicKeysFields,
  TransferFields,
} from '../decode/transaction-fields.ts';
import { gasOf, gasOfEthereum, type PossibleAdditions, receiptsOf } from './additions/fee-addition.ts';
import { type CountedUnits, countKeyList, countKeys, countTransfers, units } from './count-transfers.ts';
import type { KnownState, StateNeeds } from './fee-state.ts';

/** How one transaction type is priced. */
export interface TransactionPrice<T> {
  /** Name in `HederaFunctionality`, under which the schedule lists the price. */
  readonly functionality: string;
  /** Another functionality whose definition gives base fee and extras. */
  readonly pricedAs?: string;
  /** True: neither node nor network fee, whatever the schedule says. */
  readonly exempt?: boolean;
  /** True: the transaction's `high_volume` flag has an effect in STATE mode. */
  readonly highVolume?: boolean;
  /** Most bytes of the whole transaction; 6144 when absent. */
  readonly maxBytes?: number;
  /** Lists with a length limit of 10, in the order of the checks: noun of the message and length. */
  listLengths?(body: T): readonly (readonly [noun: string, length: number])[];
  /** State that the units depend on; types without it need none. */
  stateNeeds?(body: T): StateNeeds;
  /** What handling may add beside the price; types without it add nothing. */
  additions?(body: T): PossibleAdditions;
  /** Units in the order of the answer; `state` is null for an estimate from the bytes alone. */
  count?(body: T, state: KnownState | null): readonly CountedUnits[];
}

type PriceTable = { readonly [K in keyof PricedBodies]: TransactionPrice<PricedBodies[K]> };

/** Jumbo transactions: 130 KiB. @see contracts/fees-estimate.md section 7 */
const MAX_ETHEREUM_BYTES = 133_120;

/**
 * Every priced type by its member of `TransactionBody.data`. Prices themselves stand in the schedule.
 *
 * @see contracts/fees-estimate.md sections 5 and 6
 */
const PRICES: PriceTable = {
  cryptoCreateAccount: {
    functionality: 'CryptoCreate',
    highVolume: true,
    count: (body) => [
      units('KEYS', countKeys(body.key)),
      units('HOOK_UPDATES', lengthOf(body.hookCreationDetails)),
    ],
  },
  cryptoUpdateAccount: {
    functionality: 'CryptoUpdate',
    count: (body) => [
      units('KEYS', countKeys(body.key)),
      units('HOOK_UPDATES', lengthOf(body.hookCreationDetails) + lengthOf(body.hookIdsToDelete)),
    ],
  },
  cryptoDelete: { functionality: 'CryptoDelete' },
  cryptoTransfer: {
    functionality: 'CryptoTransfer',
    listLengths: (body) => [
      ['hbar transfers', lengthOf(body.transfers?.accountAmounts)],
      ['token transfer lists', lengthOf(body.tokenTransfers)],
      ['nft transfers', nftMoves(body)],
    ],
    stateNeeds: (body) => ({ tokens: (body.tokenTransfers ?? []).map((list) => list.token) }),
    additions: (body) => receiptsOf(body, false),
    count: countTransfers,
  },
  cryptoApproveAllowance: {
    functionality: 'CryptoApproveAllowance',
    highVolume: true,
    count: (body) => [
      units(
        'ALLOWANCES',
        lengthOf(body.cryptoAllowances) + lengthOf(body.nftAllowances) + lengthOf(body.tokenAllowances),
      ),
    ],
  },
  cryptoDeleteAllowance: {
    functionality: 'CryptoDeleteAllowance',
    count: (body) => [units('ALLOWANCES', lengthOf(body.nftAllowances))],
  },
  consensusCreateTopic: {
    functionality: 'ConsensusCreateTopic',
    highVolume: true,
    count: (body) => [
      units('KEYS', countTopicKeys(body)),
      units('CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE', lengthOf(body.customFees) > 0 ? 1 : 0),
    ],
  },
  consensusUpdateTopic: {
    functionality: 'ConsensusUpdateTopic',
    count: (body) => [units('KEYS', countTopicKeys(body) + countKeyList(body.feeExemptKeyList))],
  },
  consensusDeleteTopic: { functionality: 'ConsensusDeleteTopic' },
  consensusSubmitMessage: {
    functionality: 'ConsensusSubmitMessage',
    stateNeeds: (body) => ({ topic: body.topicID ?? {} }),
    count: (body, state) => {
      const length = body.message?.length ?? 0;
      if ((state?.topic?.fixedFeeCount ?? 0) === 0) {
        return [units('CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES', length)];
      }
      return [
        units('CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES', length),
        units('CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE', 1),
      ];
    },
  },
  fileCreate: { functionality: 'FileCreate', highVolume: true, count: countFile },
  fileUpdate: { functionality: 'FileUpdate', count: countFile },
  fileAppend: {
    functionality: 'FileAppend',
    highVolume: true,
    count: (body) => [units('STATE_BYTES', body.contents?.length ?? 0)],
  },
  fileDelete: { functionality: 'FileDelete' },
  systemDelete: { functionality: 'SystemDelete', exempt: true },
  systemUndelete: { functionality: 'SystemUndelete', exempt: true },
  tokenCreation: {
    functionality: 'TokenCreate',
    highVolume: true,
    count: (body) => [
      units('KEYS', countTokenKeys(body)),
      units(
        'TOKEN_CREATE_WITH_CUSTOM_FEE',
        lengthOf(body.customFees) > 0 || body.feeScheduleKey !== undefined ? 1 : 0,
      ),
    ],
  },
  tokenUpdate: { functionality: 'TokenUpdate', count: (body) => [units('KEYS', countTokenKeys(body))] },
  tokenUpdateNfts: {
    functionality: 'TokenUpdateNfts',
    count: (body) => [units('NFT_UPDATE', lengthOf(body.serialNumbers))],
  },
  tokenMint: {
    functionality: 'TokenMint',
    highVolume: true,
    count: (body) =>
      (body.amount ?? 0n) === 0n
        ? [units('TOKEN_MINT_NFT_BASE', 1), units('TOKEN_MINT_NFT', lengthOf(body.metadata))]
        : [],
  },
  tokenAssociate: {
    functionality: 'TokenAssociateToAccount',
    highVolume: true,
    count: (body) => [units('TOKEN_ASSOCIATE', lengthOf(body.tokens))],
  },
  tokenDissociate: { functionality: 'TokenDissociateFromAccount' },
  tokenAirdrop: {
    functionality: 'TokenAirdrop',
    pricedAs: 'CryptoTransfer',
    highVolume: true,
    listLengths: (body) => [
      ['airdrop token transfer lists', lengthOf(body.tokenTransfers)],
      ['nft transfers', nftMoves(body)],
    ],
    stateNeeds: (body) => ({ tokens: (body.tokenTransfers ?? []).map((list) => list.token) }),
    additions: (body) => receiptsOf(body, true),
    count: countTransfers,
  },
  tokenClaimAirdrop: {
    functionality: 'TokenClaimAirdrop',
    highVolume: true,
    listLengths: (body: PendingAirdropsFields) => [
      ['pending airdrops to claim', lengthOf(body.pendingAirdrops)],
    ],
  },
  tokenCancelAirdrop: {
    functionality: 'TokenCancelAirdrop',
    listLengths: (body: PendingAirdropsFields) => [
      ['pending airdrops to cancel', lengthOf(body.pendingAirdrops)],
    ],
  },
  tokenBurn: { functionality: 'TokenBurn' },
  tokenDeletion: { functionality: 'TokenDelete' },
  tokenFreeze: { functionality: 'TokenFreezeAccount' },
  tokenUnfreeze: { functionality: 'TokenUnfreezeAccount' },
  tokenPause: { functionality: 'TokenPause' },
  tokenUnpause: { functionality: 'TokenUnpause' },
  tokenGrantKyc: { functionality: 'TokenGrantKycToAccount' },
  tokenRevokeKyc: { functionality: 'TokenRevokeKycFromAccount' },
  tokenReject: { functionality: 'TokenReject' },
  tokenWipe: { functionality: 'TokenAccountWipe' },
  tokenFeeScheduleUpdate: { functionality: 'TokenFeeScheduleUpdate' },
  scheduleCreate: {
    functionality: 'ScheduleCreate',
    highVolume: true,
    count: (body) => [
      units('KEYS', countKeys(body.adminKey)),
      units(
        'SCHEDULE_CREATE_CONTRACT_CALL_BASE',
        body.scheduledTransactionBody?.data === 'contractCall' ? 1 : 0,
      ),
    ],
  },
  scheduleSign: { functionality: 'ScheduleSign' },
  scheduleDelete: { functionality: 'ScheduleDelete' },
  contractCreateInstance: {
    functionality: 'ContractCreate',
    highVolume: true,
    additions: (body) => gasOf(body.gas),
    count: (body) => [
      units('KEYS', countKeys(body.adminKey)),
      units('HOOK_UPDATES', lengthOf(body.hookCreationDetails)),
    ],
  },
  contractUpdateInstance: {
    functionality: 'ContractUpdate',
    // Creations and deletions are two extras of the same name here, unlike in CryptoUpdate.
    count: (body) => [
      units('KEYS', countKeys(body.adminKey)),
      units('HOOK_UPDATES', lengthOf(body.hookCreationDetails)),
      units('HOOK_UPDATES', lengthOf(body.hookIdsToDelete)),
    ],
  },
  contractDeleteInstance: { functionality: 'ContractDelete' },
  contractCall: { functionality: 'ContractCall', additions: (body) => gasOf(body.gas) },
  ethereumTransaction: {
    functionality: 'EthereumTransaction',
    maxBytes: MAX_ETHEREUM_BYTES,
    additions: (body) => gasOfEthereum(body.ethereumData),
  },
  hookStore: {
    functionality: 'HookStore',
    highVolume: true,
    count: (body) => [
      units(
        'HOOK_SLOT_UPDATE',
        (body.storageUpdates ?? []).reduce(
          (slots, update) =>
            slots + (update.storageSlot === undefined ? lengthOf(update.mappingEntries?.entries) : 1),
          0,
        ),
      ),
    ],
  },
  utilPrng: { functionality: 'UtilPrng' },
  atomicBatch: { functionality: 'AtomicBatch' },
  nodeCreate: { functionality: 'NodeCreate' },
  nodeUpdate: { functionality: 'NodeUpdate' },
  nodeDelete: { functionality: 'NodeDelete' },
  registeredNodeCreate: { functionality: 'RegisteredNodeCreate' },
  registeredNodeUpdate: { functionality: 'RegisteredNodeUpdate' },
  registeredNodeDelete: { functionality: 'RegisteredNodeDelete' },
};

const priceByMember: ReadonlyMap<string, TransactionPrice<unknown>> = new Map(Object.entries(PRICES));

/** How the type with this member of `TransactionBody.data` is priced; null for types without a price. */
export function priceOf(member: string): TransactionPrice<unknown> | null {
  return priceByMember.get(member) ?? null;
}

/** The members of `TransactionBody.data` that have a price. */
export const pricedMembers: readonly string[] = Object.keys(PRICES);

function lengthOf(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0;
}

function countFile(body: FileFields): readonly CountedUnits[] {
  return [units('KEYS', countKeyList(body.keys)), units('STATE_BYTES', body.contents?.length ?? 0)];
}

function countTopicKeys(body: TopicKeysFields): number {
  return countKeys(body.adminKey, body.feeScheduleKey, body.submitKey);
}

function countTokenKeys(body: TokenKeysFields): number {
  return countKeys(
    body.adminKey,
    body.feeScheduleKey,
    body.freezeKey,
    body.kycKey,
    body.metadataKey,
    body.pauseKey,
    body.supplyKey,
    body.wipeKey,
  );
}

function nftMoves(body: TransferFields): number {
  return (body.tokenTransfers ?? []).reduce((sum, list) => sum + lengthOf(list.nftTransfers), 0);
}
