import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { bareHex, type Hex, toBytes, toHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { JsonMembers } from '../../values/json-members.ts';
import { bytes, hex, int64, json, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { prepareFiles } from '../compiled-files.sql.ts';
import type { JsonObject } from '../json-object.ts';
import { LIBRARY_TRAITS, type MatchGrade } from '../match/compiled-code.ts';
import type { Transformation, TransformationValues } from '../match/transformations.ts';
import type { AbiSignature } from '../signatures.ts';
import type { StandardJson } from '../standard-json.ts';

/** The minimal record of a verified contract. `address` is lower case, `verifiedAt` milliseconds. */
const MATCH = rowTable({
  chainId: text('match.chain_id'),
  address: hex('match.address'),
  matchId: int64('match.match_id'),
  creation: text<MatchGrade | null>('match.creation_match'),
  runtime: text<MatchGrade | null>('match.runtime_match'),
  verifiedAt: number('match.verified_at'),
});
export type ContractMatch = RecordOf<typeof MATCH>;

/** A verified contract as lists for people show it. */
const NAMED_MATCH = rowTable({
  ...MATCH.members,
  name: text('compiled.name'),
  language: text('compiled.language'),
  compilerVersion: text('compiled.version'),
});
export type NamedMatch = RecordOf<typeof NAMED_MATCH>;

/** A JSON object of which most members are rarely needed, and may be long. */
const members = (column: string) => ({ column, fromStored: (text: string) => new JsonMembers(text) });

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
    artifacts: members(`compiled.${side}_code_artifacts`),
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

/** What is short of a verified contract. */
const SUMMARY = rowTable({ match: MATCH, deployment: DEPLOYMENT, compilation: COMPILATION });
export type ContractSummary = RecordOf<typeof SUMMARY>;

/** What is stored about a verified contract besides its sources. */
const CONTRACT = rowTable({
  ...SUMMARY.members,
  creation: codeOf('creation'),
  runtime: codeOf('runtime'),
  /** `abi`, `userdoc`, `devdoc`, `storageLayout`, `transientStorageLayout`, `sources` (ids). */
  artifacts: members('compiled.compilation_artifacts'),
  /** Metadata text as printed by the compiler. */
  metadata: text<string | null>('compiled.metadata'),
  /** Top-level members of the input besides language, sources and settings. */
  inputMembers: json<JsonObject>('compiled.input_members', {}),
});
export type CompiledContract = RecordOf<typeof CONTRACT>;

const COMPILED = rowTable({
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
interface RecentWindow {
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

const SIGNATURE = rowTable<AbiSignature>({
  type: 'link.signature_type',
  signature: 'signature.signature',
  hash: { column: 'signature.signature_hash_32', fromStored: bareHex },
});

const OF_MATCH = `FROM verification_match AS match
  JOIN verified_contract AS verified ON verified.id = match.verified_contract_id`;
const COMPILED_OF_MATCH = `${OF_MATCH}
  JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id`;
const WITH_CONTRACT = `JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
  JOIN contract ON contract.id = deployment.contract_id`;
const AT_PLACE = 'WHERE match.address = ? AND match.chain_id = ?';

/** Reads verified contracts. Written to only by the completion of jobs. */
export type ContractRepository = ReturnType<typeof createContractRepository>;

/** Reads verified contracts. */
export function createContractRepository(sql: Sql) {
  const { orderedJoin } = sql.dialect;
  const matches = (where: string) => prepareSelect(sql, MATCH, `FROM verification_match AS match ${where}`);
  const findMatch = matches(AT_PLACE);
  const findRuntimeHash = sql.prepareValue<unknown[], Buffer>(
    `SELECT contract.runtime_code_hash ${OF_MATCH} ${WITH_CONTRACT} ${AT_PLACE}`,
  );
  const findSummary = prepareSelect(
    sql,
    SUMMARY,
    `${COMPILED_OF_MATCH}
     JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id ${AT_PLACE}`,
  );
  const findContract = prepareSelect(
    sql,
    COMPILED,
    `${COMPILED_OF_MATCH} ${WITH_CONTRACT}
     JOIN code AS onchain_creation ON onchain_creation.code_hash = contract.creation_code_hash
     JOIN code AS onchain_runtime ON onchain_runtime.code_hash = contract.runtime_code_hash
     JOIN code AS recompiled_creation ON recompiled_creation.code_hash = compiled.creation_code_hash
     JOIN code AS recompiled_runtime ON recompiled_runtime.code_hash = compiled.runtime_code_hash ${AT_PLACE}`,
  );
  const sizeOfContract = sql.prepareValue<unknown[], number>(
    `SELECT coalesce(octet_length(compiled.metadata), 0) + octet_length(compiled.compilation_artifacts)
         + octet_length(compiled.creation_code_artifacts) + octet_length(compiled.runtime_code_artifacts)
         + coalesce((SELECT sum(CASE WHEN ? = 1 THEN octet_length(source.content) ELSE 0 END) FROM compiled_contract_source AS link
             JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = compiled.id), 0)
       ${COMPILED_OF_MATCH} ${AT_PLACE}`,
  );
  const findName = sql.prepareValue<unknown[], string>(
    `SELECT compiled.name ${COMPILED_OF_MATCH} ${AT_PLACE}`,
  );
  const filesOf = prepareFiles(sql);
  const findSignatures = prepareSelect(
    sql,
    SIGNATURE,
    `FROM compiled_contract_signature AS link
     JOIN signature ON signature.signature_hash_32 = link.signature_hash_32
     WHERE link.compilation_id = ? ORDER BY signature.signature, link.signature_type`,
  );
  const sourcesOfMatch = `${OF_MATCH}
     JOIN compiled_contract_source AS link ON link.compilation_id = verified.compilation_id
     JOIN source ON source.source_hash = link.source_hash ${AT_PLACE}`;
  const listSources = sql.prepare<unknown[], SourceFile>(
    `SELECT link.path, octet_length(source.content) AS bytes ${sourcesOfMatch} ORDER BY link.path`,
  );
  const findSource = sql.prepareValue<unknown[], string>(
    `SELECT source.content ${sourcesOfMatch} AND link.path = ?`,
  );
  const namedMatches = (where: string) => prepareSelect(sql, NAMED_MATCH, `${COMPILED_OF_MATCH} ${where}`);
  const listRecent = namedMatches('WHERE match.match_id < ? ORDER BY match.match_id DESC LIMIT ?');
  const listRecentOfChain = namedMatches(
    'WHERE match.chain_id = ? AND match.match_id < ? ORDER BY match.match_id DESC LIMIT ?',
  );
  const listNamedOfAddress = namedMatches(
    'WHERE match.address = ? ORDER BY length(match.chain_id), match.chain_id',
  );
  // No order: thousands may be alike, and sorting them would hold up everybody.
  const listSimilar = prepareSelect(
    sql,
    NAMED_MATCH,
    `FROM verification_match AS own
     JOIN verified_contract AS own_verified ON own_verified.id = own.verified_contract_id
     JOIN compilation_likeness AS likeness ON likeness.compilation_id = own_verified.compilation_id
     ${orderedJoin} compilation_likeness AS alike ON alike.masked_hash = likeness.masked_hash
     ${orderedJoin} verified_contract AS verified ON verified.compilation_id = alike.compilation_id
     ${orderedJoin} verification_match AS match ON match.verified_contract_id = verified.id
     ${orderedJoin} compiled_contract AS compiled ON compiled.id = alike.compilation_id
     WHERE own.address = ? AND own.chain_id = ? AND match.match_id <> own.match_id LIMIT ?`,
  );
  const listOfCompilation = prepareSelect(
    sql,
    NAMED_MATCH,
    `FROM verified_contract AS verified
     ${orderedJoin} verification_match AS match ON match.verified_contract_id = verified.id
     ${orderedJoin} compiled_contract AS compiled ON compiled.id = verified.compilation_id
     WHERE verified.compilation_id = ? LIMIT ?`,
  );
  const listOfAddress = matches('WHERE address = ? ORDER BY length(chain_id), chain_id');
  const listOfChain = {
    asc: matches('WHERE chain_id = ? AND match_id > ? ORDER BY match_id ASC LIMIT ?'),
    desc: matches('WHERE chain_id = ? AND match_id < ? ORDER BY match_id DESC LIMIT ?'),
  };

  return {
    findMatch: async (chainId: string, address: Hex) =>
      sql.read(() => findMatch.find(toBytes(address), chainId)),
    /** SHA-256 of the code that lay at the address when it was verified; null when it is not verified. */
    findRuntimeHash: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* findRuntimeHash.get(toBytes(address), chainId)) ?? null;
    }),
    /** Name of a verified contract; null when it is not verified. */
    findName: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* findName.get(toBytes(address), chainId)) ?? null;
    }),
    /** What is short of a contract, however long the rest is; null when it is not verified. */
    findSummary: async (chainId: string, address: Hex) =>
      sql.read(() => findSummary.find(toBytes(address), chainId)),
    findContract: sql.reading(function* (chainId: string, address: Hex) {
      const found = yield* findContract.find(toBytes(address), chainId);
      if (found === null) return null;
      const { compilationId, contract } = found;
      const sources = yield* filesOf(compilationId);
      return Object.assign(contract, { sources, signatures: yield* findSignatures.all(compilationId) });
    }),
    /** The same without its sources and signatures, which are most of it. */
    findCompiled: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* findContract.find(toBytes(address), chainId))?.contract ?? null;
    }),
    /** {@link findContract} with neither sources nor signatures. */
    findWithoutFiles: sql.reading(function* (chainId: string, address: Hex) {
      const contract = (yield* findContract.find(toBytes(address), chainId))?.contract ?? null;
      return contract === null ? null : Object.assign(contract, { sources: {}, signatures: [] });
    }),
    /** Bytes that {@link findContract} would read, or that without files; null when it is not verified. */
    sizeOfContract: sql.reading(function* (chainId: string, address: Hex, withFiles: boolean) {
      return (yield* sizeOfContract.get(withFiles ? 1 : 0, toBytes(address), chainId)) ?? null;
    }),
    /** The files that the compilation used, by path; empty when the contract is not verified. */
    listSources: async (chainId: string, address: Hex) =>
      sql.read(() => listSources.all(toBytes(address), chainId)),
    /** The content of one of them; null when there is none of this path. */
    findSource: sql.reading(function* (chainId: string, address: Hex, path: string) {
      return (yield* findSource.get(toBytes(address), chainId, path)) ?? null;
    }),
    /** The newest first. */
    listRecent: sql.reading(function* ({ chainId, limit, beforeMatchId }: RecentWindow) {
      // Numbers begin at 1 and never reach the bound.
      const before = beforeMatchId === null || beforeMatchId > MAX_INT64 ? MAX_INT64 : beforeMatchId;
      return chainId === null
        ? yield* listRecent.all(before, limit)
        : yield* listRecentOfChain.all(chainId, before, limit);
    }),
    /** The same address on every chain, ascending by chain number. */
    listNamedOfAddress: async (address: Hex) => sql.read(() => listNamedOfAddress.all(toBytes(address))),
    /** Others whose runtime code differs in nothing but places that may vary, in no order. */
    listSimilar: async (chainId: string, address: Hex, limit: number) =>
      sql.read(() => listSimilar.all(toBytes(address), chainId, limit)),
    /** Those that show one of these compilations, in their order. */
    listOfCompilations: sql.reading(function* (compilationIds: readonly bigint[], limit: number) {
      const found: NamedMatch[] = [];
      for (const id of compilationIds) {
        const left = limit - found.length;
        if (left > 0) found.push(...(yield* listOfCompilation.all(id, left)));
      }
      return found;
    }),
    /** Ascending by chain number. */
    listMatchesOfAddress: async (address: Hex) => sql.read(() => listOfAddress.all(toBytes(address))),
    listMatchesOfChain: sql.reading(function* (
      chainId: string,
      { sort, limit, afterMatchId }: ContractListWindow,
    ) {
      const bound = afterMatchId ?? (sort === 'asc' ? 0n : MAX_INT64);
      return yield* listOfChain[sort].all(chainId, bound > MAX_INT64 ? MAX_INT64 : bound, limit);
    }),
  };
}
