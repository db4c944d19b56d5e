import { prepareSelect, type RowStatement } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import { bytes, int64, json, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { Compilation } from '../compile/compiler.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { CodeTraits } from '../match/code-traits.ts';
import type {
  AuxdataPositions,
  ImmutableReferences,
  Language,
  LinkReferences,
} from '../match/compiled-code.ts';
import type { StoredCompilation } from './candidate-repository.ts';

/** A stored compilation with its code and its likeness. */
const COMPILATION = rowTable({
  id: int64('compiled.id'),
  compiler: text<Compilation['compilerName']>('compiled.compiler'),
  version: text('compiled.version'),
  language: text<Language>('compiled.language'),
  name: text('compiled.name'),
  qualifiedName: text('compiled.fully_qualified_name'),
  settings: json<JsonObject>('compiled.compiler_settings'),
  artifacts: json<JsonObject>('compiled.compilation_artifacts'),
  creationArtifacts: json<JsonObject>('compiled.creation_code_artifacts'),
  runtimeArtifacts: json<JsonObject>('compiled.runtime_code_artifacts'),
  inputMembers: json<JsonObject>('compiled.input_members', {}),
  traits: json<CodeTraits | null>('compiled.code_traits'),
  metadata: text<string | null>('compiled.metadata'),
  creation: bytes<Uint8Array | null>('creation.code AS creation_code'),
  runtime: bytes<Uint8Array | null>('runtime.code AS runtime_code'),
  /** Of the deployed code. */
  length: number('likeness.length'),
});

/** Prepares to read compilations. */
export function prepareCompilations(sql: Sql, where: string): RowStatement<RecordOf<typeof COMPILATION>> {
  return prepareSelect(
    sql,
    COMPILATION,
    `FROM compiled_contract AS compiled
     JOIN code AS creation ON creation.code_hash = compiled.creation_code_hash
     JOIN code AS runtime ON runtime.code_hash = compiled.runtime_code_hash
     JOIN compilation_likeness AS likeness ON likeness.compilation_id = compiled.id ${where}`,
  );
}

/** What the comparison needs of it. */
export function toCompilation(
  row: RecordOf<typeof COMPILATION>,
  sources: Readonly<Record<string, { readonly content: string }>>,
): StoredCompilation {
  const { artifacts, language, name, qualifiedName, traits, version } = row;
  const tailBytes = row.length - (row.runtime?.length ?? 0);
  return {
    auxdata: { creation: positions(row.creationArtifacts), runtime: positions(row.runtimeArtifacts) },
    compilation: {
      compiler: { language, version },
      compilerName: row.compiler,
      target: { path: qualifiedName.slice(0, -(name.length + 1)), name },
      input: { ...row.inputMembers, language, sources, settings: row.settings },
      creation: storedObject(row.creation, row.creationArtifacts),
      runtime: {
        ...storedObject(row.runtime, row.runtimeArtifacts),
        // Those of Vyper are the tail.
        immutableReferences: (language === 'Vyper'
          ? null
          : (row.runtimeArtifacts['immutableReferences'] ?? null)) as ImmutableReferences | null,
      },
      ...(tailBytes > 0 ? { immutableTailBytes: tailBytes } : {}),
      ...(traits === null ? {} : { traits }),
      abi: artifacts['abi'] ?? null,
      userdoc: artifacts['userdoc'] ?? null,
      devdoc: artifacts['devdoc'] ?? null,
      storageLayout: artifacts['storageLayout'] ?? null,
      transientStorageLayout: artifacts['transientStorageLayout'] ?? null,
      metadata: row.metadata,
      sourceIds: (artifacts['sources'] ?? null) as Compilation['sourceIds'],
      // Positions are stored, so nothing is looked for in the assembly; the sources are stored already.
      assembly: [],
      sourceHashes: {},
    },
  };
}

function storedObject(code: Uint8Array | null, artifacts: JsonObject): Compilation['creation'] {
  return {
    object: code === null ? '' : bareHex(code),
    sourceMap: artifacts['sourceMap'] ?? null,
    linkReferences: (artifacts['linkReferences'] ?? null) as LinkReferences | null,
  };
}

function positions(artifacts: JsonObject): AuxdataPositions {
  const { cborAuxdata } = artifacts;
  return isJsonObject(cborAuxdata) ? (cborAuxdata as AuxdataPositions) : {};
}
