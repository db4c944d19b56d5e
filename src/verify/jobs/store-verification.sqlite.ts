import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { bareHex, type Hex } from '../../values/hex.ts';
import type { Compilation, CompiledObject } from '../compile/compiler.ts';
import { isJsonObject } from '../json-object.ts';
import type { FoundPositions } from '../match/auxdata-positions.ts';
import { type Grades, isBetterMatch } from '../match/better-match.ts';
import type { AuxdataPositions, ImmutableReferences, MatchGrade } from '../match/compiled-code.ts';
import { withImmutableIdsOf } from '../match/immutable-ids.ts';
import type { SideMatch } from '../match/match-runtime.ts';
import { vyperImmutableSize } from '../match/vyper-auxdata.ts';
import { readSignatures } from '../signatures.ts';
import { prepareStoreLikeness } from '../similarity/store-likeness.sqlite.ts';
import { storedSettings } from '../standard-json.ts';
import type { MatchedVerification } from './verification-result.ts';

/** The row that the API shows; null when the stored one is as good or better. */
export type StoredMatch = { readonly matchId: bigint; readonly verifiedAt: number } | null;

interface MatchRow {
  readonly match_id: bigint;
  readonly creation_match: MatchGrade | null;
  readonly runtime_match: MatchGrade | null;
  readonly verified_at: bigint;
}

/**
 * Writes a verification in the form of the Verifier Alliance. To be called inside a write transaction.
 *
 * @see contracts/verification-engine.md section 8.1 and contracts/verification-api.md section 9
 */
export function prepareStoreVerification(
  database: SqliteDatabase,
): (chainId: string, address: Hex, verification: MatchedVerification, now: number) => StoredMatch {
  const storeCode = prepareStoreCode(database);
  const storeCompilation = prepareStoreCompilation(database, storeCode);
  const storeDeployment = prepareStoreDeployment(database, storeCode);
  const findMatch = database
    .prepare<unknown[], MatchRow>(
      'SELECT match_id, creation_match, runtime_match, verified_at FROM verification_match WHERE address = ? AND chain_id = ?',
    )
    .safeIntegers(true);
  const upsertVerified = database.prepare<unknown[], { readonly id: number }>(
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
  const insertMatch = database
    .prepare<unknown[], { readonly match_id: bigint }>(
      `INSERT INTO verification_match
         (chain_id, address, verified_contract_id, creation_match, runtime_match, metadata, verified_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING match_id`,
    )
    .safeIntegers(true);
  const updateMatch = database.prepare(
    `UPDATE verification_match
     SET verified_contract_id = ?, creation_match = ?, runtime_match = ?, metadata = ? WHERE match_id = ?`,
  );

  return (chainId, address, verification, now) => {
    const { creation, runtime } = verification.matches;
    const grades: Grades = { creation: creation?.grade ?? null, runtime: runtime?.grade ?? null };
    const addressBytes = toBytes(address);
    const stored = findMatch.get(addressBytes, chainId);
    if (stored !== undefined) {
      const storedGrades = { creation: stored.creation_match, runtime: stored.runtime_match };
      if (!isBetterMatch(grades, storedGrades)) return null;
    }
    const compilation = storeCompilation(verification);
    const deploymentId = storeDeployment(chainId, addressBytes, verification);
    const verified = upsertVerified.get(
      deploymentId,
      compilation.id,
      ...sideColumns(creation),
      ...sideColumns(runtime === null ? null : withImmutableIdsOf(runtime, compilation.immutableReferences)),
    );
    const { metadata } = verification.compilation;
    if (stored !== undefined) {
      updateMatch.run(verified?.id, grades.creation, grades.runtime, metadata, stored.match_id);
      return { matchId: stored.match_id, verifiedAt: Number(stored.verified_at) };
    }
    const inserted = insertMatch.get(
      chainId,
      addressBytes,
      verified?.id,
      grades.creation,
      grades.runtime,
      metadata,
      now,
    );
    return inserted === undefined ? null : { matchId: inserted.match_id, verifiedAt: now };
  };
}

type StoreCode = (code: Uint8Array | null) => Buffer;

function prepareStoreCode(database: SqliteDatabase): StoreCode {
  const insert = database.prepare(
    'INSERT INTO code (code_hash, code_hash_keccak, code) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const isKnown = database.prepare('SELECT 1 FROM code WHERE code_hash = ?');
  return (code) => {
    if (code === null) {
      insert.run(Buffer.alloc(0), Buffer.alloc(0), null);
      return Buffer.alloc(0);
    }
    const hash = createHash('sha256').update(code).digest();
    // keccak256 in JavaScript takes milliseconds, and most codes of clones are known.
    if (isKnown.get(hash) === undefined) {
      insert.run(hash, Buffer.from(keccak_256(code)), Buffer.from(code));
    }
    return hash;
  };
}

/** The row of a compilation, which may come from another input that gave the same code. */
interface StoredCompilation {
  readonly id: number | bigint;
  readonly immutableReferences: ImmutableReferences;
}

function prepareStoreCompilation(
  database: SqliteDatabase,
  storeCode: StoreCode,
): (verification: MatchedVerification) => StoredCompilation {
  const find = database.prepare<unknown[], { readonly id: number; readonly references: string | null }>(
    `SELECT id, runtime_code_artifacts ->> '$.immutableReferences' AS "references"
     FROM compiled_contract WHERE compiler = ? AND version = ? AND language = ?
     AND creation_code_hash = ? AND runtime_code_hash = ?`,
  );
  const insert = database.prepare(
    `INSERT INTO compiled_contract (compiler, version, language, creation_code_hash, runtime_code_hash, name,
       fully_qualified_name, compiler_settings, compilation_artifacts, creation_code_artifacts,
       runtime_code_artifacts, additional_input, input_members)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertSource = database.prepare(
    'INSERT INTO source (source_hash, source_hash_keccak, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const linkSource = database.prepare(
    'INSERT INTO compiled_contract_source (compilation_id, path, source_hash) VALUES (?, ?, ?)',
  );
  const insertSignature = database.prepare(
    'INSERT INTO signature (signature_hash_32, signature) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const linkSignature = database.prepare(
    'INSERT INTO compiled_contract_signature (compilation_id, signature_type, signature_hash_32) VALUES (?, ?, ?)',
  );

  const storeLikeness = prepareStoreLikeness(database);

  return ({ compilation, recompiledCreation, recompiledRuntime, auxdata }) => {
    const { compiler, compilerName, target, input } = compilation;
    const identity = [
      compilerName,
      compiler.version,
      compiler.language,
      storeCode(recompiledCreation),
      storeCode(recompiledRuntime),
    ];
    const known = find.get(...identity);
    if (known !== undefined) {
      return { id: known.id, immutableReferences: JSON.parse(known.references ?? '{}') };
    }

    const { abi, userdoc, devdoc, storageLayout, transientStorageLayout, sourceIds } = compilation;
    const artifacts = { abi, userdoc, devdoc, storageLayout, transientStorageLayout, sources: sourceIds };
    const { language: _, sources, settings: __, ...inputMembers } = input;
    const overrides = inputMembers['storage_layout_overrides'];
    const { lastInsertRowid: id } = insert.run(
      ...identity,
      target.name,
      `${target.path}:${target.name}`,
      JSON.stringify(storedSettings(input)),
      JSON.stringify(artifacts),
      JSON.stringify(codeArtifacts(compilation.creation, auxdata.creation)),
      JSON.stringify({
        ...codeArtifacts(compilation.runtime, auxdata.runtime),
        immutableReferences: compilation.runtime.immutableReferences,
      }),
      isJsonObject(overrides) ? JSON.stringify({ storage_layout_overrides: overrides }) : null,
      Object.keys(inputMembers).length === 0 ? null : JSON.stringify(inputMembers),
    );
    for (const [path, { content }] of Object.entries(sources)) {
      const hash = createHash('sha256').update(content, 'utf8').digest();
      insertSource.run(hash, toBytes(compilation.sourceHashes[path] ?? ''), content);
      linkSource.run(id, path, hash);
    }
    storeLikeness(id, {
      runtime: recompiledRuntime,
      linkReferences: compilation.runtime.linkReferences ?? {},
      immutableReferences: compilation.runtime.immutableReferences ?? {},
      auxdata: auxdata.runtime,
      immutableTailBytes: immutableTailOf(compilation, auxdata),
    });
    for (const { type, signature, hash } of readSignatures(abi)) {
      insertSignature.run(toBytes(hash), signature);
      linkSignature.run(id, type, toBytes(hash));
    }
    return { id, immutableReferences: compilation.runtime.immutableReferences ?? {} };
  };
}

function immutableTailOf(
  { compiler, immutableTailBytes }: Compilation,
  { creation }: FoundPositions,
): number {
  if (compiler.language !== 'Vyper') return 0;
  return immutableTailBytes ?? vyperImmutableSize(compiler.version, creation['1']) ?? 0;
}

function prepareStoreDeployment(
  database: SqliteDatabase,
  storeCode: StoreCode,
): (chainId: string, address: Buffer, verification: MatchedVerification) => number | bigint | undefined {
  const upsertContract = database.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO contract (creation_code_hash, runtime_code_hash) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET runtime_code_hash = excluded.runtime_code_hash RETURNING id`,
  );
  const upsertDeployment = database.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO contract_deployment
       (chain_id, address, transaction_hash, block_number, transaction_index, deployer, contract_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET block_number = excluded.block_number RETURNING id`,
  );
  return (chainId, address, { creation, onchainRuntime }) => {
    const contract = upsertContract.get(storeCode(creation?.creationCode ?? null), storeCode(onchainRuntime));
    const deployment = upsertDeployment.get(
      chainId,
      address,
      toBytes(creation?.transactionHash ?? ''),
      creation?.blockNumber ?? null,
      creation?.transactionIndex ?? null,
      creation?.deployer == null ? null : toBytes(creation.deployer),
      contract?.id,
    );
    return deployment?.id;
  };
}

function codeArtifacts({ sourceMap, linkReferences }: CompiledObject, cborAuxdata: AuxdataPositions): object {
  return { sourceMap, linkReferences, cborAuxdata };
}

function sideColumns(side: SideMatch | null): readonly [number, ...(string | number | null)[]] {
  if (side === null) return [0, null, null, null];
  const isExact = side.grade === 'exact_match';
  return [1, JSON.stringify(side.values), JSON.stringify(side.transformations), isExact ? 1 : 0];
}

function toBytes(hex: string): Buffer {
  return Buffer.from(bareDigits(hex), 'hex');
}

function bareDigits(hex: string): string {
  return hex.startsWith('0x') ? hex.slice(2) : hex;
}

/** Prints stored bytes; null stays null. */
export function bytesToHex(bytes: Uint8Array | null): Hex | null {
  return bytes === null ? null : `0x${bareHex(bytes)}`;
}
