import { bareHex } from '../../values/hex.ts';
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

/** A stored compilation with its code and its likeness; integers are bigint. */
export interface CompilationRow {
  readonly id: bigint;
  readonly compiler: Compilation['compilerName'];
  readonly version: string;
  readonly language: Language;
  readonly name: string;
  readonly fully_qualified_name: string;
  readonly compiler_settings: string;
  readonly compilation_artifacts: string;
  readonly creation_code_artifacts: string;
  readonly runtime_code_artifacts: string;
  readonly input_members: string | null;
  readonly code_traits: string | null;
  readonly metadata: string | null;
  readonly creation_code: Buffer | null;
  readonly runtime_code: Buffer | null;
  /** Length of the deployed code. */
  readonly length: bigint;
}

/** What a statement that gives {@link CompilationRow}s selects from where. */
export const COMPILATION_COLUMNS = `compiled.id, compiled.compiler, compiled.version, compiled.language, compiled.name,
  compiled.fully_qualified_name, compiled.compiler_settings, compiled.compilation_artifacts,
  compiled.creation_code_artifacts, compiled.runtime_code_artifacts, compiled.input_members, compiled.code_traits,
  compiled.metadata, creation.code AS creation_code, runtime.code AS runtime_code, likeness.length
  FROM compiled_contract AS compiled
  JOIN code AS creation ON creation.code_hash = compiled.creation_code_hash
  JOIN code AS runtime ON runtime.code_hash = compiled.runtime_code_hash
  JOIN compilation_likeness AS likeness ON likeness.compilation_id = compiled.id`;

/** Reads a row. */
export function toCompilation(
  row: CompilationRow,
  sources: Readonly<Record<string, { readonly content: string }>>,
): StoredCompilation {
  const { name, fully_qualified_name: qualified, language, version } = row;
  const creation = readJson<JsonObject>(row.creation_code_artifacts);
  const runtime = readJson<JsonObject>(row.runtime_code_artifacts);
  const artifacts = readJson<JsonObject>(row.compilation_artifacts);
  const tailBytes = Number(row.length) - (row.runtime_code?.length ?? 0);
  return {
    auxdata: { creation: positions(creation), runtime: positions(runtime) },
    compilation: {
      compiler: { language, version },
      compilerName: row.compiler,
      target: { path: qualified.slice(0, -(name.length + 1)), name },
      input: {
        ...(row.input_members === null ? {} : readJson<JsonObject>(row.input_members)),
        language,
        sources,
        settings: readJson<JsonObject>(row.compiler_settings),
      },
      creation: storedObject(row.creation_code, creation),
      runtime: {
        ...storedObject(row.runtime_code, runtime),
        // Those of Vyper are the tail.
        immutableReferences: (language === 'Vyper'
          ? null
          : (runtime['immutableReferences'] ?? null)) as ImmutableReferences | null,
      },
      ...(tailBytes > 0 ? { immutableTailBytes: tailBytes } : {}),
      ...(row.code_traits === null ? {} : { traits: readJson<CodeTraits>(row.code_traits) }),
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

function storedObject(code: Buffer | null, artifacts: JsonObject): Compilation['creation'] {
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

/** The columns are written by this product only, so their form is known. */
export function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
