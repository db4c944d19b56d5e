import type { Sql } from '../../storage/sql/sql.ts';
import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { JsonObject } from '../json-object.ts';
import type { CodeTraits } from '../match/code-traits.ts';
import type { MatchGrade } from '../match/compiled-code.ts';
import type { Transformation, TransformationValues } from '../match/transformations.ts';
import type { SignatureType } from '../signatures.ts';
import type {
  CompiledContract,
  ContractMatch,
  ContractRepository,
  NamedMatch,
  SourceFile,
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

interface NamedMatchRow extends MatchRow {
  readonly name: string;
  readonly language: string;
  readonly version: string;
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
  readonly code_traits: string | null;
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

const NAMED_COLUMNS = `${MATCH_COLUMNS}, compiled.name, compiled.language, compiled.version`;
const COMPILED_OF_MATCH = `JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
  JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id`;

/** Reads verified contracts. */
export function createContractRepository(sql: Sql): ContractRepository {
  const { orderedJoin } = sql.dialect;
  const findMatch = sql
    .prepare<unknown[], MatchRow>(
      `SELECT ${MATCH_COLUMNS} FROM verification_match AS match WHERE address = ? AND chain_id = ?`,
    )
    .safeIntegers(true);
  const findRuntimeHash = sql.prepare<unknown[], { readonly hash: Buffer }>(
    `SELECT contract.runtime_code_hash AS hash FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
     JOIN contract ON contract.id = deployment.contract_id
     WHERE match.address = ? AND match.chain_id = ?`,
  );
  const findContract = sql
    .prepare<unknown[], ContractRow>(
      `SELECT ${MATCH_COLUMNS}, compiled.metadata,
         deployment.transaction_hash, deployment.block_number, deployment.transaction_index, deployment.deployer,
         compiled.id AS compilation_id, compiled.language, compiled.compiler, compiled.version, compiled.name,
         compiled.fully_qualified_name, compiled.compiler_settings, compiled.compilation_artifacts,
         compiled.input_members, compiled.code_traits, compiled.creation_code_artifacts, compiled.runtime_code_artifacts,
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
  const sizeOfContract = sql
    .prepare<unknown[], number>(
      `SELECT coalesce(octet_length(compiled.metadata), 0) + octet_length(compiled.compilation_artifacts)
         + octet_length(compiled.creation_code_artifacts) + octet_length(compiled.runtime_code_artifacts)
         + coalesce((SELECT sum(octet_length(source.content)) FROM compiled_contract_source AS link
             JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = compiled.id), 0)
       FROM verification_match AS match
       JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
       JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
       WHERE match.address = ? AND match.chain_id = ?`,
    )
    .pluck();
  const findName = sql.prepare<unknown[], { readonly name: string }>(
    `SELECT compiled.name FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
     WHERE match.address = ? AND match.chain_id = ?`,
  );
  const findSources = sql.prepare<unknown[], { readonly path: string; readonly content: string }>(
    `SELECT link.path, source.content FROM compiled_contract_source AS link
     JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = ? ORDER BY link.path`,
  );
  const findSignatures = sql.prepare<
    unknown[],
    { readonly type: SignatureType; readonly signature: string; readonly hash: Buffer }
  >(
    `SELECT link.signature_type AS type, signature.signature, signature.signature_hash_32 AS hash
     FROM compiled_contract_signature AS link
     JOIN signature ON signature.signature_hash_32 = link.signature_hash_32
     WHERE link.compilation_id = ? ORDER BY signature.signature, link.signature_type`,
  );
  const sourcesOfMatch = `FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN compiled_contract_source AS link ON link.compilation_id = verified.compilation_id
     JOIN source ON source.source_hash = link.source_hash
     WHERE match.address = ? AND match.chain_id = ?`;
  const listSources = sql.prepare<unknown[], SourceFile>(
    `SELECT link.path, octet_length(source.content) AS bytes ${sourcesOfMatch} ORDER BY link.path`,
  );
  const findSource = sql
    .prepare<unknown[], string>(`SELECT source.content ${sourcesOfMatch} AND link.path = ?`)
    .pluck();
  const namedMatches = (where: string) =>
    sql
      .prepare<unknown[], NamedMatchRow>(
        `SELECT ${NAMED_COLUMNS} FROM verification_match AS match ${COMPILED_OF_MATCH} ${where}`,
      )
      .safeIntegers(true);
  const listRecent = namedMatches('WHERE match.match_id < ? ORDER BY match.match_id DESC LIMIT ?');
  const listRecentOfChain = namedMatches(
    'WHERE match.chain_id = ? AND match.match_id < ? ORDER BY match.match_id DESC LIMIT ?',
  );
  const listNamedOfAddress = namedMatches(
    'WHERE match.address = ? ORDER BY length(match.chain_id), match.chain_id',
  );
  // No order: thousands may be alike, and sorting them would hold up everybody.
  const listSimilar = sql
    .prepare<unknown[], NamedMatchRow>(
      `SELECT ${NAMED_COLUMNS} FROM verification_match AS own
       JOIN verified_contract AS own_verified ON own_verified.id = own.verified_contract_id
       JOIN compilation_likeness AS likeness ON likeness.compilation_id = own_verified.compilation_id
       ${orderedJoin} compilation_likeness AS alike ON alike.masked_hash = likeness.masked_hash
       ${orderedJoin} verified_contract AS verified ON verified.compilation_id = alike.compilation_id
       ${orderedJoin} verification_match AS match ON match.verified_contract_id = verified.id
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = alike.compilation_id
       WHERE own.address = ? AND own.chain_id = ? AND match.match_id <> own.match_id LIMIT ?`,
    )
    .safeIntegers(true);
  const listOfCompilation = sql
    .prepare<unknown[], NamedMatchRow>(
      `SELECT ${NAMED_COLUMNS} FROM verified_contract AS verified
       ${orderedJoin} verification_match AS match ON match.verified_contract_id = verified.id
       ${orderedJoin} compiled_contract AS compiled ON compiled.id = verified.compilation_id
       WHERE verified.compilation_id = ? LIMIT ?`,
    )
    .safeIntegers(true);
  const listOfAddress = sql
    .prepare<unknown[], MatchRow>(
      `SELECT ${MATCH_COLUMNS} FROM verification_match AS match WHERE address = ?
       ORDER BY length(chain_id), chain_id`,
    )
    .safeIntegers(true);
  const listOfChain = {
    asc: sql
      .prepare<unknown[], MatchRow>(
        `SELECT ${MATCH_COLUMNS} FROM verification_match AS match
         WHERE chain_id = ? AND match_id > ? ORDER BY match_id ASC LIMIT ?`,
      )
      .safeIntegers(true),
    desc: sql
      .prepare<unknown[], MatchRow>(
        `SELECT ${MATCH_COLUMNS} FROM verification_match AS match
         WHERE chain_id = ? AND match_id < ? ORDER BY match_id DESC LIMIT ?`,
      )
      .safeIntegers(true),
  };

  return {
    async findMatch(chainId, address) {
      return sql.read(function* () {
        const row = yield* findMatch.get(toBytes(address), chainId);
        return row === undefined ? null : toMatch(row);
      });
    },
    async findRuntimeHash(chainId, address) {
      return sql.read(function* () {
        return (yield* findRuntimeHash.get(toBytes(address), chainId))?.hash ?? null;
      });
    },
    async findName(chainId, address) {
      return sql.read(function* () {
        return (yield* findName.get(toBytes(address), chainId))?.name ?? null;
      });
    },
    async findContract(chainId, address) {
      return sql.read(function* () {
        const row = yield* findContract.get(toBytes(address), chainId);
        if (row === undefined) return null;
        const sources = (yield* findSources.all(row.compilation_id)).map(
          ({ path, content }): [string, { readonly content: string }] => [path, { content }],
        );
        const signatures = (yield* findSignatures.all(row.compilation_id)).map(
          ({ type, signature, hash }) => ({ type, signature, hash: bareHex(hash) }),
        );
        return { ...toCompiled(row), sources: Object.fromEntries(sources), signatures };
      });
    },
    async findCompiled(chainId, address) {
      return sql.read(function* () {
        const row = yield* findContract.get(toBytes(address), chainId);
        return row === undefined ? null : toCompiled(row);
      });
    },
    async sizeOfContract(chainId, address) {
      return sql.read(function* () {
        return (yield* sizeOfContract.get(toBytes(address), chainId)) ?? null;
      });
    },
    async listSources(chainId, address) {
      return sql.read(function* () {
        return yield* listSources.all(toBytes(address), chainId);
      });
    },
    async findSource(chainId, address, path) {
      return sql.read(function* () {
        return (yield* findSource.get(toBytes(address), chainId, path)) ?? null;
      });
    },
    async listRecent({ chainId, limit, beforeMatchId }) {
      return sql.read(function* () {
        // Numbers begin at 1 and never reach the bound.
        const before = beforeMatchId === null || beforeMatchId > MAX_INT64 ? MAX_INT64 : beforeMatchId;
        const rows =
          chainId === null
            ? yield* listRecent.all(before, limit)
            : yield* listRecentOfChain.all(chainId, before, limit);
        return rows.map(toNamedMatch);
      });
    },
    async listNamedOfAddress(address) {
      return sql.read(function* () {
        return (yield* listNamedOfAddress.all(toBytes(address))).map(toNamedMatch);
      });
    },
    async listSimilar(chainId, address, limit) {
      return sql.read(function* () {
        return (yield* listSimilar.all(toBytes(address), chainId, limit)).map(toNamedMatch);
      });
    },
    async listOfCompilations(compilationIds, limit) {
      return sql.read(function* () {
        const found: NamedMatch[] = [];
        for (const id of compilationIds) {
          const left = limit - found.length;
          if (left > 0) found.push(...(yield* listOfCompilation.all(id, left)).map(toNamedMatch));
        }
        return found;
      });
    },
    async listMatchesOfAddress(address) {
      return sql.read(function* () {
        return (yield* listOfAddress.all(toBytes(address))).map(toMatch);
      });
    },
    async listMatchesOfChain(chainId, { sort, limit, afterMatchId }) {
      return sql.read(function* () {
        const bound = afterMatchId ?? (sort === 'asc' ? 0n : MAX_INT64);
        return (yield* listOfChain[sort].all(chainId, bound > MAX_INT64 ? MAX_INT64 : bound, limit)).map(
          toMatch,
        );
      });
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

function toNamedMatch(row: NamedMatchRow): NamedMatch {
  return { ...toMatch(row), name: row.name, language: row.language, compilerVersion: row.version };
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
      isLibrary: row.code_traits !== null && readJson<CodeTraits>(row.code_traits).isLibrary,
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
