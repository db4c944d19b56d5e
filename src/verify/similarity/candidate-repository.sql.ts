import { prepareSelect, type RowStatement, type Sql } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import { bytes, int64, json, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { Compilation } from '../compile/compiler.ts';
import { prepareFiles } from '../compiled-files.sql.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { FoundPositions } from '../match/auxdata/auxdata-positions.ts';
import type {
  AuxdataPositions,
  CodeTraits,
  ImmutableReferences,
  Language,
  LinkReferences,
} from '../match/compiled-code.ts';
import { type CodePlace, likenessUnder, PREFIX_BYTES } from './runtime-shape.ts';

/** A stored compilation as the comparison needs it. */
interface StoredCompilation {
  readonly compilation: Compilation;
  readonly auxdata: FoundPositions;
}

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
function prepareCompilations(sql: Sql, where: string): RowStatement<RecordOf<typeof COMPILATION>> {
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
function toCompilation(
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
        // Those of a tail are told by its length.
        immutableReferences: (language === 'Vyper' || tailBytes > 0
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

/** Places of a shape, without its length. */
const PLACES = rowTable({ auxdata: json<CodePlace[]>('auxdata'), filled: json<CodePlace[]>('filled') });

/** Shapes of one length that are looked at; more would only be made to slow the search down. */
const MAX_SHAPES = 200;
/** Bytes that one search hashes, twice: the time of 200 shapes of the longest code that Ethereum allows. */
const MAX_HASHED = 200 * 24_576;
/** Of a SHA-256 in hex. */
const HASH_DIGITS = 64;

/**
 * Finds stored compilations by runtime code.
 *
 * @see contracts/verification-engine.md section 12
 */
export type CandidateRepository = ReturnType<typeof createCandidateRepository>;

export function createCandidateRepository(sql: Sql) {
  const { bytesOf, eachText, orderedJoin, textList } = sql.dialect;
  const listShapes = prepareSelect(sql, PLACES, `FROM runtime_shape WHERE length = ? LIMIT ?`);
  const ids = (from: string, condition: string) =>
    sql.prepareExactValue<unknown[], bigint>(
      `SELECT likeness.compilation_id FROM ${from} WHERE ${condition} LIMIT ?`,
    );
  // One statement for all shapes: each text is both hashes of the code under one of them.
  const masked = `likeness.masked_hash = ${bytesOf(`substr(shaped.value, 1, ${HASH_DIGITS})`)}`;
  const linked = `likeness.linked_hash = ${bytesOf(`substr(shaped.value, ${HASH_DIGITS + 1})`)}`;
  const ofShapes = (on: string) =>
    ids(`${eachText('shaped')} ${orderedJoin} compilation_likeness AS likeness ON ${on}`, 'is_yul = ?');
  const byBoth = ofShapes(`${masked} AND ${linked}`);
  const byMasked = ofShapes(masked);
  const byPrefixAndLength = ids(
    'compilation_likeness AS likeness',
    'prefix = ? AND is_yul = ? AND length = ?',
  );
  const byPrefix = ids('compilation_likeness AS likeness', 'prefix = ? AND is_yul = ?');

  const findCompilation = prepareCompilations(sql, 'WHERE compiled.id = ?');
  const filesOf = prepareFiles(sql);
  return {
    /**
     * Lists compilations that may give the code, the likeliest first: those whose code differs in nothing but
     * places that may vary, then those that begin alike and have the same length, then those that begin alike; after
     * all of them those of Yul, in the same order.
     */
    find: sql.reading(function* (runtime: Uint8Array, limit: number) {
      const shapes = Math.min(MAX_SHAPES, Math.ceil(MAX_HASHED / Math.max(1, runtime.length)));
      const hashes = (yield* listShapes.all(runtime.length, shapes)).map((places) => {
        const likeness = likenessUnder({ length: runtime.length, ...places }, runtime);
        return bareHex(likeness.maskedHash) + bareHex(likeness.linkedHash);
      });
      const likenesses = textList(hashes);
      const prefix = Buffer.from(runtime.subarray(0, PREFIX_BYTES));
      // Yul at last: copies of the code in it would push out everything else.
      const searches = [0, 1].flatMap((isYul) => [
        () => byBoth.all(likenesses, isYul, limit),
        () => byMasked.all(likenesses, isYul, limit),
        () => byPrefixAndLength.all(prefix, isYul, runtime.length, limit),
        () => byPrefix.all(prefix, isYul, limit),
      ]);
      const found = new Set<bigint>();
      for (const search of searches) {
        if (found.size === limit) break;
        for (const id of yield* search()) if (found.size < limit) found.add(id);
      }
      return [...found];
    }),
    read: sql.reading(function* (compilationId: bigint) {
      const row = yield* findCompilation.find(compilationId);
      if (row === null) throw new Error(`Compilation ${compilationId} is no longer stored`);
      return toCompilation(row, yield* filesOf(row.id));
    }),
  };
}
