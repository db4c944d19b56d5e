import { createHash } from 'node:crypto';
import { prepareInsertRows } from '../../../storage/insert-rows.sql.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import { type Hex, toBytes } from '../../../values/hex.ts';
import type { Work } from '../../../values/work.ts';
import type { Compilation, CompiledObject } from '../../compile/compiler.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { type RankedGrades, takesPlaceOf } from '../../match/better-match.ts';
import type { AuxdataPositions, Language, MatchGrade } from '../../match/compiled-code.ts';
import type { SideMatch } from '../../match/match-runtime.ts';
import { tailReferences } from '../../match/verify-bytecode.ts';
import { type AbiSignature, readSignatures } from '../../signatures.ts';
import { prepareStoreLikeness } from '../../similarity/store-likeness.sql.ts';
import { storedSettings } from '../../standard-json.ts';
import { type CodeKeys, prepareStoreCodes, sha256 } from './store-code.sql.ts';
import type { MatchedVerification } from './verification-result.ts';

interface MatchRow {
  readonly match_id: bigint;
  readonly creation_match: MatchGrade | null;
  readonly runtime_match: MatchGrade | null;
  readonly verified_at: bigint;
  readonly language: Language;
  readonly creation_code_hash: Buffer;
  readonly runtime_code_hash: Buffer;
}

/**
 * Writes a verification in the form of the Verifier Alliance. To be called inside a write transaction. Gives the row that
 * the API shows; null when the stored one is as good or better.
 *
 * @see contracts/verification-engine.md section 8.1 and contracts/verification-api.md section 9
 */
export function prepareStoreVerification(
  sql: Sql,
): (
  chainId: string,
  address: Hex,
  verification: MatchedVerification,
  now: number,
) => Work<{ readonly matchId: bigint; readonly verifiedAt: number } | null> {
  const storeCodes = prepareStoreCodes(sql);
  const storeCompilation = prepareStoreCompilation(sql);
  const storeDeployment = prepareStoreDeployment(sql);
  // Who reads on from the greatest number must not miss a smaller one that is committed later.
  const takeNumber = sql.prepare(sql.dialect.inTurn('verification_match'));
  const findMatch = sql.prepareExact<unknown[], MatchRow>(
    `SELECT match.match_id, match.creation_match, match.runtime_match, match.verified_at,
       contract.creation_code_hash, contract.runtime_code_hash, compiled.language
     FROM verification_match AS match
     JOIN verified_contract AS verified ON verified.id = match.verified_contract_id
     JOIN contract_deployment AS deployment ON deployment.id = verified.deployment_id
     JOIN contract ON contract.id = deployment.contract_id
     JOIN compiled_contract AS compiled ON compiled.id = verified.compilation_id
     WHERE match.address = ? AND match.chain_id = ?`,
  );
  const upsertVerified = sql.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO verified_contract (deployment_id, compilation_id,
         creation_match, creation_values, creation_transformations, creation_metadata_match,
         runtime_match, runtime_values, runtime_transformations, runtime_metadata_match)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (deployment_id, compilation_id) DO UPDATE SET
         creation_match = excluded.creation_match, creation_values = excluded.creation_values,
         creation_transformations = excluded.creation_transformations,
         creation_metadata_match = excluded.creation_metadata_match,
         runtime_match = excluded.runtime_match, runtime_values = excluded.runtime_values,
         runtime_transformations = excluded.runtime_transformations,
         runtime_metadata_match = excluded.runtime_metadata_match
       RETURNING id`,
  );
  const insertMatch = sql.prepareExact<unknown[], { readonly match_id: bigint }>(
    `INSERT INTO verification_match
       (chain_id, address, verified_contract_id, creation_match, runtime_match, verified_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING match_id`,
  );
  const updateMatch = sql.prepare(
    `UPDATE verification_match
     SET verified_contract_id = ?, creation_match = ?, runtime_match = ?, verified_at = ?
     WHERE match_id = ?`,
  );

  return function* (chainId, address, verification, now) {
    const { creation, runtime } = verification.matches;
    const grades: RankedGrades = {
      creation: creation?.grade ?? null,
      runtime: runtime?.grade ?? null,
      language: verification.compilation.compiler.language,
    };
    const addressBytes = toBytes(address);
    const stored = yield* findMatch.get(addressBytes, chainId);
    const standing = stored === undefined ? null : standingGrades(stored, verification);
    if (standing !== null && !takesPlaceOf(grades, standing)) return null;
    const codes = yield* storeCodes({
      recompiledCreation: verification.recompiledCreation,
      recompiledRuntime: verification.recompiledRuntime,
      creation: verification.creation?.creationCode ?? null,
      runtime: verification.onchainRuntime,
    });
    const compilationId = yield* storeCompilation(verification, codes);
    const deploymentId = yield* storeDeployment(chainId, addressBytes, verification, codes);
    const verified = yield* upsertVerified.get(
      deploymentId,
      compilationId,
      ...sideColumns(creation),
      ...sideColumns(runtime),
    );
    if (stored !== undefined) {
      const verifiedAt = standing === null ? now : Number(stored.verified_at);
      const shown = [grades.creation, grades.runtime, verifiedAt];
      yield* updateMatch.run(verified?.id, ...shown, stored.match_id);
      return { matchId: stored.match_id, verifiedAt };
    }
    yield* takeNumber.get();
    const inserted = yield* insertMatch.get(
      chainId,
      addressBytes,
      verified?.id,
      grades.creation,
      grades.runtime,
      now,
    );
    return inserted === undefined ? null : { matchId: inserted.match_id, verifiedAt: now };
  };
}

/**
 * What is stored, as far as it still counts: nothing when the contract was destroyed and made anew, and no creation
 * when that was another one.
 */
function standingGrades(
  row: MatchRow,
  { onchainRuntime, creation }: MatchedVerification,
): RankedGrades | null {
  if (!row.runtime_code_hash.equals(sha256(onchainRuntime))) return null;
  const isOtherCreation =
    creation !== null &&
    row.creation_code_hash.length > 0 &&
    !row.creation_code_hash.equals(sha256(creation.creationCode));
  return {
    creation: isOtherCreation ? null : row.creation_match,
    runtime: row.runtime_match,
    language: row.language,
  };
}

function prepareStoreDeployment(
  sql: Sql,
): (
  chainId: string,
  address: Buffer,
  verification: MatchedVerification,
  codes: CodeKeys,
) => Work<number | undefined> {
  const findContract = sql.prepareValue<unknown[], number>(
    'SELECT id FROM contract WHERE creation_code_hash = ? AND runtime_code_hash = ?',
  );
  const insertContract = sql.prepare(
    `INSERT INTO contract (creation_code_hash, runtime_code_hash) VALUES (?, ?)
     ON CONFLICT (creation_code_hash, runtime_code_hash) DO NOTHING`,
  );
  const upsertDeployment = sql.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO contract_deployment
       (chain_id, address, transaction_hash, block_number, transaction_index, deployer, contract_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain_id, address, transaction_hash, contract_id)
     DO UPDATE SET block_number = excluded.block_number RETURNING id`,
  );

  /** The row of many clones is not written, which would hold their replicas up. */
  function* contractId({ creation, runtime }: CodeKeys): Work<number | undefined> {
    const known = yield* findContract.get(creation, runtime);
    if (known !== undefined) return known;
    yield* insertContract.run(creation, runtime);
    return yield* findContract.get(creation, runtime);
  }

  return function* (chainId, address, { creation }, codes) {
    const contract = yield* contractId(codes);
    const deployment = yield* upsertDeployment.get(
      chainId,
      address,
      toBytes(creation?.transactionHash ?? ''),
      creation?.blockNumber ?? null,
      creation?.transactionIndex ?? null,
      creation?.deployer == null ? null : toBytes(creation.deployer),
      contract,
    );
    return deployment?.id;
  };
}

function sideColumns(side: SideMatch | null): readonly [number, ...(string | number | null)[]] {
  if (side === null) return [0, null, null, null];
  const isExact = side.grade === 'exact_match';
  return [1, JSON.stringify(side.values), JSON.stringify(side.transformations), isExact ? 1 : 0];
}

/** Stores a compilation unless it is there; gives its id. To be called inside a write transaction. */
function prepareStoreCompilation(
  sql: Sql,
): (verification: MatchedVerification, codes: CodeKeys) => Work<number> {
  const find = sql.prepareValue<unknown[], number>(
    `SELECT id FROM compiled_contract WHERE compiler = ? AND version = ? AND language = ?
     AND creation_code_hash = ? AND runtime_code_hash = ? AND input_hash = ?`,
  );
  const insert = sql.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO compiled_contract (compiler, version, language, creation_code_hash, runtime_code_hash, input_hash,
       name, fully_qualified_name, compiler_settings, compilation_artifacts, creation_code_artifacts,
       runtime_code_artifacts, additional_input, input_members, code_traits, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (compiler, version, language, creation_code_hash, runtime_code_hash, input_hash)
     DO NOTHING RETURNING id`,
  );
  const storeLikeness = prepareStoreLikeness(sql);
  const storeParts = prepareStoreParts(sql);

  return function* ({ compilation, recompiledRuntime, auxdata }, codes) {
    const { compiler, compilerName, target, input, traits } = compilation;
    const files = Object.entries(input.sources).map(([path, { content }]) => ({
      path,
      content,
      hash: createHash('sha256').update(content, 'utf8').digest(),
      keccak: toBytes(compilation.sourceHashes[path] ?? ''),
    }));
    const { language: _, sources: __, settings: ___, ...inputMembers } = input;
    const identity = [
      compilerName,
      compiler.version,
      compiler.language,
      codes.recompiledCreation,
      codes.recompiledRuntime,
      inputHash(compilation, files, inputMembers),
    ];
    const known = yield* find.get(...identity);
    if (known !== undefined) return known;

    const tail = tailReferences(compilation, recompiledRuntime.length, auxdata.creation);
    const { abi, userdoc, devdoc, storageLayout, transientStorageLayout, sourceIds } = compilation;
    const artifacts = { abi, userdoc, devdoc, storageLayout, transientStorageLayout, sources: sourceIds };
    const overrides = inputMembers['storage_layout_overrides'];
    const inserted = yield* insert.get(
      ...identity,
      target.name,
      `${target.path}:${target.name}`,
      JSON.stringify(storedSettings(input)),
      JSON.stringify(artifacts),
      JSON.stringify(codeArtifacts(compilation.creation, auxdata.creation)),
      JSON.stringify({
        ...codeArtifacts(compilation.runtime, auxdata.runtime),
        immutableReferences:
          compiler.language === 'Vyper' || '0' in tail ? tail : compilation.runtime.immutableReferences,
      }),
      isJsonObject(overrides) ? JSON.stringify({ storage_layout_overrides: overrides }) : null,
      Object.keys(inputMembers).length === 0 ? null : JSON.stringify(inputMembers),
      traits === undefined ? null : JSON.stringify(traits),
      compilation.metadata,
    );
    if (inserted === undefined) {
      // Another replica has stored it since the look.
      const other = yield* find.get(...identity);
      if (other === undefined) throw new Error('A stored compilation cannot be read');
      return other;
    }
    const { id } = inserted;
    yield* storeParts(id, { files, signatures: readSignatures(abi, traits?.isLibrary) });
    yield* storeLikeness(
      id,
      {
        runtime: recompiledRuntime,
        linkReferences: compilation.runtime.linkReferences ?? {},
        immutableReferences: compilation.runtime.immutableReferences ?? {},
        auxdata: auxdata.runtime,
        hasCallProtection: traits?.hasCallProtection === true,
        immutableTailBytes: tail['0']?.[0]?.length ?? 0,
      },
      compiler.language,
    );
    return id;
  };
}

/** Names what was submitted: the same for the same target, files and settings, in whatever order their members came. */
function inputHash(
  { input, metadata, target: { path, name } }: Compilation,
  files: readonly CompiledFile[],
  inputMembers: JsonObject,
): Buffer {
  const sources = Object.fromEntries(files.map((file) => [file.path, file.hash.toString('hex')]));
  const submitted = [path, name, storedSettings(input), inputMembers, sources, metadata];
  const text = JSON.stringify(submitted, (_, value) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  );
  return createHash('sha256').update(text).digest();
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : Number(left > right);
}

function codeArtifacts({ sourceMap, linkReferences }: CompiledObject, cborAuxdata: AuxdataPositions): object {
  return { sourceMap, linkReferences, cborAuxdata };
}

/** A file of a compilation; `hash` is its SHA-256, `keccak` that of the compiler. */
interface CompiledFile {
  readonly path: string;
  readonly content: string;
  readonly hash: Buffer;
  readonly keccak: Buffer;
}

/** Lists of a new compilation. */
interface CompiledParts {
  readonly files: readonly CompiledFile[];
  readonly signatures: readonly AbiSignature[];
}

/**
 * Stores what many compilations have in common, and links it. To be called inside a write transaction.
 *
 * Always in the order of the hashes: two replicas that store the same in different orders would wait for each other.
 */
function prepareStoreParts(sql: Sql): (compilationId: number, parts: CompiledParts) => Work<void> {
  const insertSource = sql.prepare(
    'INSERT INTO source (source_hash, source_hash_keccak, content) VALUES (?, ?, ?) ON CONFLICT (source_hash) DO NOTHING',
  );
  const linkSources = prepareInsertRows<readonly [number, string, Buffer]>(
    sql,
    'compiled_contract_source (compilation_id, path, source_hash)',
    3,
  );
  const insertSignatures = prepareInsertRows<readonly [Buffer, string]>(
    sql,
    'signature (signature_hash_32, signature)',
    2,
    'ON CONFLICT (signature_hash_32) DO NOTHING',
  );
  const linkSignatures = prepareInsertRows<readonly [number, string, Buffer]>(
    sql,
    'compiled_contract_signature (compilation_id, signature_type, signature_hash_32)',
    3,
  );
  return function* (id, { files, signatures }) {
    // One by one: a file may have megabytes.
    for (const { content, hash, keccak } of [...files].sort((left, right) => left.hash.compare(right.hash))) {
      yield* insertSource.run(hash, keccak, content);
    }
    yield* linkSources(files.map(({ hash, path }) => [id, path, hash]));
    const known = signatures
      .map(({ hash, signature, type }) => ({ hash: toBytes(hash), signature, type }))
      .sort((left, right) => left.hash.compare(right.hash));
    yield* insertSignatures(known.map(({ hash, signature }) => [hash, signature]));
    yield* linkSignatures(known.map(({ hash, type }) => [id, type, hash]));
  };
}
