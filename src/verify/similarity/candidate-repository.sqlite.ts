import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { bareHex } from '../../values/hex.ts';
import type { Compilation } from '../compile/compiler.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type {
  AuxdataPositions,
  ImmutableReferences,
  Language,
  LinkReferences,
} from '../match/compiled-code.ts';
import { vyperImmutableSize } from '../match/vyper-auxdata.ts';
import type { CandidateRepository, StoredCompilation } from './candidate-repository.ts';
import { type CodePlace, likenessUnder, PREFIX_BYTES } from './runtime-shape.ts';
import { prepareStoreLikeness } from './store-likeness.sqlite.ts';

interface ShapeRow {
  readonly auxdata: string;
  readonly filled: string;
}

interface CandidateRow {
  readonly id: bigint;
}

interface CompilationRow {
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
  readonly creation_code: Buffer | null;
  readonly runtime_code: Buffer | null;
  /** Length of the deployed code; null when the row is not indexed yet. */
  readonly length: bigint | null;
}

/** Shapes of one length that are looked at; more would only be made to slow the search down. */
const MAX_SHAPES = 200;
/** Bytes that one search hashes, twice: the time of 200 shapes of the longest code that Ethereum allows. */
const MAX_HASHED = 200 * 24_576;

/** Compilations by their likeness in SQLite. */
export function createSqliteCandidateRepository(database: SqliteDatabase): CandidateRepository {
  const storeLikeness = prepareStoreLikeness(database);
  const listShapes = database.prepare<unknown[], ShapeRow>(
    'SELECT auxdata, filled FROM runtime_shape WHERE length = ? LIMIT ?',
  );
  const ids = (condition: string) =>
    database
      .prepare<unknown[], CandidateRow>(
        `SELECT compilation_id AS id FROM compilation_likeness WHERE ${condition} LIMIT ?`,
      )
      .safeIntegers(true);
  const byBoth = ids('masked_hash = ? AND linked_hash = ?');
  const byMasked = ids('masked_hash = ?');
  const byPrefixAndLength = ids('prefix = ? AND length = ?');
  const byPrefix = ids('prefix = ?');

  const columns = `compiled.id, compiled.compiler, compiled.version, compiled.language, compiled.name,
    compiled.fully_qualified_name, compiled.compiler_settings, compiled.compilation_artifacts,
    compiled.creation_code_artifacts, compiled.runtime_code_artifacts, compiled.input_members,
    creation.code AS creation_code, runtime.code AS runtime_code, likeness.length
    FROM compiled_contract AS compiled
    JOIN code AS creation ON creation.code_hash = compiled.creation_code_hash
    JOIN code AS runtime ON runtime.code_hash = compiled.runtime_code_hash
    LEFT JOIN compilation_likeness AS likeness ON likeness.compilation_id = compiled.id`;
  const findCompilation = database
    .prepare<unknown[], CompilationRow>(`SELECT ${columns} WHERE compiled.id = ?`)
    .safeIntegers(true);
  const listOld = database
    .prepare<unknown[], CompilationRow>(
      `SELECT ${columns} WHERE likeness.compilation_id IS NULL ORDER BY compiled.id LIMIT ?`,
    )
    .safeIntegers(true);
  const findSources = database
    .prepare<unknown[], { readonly path: string; readonly content: string }>(
      `SELECT link.path, source.content FROM compiled_contract_source AS link
       JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = ? ORDER BY link.path`,
    )
    .safeIntegers(true);
  const findMetadata = database
    .prepare<unknown[], { readonly metadata: string | null }>(
      `SELECT match.metadata FROM verified_contract AS verified
       JOIN verification_match AS match ON match.verified_contract_id = verified.id
       WHERE verified.compilation_id = ? LIMIT 1`,
    )
    .safeIntegers(true);

  return {
    async find(runtime, limit) {
      const shapes = Math.min(MAX_SHAPES, Math.ceil(MAX_HASHED / Math.max(1, runtime.length)));
      const likenesses = listShapes.all(runtime.length, shapes).map(({ auxdata, filled }) => {
        const places = { auxdata: readJson<CodePlace[]>(auxdata), filled: readJson<CodePlace[]>(filled) };
        return likenessUnder({ length: runtime.length, ...places }, runtime);
      });
      const prefix = Buffer.from(runtime.subarray(0, PREFIX_BYTES));
      const found = new Set<bigint>();
      const add = (rows: readonly CandidateRow[]) => {
        for (const { id } of rows) if (found.size < limit) found.add(id);
      };
      for (const { maskedHash, linkedHash } of likenesses) {
        add(byBoth.all(Buffer.from(maskedHash), Buffer.from(linkedHash), limit));
      }
      for (const { maskedHash } of likenesses) add(byMasked.all(Buffer.from(maskedHash), limit));
      add(byPrefixAndLength.all(prefix, runtime.length, limit));
      add(byPrefix.all(prefix, limit));
      return [...found];
    },
    async read(compilationId) {
      const row = findCompilation.get(compilationId);
      if (row === undefined) throw new Error(`Compilation ${compilationId} is not stored any more`);
      const sources = findSources.all(row.id).map(({ path, content }) => [path, { content }] as const);
      return toCompilation(row, Object.fromEntries(sources), findMetadata.get(row.id)?.metadata ?? null);
    },
    async indexOld(limit) {
      return inTransaction(database, () => {
        const rows = listOld.all(limit);
        for (const row of rows) {
          const { compilation, auxdata } = toCompilation(row, {}, null);
          const { linkReferences, immutableReferences } = compilation.runtime;
          storeLikeness(row.id, {
            runtime: row.runtime_code ?? new Uint8Array(),
            linkReferences: linkReferences ?? {},
            immutableReferences: immutableReferences ?? {},
            auxdata: auxdata.runtime,
            immutableTailBytes:
              row.language === 'Vyper' ? (vyperImmutableSize(row.version, auxdata.creation['1']) ?? 0) : 0,
          });
        }
        return rows.length;
      });
    },
  };
}

function toCompilation(
  row: CompilationRow,
  sources: Readonly<Record<string, { readonly content: string }>>,
  metadata: string | null,
): StoredCompilation {
  const { name, fully_qualified_name: qualified, language, version } = row;
  const creation = readJson<JsonObject>(row.creation_code_artifacts);
  const runtime = readJson<JsonObject>(row.runtime_code_artifacts);
  const artifacts = readJson<JsonObject>(row.compilation_artifacts);
  const tailBytes = row.length === null ? 0 : Number(row.length) - (row.runtime_code?.length ?? 0);
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
        immutableReferences: (runtime['immutableReferences'] ?? null) as ImmutableReferences | null,
      },
      ...(tailBytes > 0 ? { immutableTailBytes: tailBytes } : {}),
      abi: artifacts['abi'] ?? null,
      userdoc: artifacts['userdoc'] ?? null,
      devdoc: artifacts['devdoc'] ?? null,
      storageLayout: artifacts['storageLayout'] ?? null,
      transientStorageLayout: artifacts['transientStorageLayout'] ?? null,
      metadata,
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
function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
