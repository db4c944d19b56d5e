import { createHash } from 'node:crypto';
import { prepareInsertRows } from '../../../storage/insert-rows.sql.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import { toBytes } from '../../../values/hex.ts';
import type { Work } from '../../../values/work.ts';
import type { Compilation, CompiledObject } from '../../compile/compiler.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { AuxdataPositions } from '../../match/compiled-code.ts';
import { tailReferences } from '../../match/verify-bytecode.ts';
import { type AbiSignature, readSignatures } from '../../signatures.ts';
import { prepareStoreLikeness } from '../../similarity/store-likeness.sql.ts';
import { storedSettings } from '../../standard-json.ts';
import type { CodeKeys } from './store-code.sql.ts';
import type { MatchedVerification } from './verification-result.ts';

/** Stores a compilation unless it is there; gives its id. To be called inside a write transaction. */
export function prepareStoreCompilation(
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
