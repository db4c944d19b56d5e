import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { EntityId } from '../../values/entity-id.ts';
import type { createContractCodes } from './contract-codes.sql.ts';

/** What lies at an address of the ledger. */
export type LedgerAccount =
  | {
      readonly kind: 'contract';
      readonly contract: EntityId;
      /** Null when no sidecar told it. */
      readonly runtimeCode: Uint8Array | null;
    }
  /** An account, which has no code. */
  | { readonly kind: 'account' };

/** How much of the ledger's history was imported. */
export interface LedgerCoverage {
  /** Nanoseconds; null in an empty ledger. */
  readonly firstConsensus: ConsensusTimestamp | null;
  /** Whether the import began with the first block, so that what is not there does not exist. */
  readonly isFromGenesis: boolean;
}

/** How many contracts the ledger has. */
export interface ContractCount {
  readonly contracts: number;
  readonly withRuntimeCode: number;
}

/** Reads the code of contracts from the imported ledger. */
export type ContractCodes = ReturnType<typeof createContractCodes>;

/** The code of a contract as the ledger stored it; null is what it does not tell. */
export type ContractCode = NonNullable<Awaited<ReturnType<ContractCodes['code']>>>;
