import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { JsonObject } from '../json-object.ts';
import type { MatchGrade } from '../match/compiled-code.ts';
import type { Transformation, TransformationValues } from '../match/transformations.ts';
import type { SignatureType } from '../signatures.ts';
import type {
  CompiledContract,
  ContractMatch,
  ContractRepository,
  StoredCode,
} from './contract-repository.ts';

interface MatchRow {
  readonly chain_id: string;
  readonly address: Buffer;
  readonly match_id: bigint;
  readonly creation_match: MatchGrade | null;
  readonly runtime_match: MatchGrade | null;
  readonly verified_at: bigint;
}

interface ContractRow extends MatchRow {
  readonly metadata: string | null;
  readonly compilation_id: bigint;
  readonly transaction_hash: Buffer;
  readonly block_number: bigint | null;
  readonly transaction_index: bigint | null;
  readonly deployer: Buffer | null;
  readonly language: string;
  readonly compiler: string;
  readonly version: string;
  readonly name: string;
  readonly fully_qualified_name: string;
  readonly compiler_settings: string;
  readonly compilation_artifacts: string;
  readonly input_members: string | null;
  readonly creation_code_artifacts: string;
  readonly runtime_code_artifacts: string;
  readonly creation_values: string | null;
  readonly creation_transformations: string | null;
  readonly runtime_values: string | null;
  readonly runtime_transformations: string | null;
  readonly onchain_creation: Buffer | null;
  readonly onchain_runtime: Buffer | null;
  readonly recompiled_creation: Buffer | null;
  readonly recompiled_runtime: Buffer | null;
}

const MATCH_COLUMNS =
  'match.chain_id, match.address, match.match_id, match.creation_match, match.runtime_match, match.verified_at';

/** Verified contracts in SQLite. */
export function createSqliteContractRepository(database: SqliteDatabase): ContractRepository {
  const findMatch = database
    .prepare<unknown[], MatchRow>(
      `SELECT ${MATCH_COLUMNS} FROM verification_match AS match WHERE address = ? AND chain_id = ?`,
    )
    .safeIntegers(true);
  const findRuntimeHash = database.prepare<unknown[], { readonly hash: Buffer }>(
    `SELECT contract.runtime_code_hash AS hash FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
     JOIN contract ON contract.id = deployment.contract_id
     WHERE match.address = ? AND match.chain_id = ?`,
  );
  const findContract = database
    .prepare<unknown[], ContractRow>(
      `SELECT ${MATCH_COLUMNS}, match.metadata,
         deployment.transaction_hash, deployment.block_number, deployment.transaction_index, deployment.deployer,
         compiled.id AS compilation_id, compiled.language, compiled.compiler, compiled.version, compiled.name,
         compiled.fully_qualified_name, compiled.compiler_settings, compiled.compilation_artifacts,
         compiled.input_members, compiled.creation_code_artifacts, compiled.runtime_code_artifacts,
         verified.creation_values, verified.creation_transformations,
         verified.runtime_values, verified.runtime_transformations,
         onchain_creation.code AS onchain_creation, onchain_runtime.code AS onchain_runtime,
         recompiled_creation.code AS recompiled_creation, recompiled_runtime.code AS recompiled_runtime
       FROM verification_match AS match
       JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
       JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
       JOIN contract ON contract.id = deployment.contract_id
       JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
       JOIN code AS onchain_creation ON onchain_creation.code_hash = contract.creation_code_hash
       JOIN code AS onchain_runtime ON onchain_runtime.code_hash = contract.runtime_code_hash
       JOIN code AS recompiled_creation ON recompiled_creation.code_hash = compiled.creation_code_hash
       JOIN code AS recompiled_runtime ON recompiled_runtime.code_hash = compiled.runtime_code_hash
       WHERE match.address = ? AND match.chain_id = ?`,
    )
    .safeIntegers(true);
  const sizeOfContract = database
    .prepare<unknown[], number>(
      `SELECT coalesce(octet_length(match.metadata), 0) + octet_length(compiled.compilation_artifacts)
         + octet_length(compiled.creation_code_artifacts) + octet_length(compiled.runtime_code_artifacts)
         + coalesce((SELECT sum(octet_length(source.content)) FROM compiled_contract_source AS link
             JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = compiled.id), 0)
       FROM verification_match AS match
       JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
       JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
       WHERE match.address = ? AND match.chain_id = ?`,
    )
    .pluck();
  const findName = database.prepare<unknown[], { readonly name: string }>(
    `SELECT compiled.name FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
     WHERE match.address = ? AND match.chain_id = ?`,
  );
  const findSources = database.prepare<unknown[], { readonly path: string; readonly content: string }>(
    `SELECT link.path, source.content FROM compiled_contract_source AS link
     JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = ? ORDER BY link.path`,
  );
  const findSignatures = database.prepare<
    unknown[],
    { readonly type: SignatureType; readonly signature: string; readonly hash: Buffer }
  >(
    `SELECT link.signature_type AS type, signature.signature, signature.signature_hash_32 AS hash
     FROM compiled_contract_signature AS link
     JOIN signature ON signature.signature_hash_32 = link.signature_hash_32
     WHERE link.compilation_id = ? ORDER BY signature.signature`,
  );
  const listOfAddress = database
    .prepare<unknown[], MatchRow>(
      `SELECT ${MATCH_COLUMNS} FROM verification_match AS match WHERE address = ?
       ORDER BY length(chain_id), chain_id`,
    )
    .safeIntegers(true);
  const listOfChain = {
    asc: database
      .prepare<unknown[], MatchRow>(
        `SELECT ${MATCH_COLUMNS} FROM verification_match AS match
         WHERE chain_id = ? AND match_id > ? ORDER BY match_id ASC LIMIT ?`,
      )
      .safeIntegers(true),
    desc: database
      .prepare<unknown[], MatchRow>(
        `SELECT ${MATCH_COLUMNS} FROM verification_match AS match
         WHERE chain_id = ? AND match_id < ? ORDER BY match_id DESC LIMIT ?`,
      )
      .safeIntegers(true),
  };

  return {
    async findMatch(chainId, address) {
      const row = findMatch.get(toBytes(address), chainId);
      return row === undefined ? null : toMatch(row);
    },
    async findRuntimeHash(chainId, address) {
      return findRuntimeHash.get(toBytes(address), chainId)?.hash ?? null;
    },
    async findName(chainId, address) {
      return findName.get(toBytes(address), chainId)?.name ?? null;
    },
    async findContract(chainId, address) {
      const row = findContract.get(toBytes(address), chainId);
      if (row === undefined) return null;
      const sources = findSources
        .all(row.compilation_id)
        .map(({ path, content }): [string, { readonly content: string }] => [path, { content }]);
      const signatures = findSignatures
        .all(row.compilation_id)
        .map(({ type, signature, hash }) => ({ type, signature, hash: bareHex(hash) }));
      return { ...toCompiled(row), sources: Object.fromEntries(sources), signatures };
    },
    async findCompiled(chainId, address) {
      const row = findContract.get(toBytes(address), chainId);
      return row === undefined ? null : toCompiled(row);
    },
    async sizeOfContract(chainId, address) {
      return sizeOfContract.get(toBytes(address), chainId) ?? null;
    },
    async listMatchesOfAddress(address) {
      return listOfAddress.all(toBytes(address)).map(toMatch);
    },
    async listMatchesOfChain(chainId, { sort, limit, afterMatchId }) {
      const bound = afterMatchId ?? (sort === 'asc' ? 0n : MAX_INT64);
      return listOfChain[sort].all(chainId, bound > MAX_INT64 ? MAX_INT64 : bound, limit).map(toMatch);
    },
  };
}

function toMatch(row: MatchRow): ContractMatch {
  return {
    chainId: row.chain_id,
    address: toHex(row.address),
    matchId: row.match_id,
    creation: row.creation_match,
    runtime: row.runtime_match,
    verifiedAt: Number(row.verified_at),
  };
}

function toCompiled(row: ContractRow): CompiledContract {
  return {
    match: toMatch(row),
    creation: toCode(
      row.onchain_creation,
      row.recompiled_creation,
      row.creation_code_artifacts,
      row.creation_transformations,
      row.creation_values,
    ),
    runtime: toCode(
      row.onchain_runtime,
      row.recompiled_runtime,
      row.runtime_code_artifacts,
      row.runtime_transformations,
      row.runtime_values,
    ),
    deployment: {
      transactionHash: row.transaction_hash.length === 0 ? null : toHex(row.transaction_hash),
      blockNumber: row.block_number,
      transactionIndex: row.transaction_index,
      deployer: row.deployer === null ? null : toHex(row.deployer),
    },
    compilation: {
      language: row.language,
      compiler: row.compiler,
      compilerVersion: row.version,
      settings: readJson<JsonObject>(row.compiler_settings),
      name: row.name,
      fullyQualifiedName: row.fully_qualified_name,
    },
    artifacts: readJson<JsonObject>(row.compilation_artifacts),
    metadata: row.metadata,
    inputMembers: row.input_members === null ? {} : readJson<JsonObject>(row.input_members),
  };
}

function toCode(
  onchain: Buffer | null,
  recompiled: Buffer | null,
  artifacts: string,
  transformations: string | null,
  values: string | null,
): StoredCode {
  return {
    onchain,
    recompiled: recompiled ?? new Uint8Array(),
    artifacts: readJson<JsonObject>(artifacts),
    transformations: transformations === null ? null : readJson<readonly Transformation[]>(transformations),
    values: values === null ? null : readJson<TransformationValues>(values),
  };
}

/** The columns are written by this product only, so their form is known. */
function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

function toBytes(address: Hex): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}
