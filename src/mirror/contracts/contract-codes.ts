import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { EntityId } from '../../values/entity-id.ts';

/** How a contract of the ledger came to be, as EVM tools see it. */
export interface LedgerContractCreation {
  /** Creation code with constructor parameters. */
  readonly creationCode: Uint8Array;
  /** 32 bytes: the Ethereum hash, else the first 32 bytes of the hash of the transaction that a client sent. */
  readonly transactionHash: Uint8Array;
  /** The first 32 bytes of the hash of the record that names the contract: the child's when it has its own. */
  readonly recordHash: Uint8Array | null;
  /** Null when the unit has no number. */
  readonly blockNumber: bigint | null;
  readonly transactionIndex: number | null;
  /** 20 bytes: the sender's EVM address, or the one made of its number. */
  readonly deployer: Uint8Array;
}

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

/** The code of a contract as the ledger stored it; null is what it does not tell. */
export interface ContractCode {
  /** What the creation had: the contents of its file without constructor parameters, else initcode. */
  readonly bytecode: Uint8Array | null;
  readonly file: EntityId | null;
  /** What lies at the contract. */
  readonly runtimeCode: Uint8Array | null;
}

/** Reads the code of contracts from the imported ledger. */
export interface ContractCodes {
  /**
   * Finds what an EVM address names: the number in it (`0x000…3e8`), or an address that a contract or account got.
   *
   * @param address 20 bytes
   * @returns null when the imported ledger knows nothing of it.
   */
  find(address: Uint8Array): Promise<LedgerAccount | null>;
  /** Null when the creation or its code was not imported. */
  creation(contract: EntityId): Promise<LedgerContractCreation | null>;
  /** Null when neither the creation nor the code of the contract was imported. */
  code(contract: EntityId): Promise<ContractCode | null>;
  /** Of each contract the file that it was made of; those of none are left out. */
  filesOf(contracts: readonly EntityId[]): Promise<ReadonlyMap<bigint, bigint>>;
  coverage(): Promise<LedgerCoverage>;
  /** Reads all contracts. */
  count(): Promise<ContractCount>;
}
