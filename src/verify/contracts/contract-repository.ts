import type { Hex } from '../../values/hex.ts';
import type { JsonObject } from '../json-object.ts';
import type { MatchGrade } from '../match/compiled-code.ts';
import type { Transformation, TransformationValues } from '../match/transformations.ts';
import type { AbiSignature } from '../signatures.ts';

/** The minimal record of a verified contract. `address` is lower case, `verifiedAt` milliseconds. */
export interface ContractMatch {
  readonly chainId: string;
  readonly address: Hex;
  readonly matchId: bigint;
  readonly creation: MatchGrade | null;
  readonly runtime: MatchGrade | null;
  readonly verifiedAt: number;
}

/** One stored code with what the compiler and the comparison say about it. */
export interface StoredCode {
  /** Null when the code on chain is not known. */
  readonly onchain: Uint8Array | null;
  readonly recompiled: Uint8Array;
  /** `sourceMap`, `linkReferences`, `cborAuxdata` and for runtime code `immutableReferences`. */
  readonly artifacts: JsonObject;
  readonly transformations: readonly Transformation[] | null;
  readonly values: TransformationValues | null;
}

/** Everything that is stored about a verified contract. */
export interface StoredContract {
  readonly match: ContractMatch;
  readonly creation: StoredCode;
  readonly runtime: StoredCode;
  readonly deployment: {
    readonly transactionHash: Hex | null;
    readonly blockNumber: bigint | null;
    readonly transactionIndex: bigint | null;
    readonly deployer: Hex | null;
  };
  readonly compilation: {
    readonly language: string;
    readonly compiler: string;
    readonly compilerVersion: string;
    readonly settings: JsonObject;
    readonly name: string;
    readonly fullyQualifiedName: string;
    /** A library of Solidity, as far as the compiler says so. */
    readonly isLibrary: boolean;
  };
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  /** `abi`, `userdoc`, `devdoc`, `storageLayout`, `transientStorageLayout`, `sources` (ids). */
  readonly artifacts: JsonObject;
  /** Metadata text as printed by the compiler. */
  readonly metadata: string | null;
  readonly signatures: readonly AbiSignature[];
  /** Top-level members of the input besides language, sources and settings. */
  readonly inputMembers: JsonObject;
}

/** What is stored about a verified contract besides its sources. */
export type CompiledContract = Omit<StoredContract, 'sources' | 'signatures'>;

/** A file of a verified contract, without its content. */
export interface SourceFile {
  readonly path: string;
  /** In UTF-8. */
  readonly bytes: number;
}

/** A verified contract as lists for people show it. */
export interface NamedMatch extends ContractMatch {
  readonly name: string;
  readonly language: string;
  readonly compilerVersion: string;
}

/** A window of the newest verifications. */
export interface RecentWindow {
  /** Null for all chains. */
  readonly chainId: string | null;
  readonly limit: number;
  /** Exclusive bound; null for the first page. */
  readonly beforeMatchId: bigint | null;
}

/** A window of the list of one chain. */
interface ContractListWindow {
  readonly sort: 'asc' | 'desc';
  readonly limit: number;
  /** Exclusive bound; null for the first page. */
  readonly afterMatchId: bigint | null;
}

/** Reads verified contracts. Written to only by the completion of jobs. */
export interface ContractRepository {
  findMatch(chainId: string, address: Hex): Promise<ContractMatch | null>;
  /** SHA-256 of the code that lay at the address when it was verified; null when it is not verified. */
  findRuntimeHash(chainId: string, address: Hex): Promise<Uint8Array | null>;
  /** Name of a verified contract; null when it is not verified. */
  findName(chainId: string, address: Hex): Promise<string | null>;
  findContract(chainId: string, address: Hex): Promise<StoredContract | null>;
  /** Bytes that {@link findContract} would read; null when it is not verified. */
  sizeOfContract(chainId: string, address: Hex): Promise<number | null>;
  /** The same without its sources and signatures, which are most of it. */
  findCompiled(chainId: string, address: Hex): Promise<CompiledContract | null>;
  /** The files that the compilation used, by path; empty when the contract is not verified. */
  listSources(chainId: string, address: Hex): Promise<readonly SourceFile[]>;
  /** The content of one of them; null when there is none of this path. */
  findSource(chainId: string, address: Hex, path: string): Promise<string | null>;
  /** The newest first. */
  listRecent(window: RecentWindow): Promise<readonly NamedMatch[]>;
  /** The same address on every chain, ascending by chain number. */
  listNamedOfAddress(address: Hex): Promise<readonly NamedMatch[]>;
  /** Others whose runtime code differs in nothing but places that may vary, in no order. */
  listSimilar(chainId: string, address: Hex, limit: number): Promise<readonly NamedMatch[]>;
  /** Those that show one of these compilations, in their order. */
  listOfCompilations(compilationIds: readonly bigint[], limit: number): Promise<readonly NamedMatch[]>;
  /** Ascending by chain number. */
  listMatchesOfAddress(address: Hex): Promise<readonly ContractMatch[]>;
  listMatchesOfChain(chainId: string, window: ContractListWindow): Promise<readonly ContractMatch[]>;
}
