import { createHash } from 'node:crypto';
import type { Sql } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';
import type { Compilation, CompiledObject } from '../../compile/compiler.ts';
import { isJsonObject } from '../../json-object.ts';
import type { FoundPositions } from '../../match/auxdata/auxdata-positions.ts';
import { vyperImmutableSize } from '../../match/auxdata/vyper-auxdata.ts';
import type { AuxdataPositions, ImmutableReferences } from '../../match/compiled-code.ts';
import { pickUsed } from '../../match/used-sources.ts';
import { readSignatures } from '../../signatures.ts';
import { prepareStoreLikeness } from '../../similarity/store-likeness.sql.ts';
import { storedSettings } from '../../standard-json.ts';
import { type CodeKeys, toBytes } from './store-code.sql.ts';
import { type CompiledFile, prepareStoreParts } from './store-compiled-parts.sql.ts';
import type { MatchedVerification } from './verification-result.ts';

const OTHER_SOURCES =
  'An earlier submission with other sources gave the same compiled code, and its sources are the ones that the contract shows: this code holds no hash that would tell them apart.';

/** The row of a compilation, which may come from another input that gave the same code. */
export interface StoredCompilation {
  readonly id: number;
  readonly immutableReferences: ImmutableReferences;
  /** Those that belong to the sources and settings which the contract shows; null when none are known. */
  readonly metadata: string | null;
  /** Null when the sources of this submission are those that the contract shows. */
  readonly warning: string | null;
}

interface KnownRow {
  readonly id: number;
  readonly references: string | null;
}

/** To be called inside a write transaction. */
export function prepareStoreCompilation(
  sql: Sql,
): (verification: MatchedVerification, codes: CodeKeys) => Work<StoredCompilation> {
  const find = sql.prepare<unknown[], KnownRow>(
    `SELECT id, ${sql.dialect.member('runtime_code_artifacts', 'immutableReferences')} AS "references"
     FROM compiled_contract WHERE compiler = ? AND version = ? AND language = ?
     AND creation_code_hash = ? AND runtime_code_hash = ?`,
  );
  const insert = sql.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO compiled_contract (compiler, version, language, creation_code_hash, runtime_code_hash, name,
       fully_qualified_name, compiler_settings, compilation_artifacts, creation_code_artifacts,
       runtime_code_artifacts, additional_input, input_members, code_traits)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (compiler, version, language, creation_code_hash, runtime_code_hash) DO NOTHING RETURNING id`,
  );
  const listSources = sql.prepare<unknown[], { readonly path: string; readonly hash: Buffer }>(
    'SELECT path, source_hash AS hash FROM compiled_contract_source WHERE compilation_id = ?',
  );
  const findMetadata = sql.prepare<unknown[], { readonly metadata: string }>(
    `SELECT match.metadata FROM verified_contract AS verified
     JOIN verification_match AS match ON match.verified_contract_id = verified.id
     WHERE verified.compilation_id = ? AND match.metadata IS NOT NULL LIMIT 1`,
  );
  const storeLikeness = prepareStoreLikeness(sql);
  const storeParts = prepareStoreParts(sql);
  const areStored = function* (id: number, sources: readonly CompiledFile[]): Work<boolean> {
    const stored = new Map((yield* listSources.all(id)).map(({ path, hash }) => [path, hash]));
    const isSame = sources.every(({ path, hash }) => stored.get(path)?.equals(hash) === true);
    return isSame && stored.size === sources.length;
  };

  function* shown(
    known: KnownRow,
    files: readonly CompiledFile[],
    own: string | null,
  ): Work<StoredCompilation> {
    const isShown = yield* areStored(known.id, files);
    const immutableReferences = JSON.parse(known.references ?? '{}');
    // Without a hash in the code those of this submission may tell of other sources, with their contents.
    const metadata = (yield* findMetadata.get(known.id))?.metadata ?? (isShown ? own : null);
    return { id: known.id, immutableReferences, metadata, warning: isShown ? null : OTHER_SOURCES };
  }

  return function* ({ compilation, recompiledRuntime, auxdata }, codes) {
    const { compiler, compilerName, target, input, traits } = compilation;
    const language = [compilerName, compiler.version, compiler.language];
    const identity = [...language, codes.recompiledCreation, codes.recompiledRuntime];
    const files = Object.entries(pickUsed(input.sources, compilation.metadata)).map(
      ([path, { content }]) => ({
        path,
        content,
        hash: createHash('sha256').update(content, 'utf8').digest(),
        keccak: toBytes(compilation.sourceHashes[path] ?? ''),
      }),
    );
    const known = yield* find.get(...identity);
    if (known !== undefined) return yield* shown(known, files, compilation.metadata);

    const { abi, userdoc, devdoc, storageLayout, transientStorageLayout, sourceIds } = compilation;
    const usedIds = sourceIds === null ? null : pickUsed(sourceIds, compilation.metadata);
    const artifacts = { abi, userdoc, devdoc, storageLayout, transientStorageLayout, sources: usedIds };
    const { language: _, sources: __, settings: ___, ...inputMembers } = input;
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
        immutableReferences: compilation.runtime.immutableReferences,
      }),
      isJsonObject(overrides) ? JSON.stringify({ storage_layout_overrides: overrides }) : null,
      Object.keys(inputMembers).length === 0 ? null : JSON.stringify(inputMembers),
      traits === undefined ? null : JSON.stringify(traits),
    );
    if (inserted === undefined) {
      // Another replica has stored it since the look.
      const other = yield* find.get(...identity);
      if (other === undefined) throw new Error('A compilation that is there cannot be read');
      return yield* shown(other, files, compilation.metadata);
    }
    const { id } = inserted;
    yield* storeParts(id, { files, signatures: readSignatures(abi, traits?.isLibrary) });
    yield* storeLikeness(id, {
      runtime: recompiledRuntime,
      linkReferences: compilation.runtime.linkReferences ?? {},
      immutableReferences: compilation.runtime.immutableReferences ?? {},
      auxdata: auxdata.runtime,
      hasCallProtection: traits?.hasCallProtection === true,
      immutableTailBytes: immutableTailOf(compilation, auxdata),
    });
    const { metadata, runtime } = compilation;
    return { id, immutableReferences: runtime.immutableReferences ?? {}, metadata, warning: null };
  };
}

function immutableTailOf(
  { compiler, immutableTailBytes }: Compilation,
  { creation }: FoundPositions,
): number {
  if (compiler.language !== 'Vyper') return 0;
  return immutableTailBytes ?? vyperImmutableSize(compiler.version, creation['1']) ?? 0;
}

function codeArtifacts({ sourceMap, linkReferences }: CompiledObject, cborAuxdata: AuxdataPositions): object {
  return { sourceMap, linkReferences, cborAuxdata };
}
