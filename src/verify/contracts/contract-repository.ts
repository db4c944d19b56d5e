import { type Hex, toHex } from '../../values/hex.ts';
import { bytes, hex, int64, json, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { JsonObject } from '../json-object.ts';
import { LIBRARY_TRAITS, type MatchGrade } from '../match/compiled-code.ts';
import type { Transformation, TransformationValues } from '../match/transformations.ts';
import type { AbiSignature } from '../signatures.ts';
import type { StandardJson } from '../standard-json.ts';

/** The minimal record of a verified contract. `address` is lower case, `verifiedAt` milliseconds. */
export const MATCH = rowTable({
  chainId: text('match.chain_id'),
  address: hex('match.address'),
  matchId: int64('match.match_id'),
  creation: text<MatchGrade | null>('match.creation_match'),
  runtime: text<MatchGrade | null>('match.runtime_match'),
  verifiedAt: number('match.verified_at'),
});
export type ContractMatch = RecordOf<typeof MATCH>;

/** A verified contract as lists for people show it. */
export const NAMED_MATCH = rowTable({
  ...MATCH.members,
  name: text('compiled.name'),
  language: text('compiled.language'),
  compilerVersion: text('compiled.version'),
});
export type NamedMatch = RecordOf<typeof NAMED_MATCH>;

/** One stored code with what the compiler and the comparison say about it. */
const codeOf = (side: 'creation' | 'runtime') =>
  rowTable({
    /** Null when the code on chain is not known. */
    onchain: bytes<Uint8Array | null>(`onchain_${side}.code AS onchain_${side}`),
    recompiled: {
      column: `recompiled_${side}.code AS recompiled_${side}`,
      fromStored: (code: Uint8Array | null) => code ?? new Uint8Array(),
    },
    /** `sourceMap`, `linkReferences`, `cborAuxdata` and for runtime code `immutableReferences`. */
    artifacts: json<JsonObject>(`compiled.${side}_code_artifacts`),
    transformations: json<readonly Transformation[] | null>(`verified.${side}_transformations`),
    values: json<TransformationValues | null>(`verified.${side}_values`),
  });
export type StoredCode = RecordOf<ReturnType<typeof codeOf>>;

const DEPLOYMENT = rowTable({
  transactionHash: {
    column: 'deployment.transaction_hash',
    fromStored: (hash: Uint8Array) => (hash.length === 0 ? null : toHex(hash)),
  },
  blockNumber: int64<bigint | null>('deployment.block_number'),
  transactionIndex: int64<bigint | null>('deployment.transaction_index'),
  deployer: hex<Hex | null>('deployment.deployer'),
});

const COMPILATION = rowTable({
  language: text('compiled.language'),
  compiler: text('compiled.compiler'),
  compilerVersion: text('compiled.version'),
  settings: json<JsonObject>('compiled.compiler_settings'),
  name: text('compiled.name'),
  fullyQualifiedName: text('compiled.fully_qualified_name'),
  /** A library of Solidity, as far as the compiler says so. */
  isLibrary: {
    // The first member; the others may be long.
    column: `substr(compiled.code_traits, 1, ${LIBRARY_TRAITS.length}) AS traits_start`,
    fromStored: (start: string | null) => start === LIBRARY_TRAITS,
  },
});

/** What is stored about a verified contract besides its sources. */
const CONTRACT = rowTable({
  match: MATCH,
  creation: codeOf('creation'),
  runtime: codeOf('runtime'),
  deployment: DEPLOYMENT,
  compilation: COMPILATION,
  /** `abi`, `userdoc`, `devdoc`, `storageLayout`, `transientStorageLayout`, `sources` (ids). */
  artifacts: json<JsonObject>('compiled.compilation_artifacts'),
  /** Metadata text as printed by the compiler. */
  metadata: text<string | null>('compiled.metadata'),
  /** Top-level members of the input besides language, sources and settings. */
  inputMembers: json<JsonObject>('compiled.input_members', {}),
});
export type CompiledContract = RecordOf<typeof CONTRACT>;

export const COMPILED = rowTable({
  compilationId: int64('compiled.id AS compilation_id'),
  contract: CONTRACT,
});

/** Everything that is stored about a verified contract. */
export interface StoredContract extends CompiledContract {
  readonly sources: StandardJson['sources'];
  readonly signatures: readonly AbiSignature[];
}

/** A file of a verified contract, without its content. */
export interface SourceFile {
  readonly path: string;
  /** In UTF-8. */
  readonly bytes: number;
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
export interface ContractListWindow {
  readonly sort: 'asc' | 'desc';
  readonly limit: number;
  /** Exclusive bound; null for the first page. */
  readonly afterMatchId: bigint | null;
}
