import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Import, imports, sourceFiles, sourceText } from './sources.ts';

/** The layout and the direction of imports of design/architecture.md section 2. */
const AREAS = ['verify', 'status', 'mirror'];
const FRAMEWORK = /^(fastify|fastify-plugin|@fastify\/.+|better-sqlite3|better-sqlite3-legacy|pg|pino.*)$/;
/** Files that are an edge by their name: routes, error mappers, SQL, front doors. */
const EDGE_FILE =
  /(^|\/)(routes|.*-routes|errors|.*-errors|error-mapper|index)\.ts$|\.(sqlite|postgres)\.ts$/;

function top(path: string): string {
  return path.split('/')[0] ?? '';
}

const violations = (rule: (each: Import) => boolean) =>
  imports.filter(rule).map(({ file, target }) => `${file} -> ${target}`);

describe('imports', () => {
  test('are found in the sources at all', () => {
    expect(sourceFiles.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(sourceFiles.length);
  });

  test('never leave the sources, but for two commands that let a made-up network write', () => {
    expect(violations(({ target }) => target.startsWith('..'))).toEqual([
      'commands/demo.ts -> ../tools/network/index.ts',
      'commands/generate.ts -> ../tools/network/index.ts',
    ]);
  });

  test('of the made-up network lead to the ledger that it writes alone', () => {
    const folder = fileURLToPath(new URL('../../tools/network/', import.meta.url));
    const own = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const outside = own.flatMap((name) =>
      [...readFileSync(folder + name, 'utf8').matchAll(/ from '(\.\.[^']+)'/g)].map(([, path = '']) => path),
    );
    expect(outside.length).toBeGreaterThan(20);
    expect(outside.filter((path) => !/^\.\.\/\.\.\/src\/(mirror|values)\//.test(path))).toEqual([]);
  });

  test('never go from one area to another', () => {
    expect(
      violations(
        ({ file, target }) =>
          AREAS.includes(top(file)) && AREAS.includes(top(target)) && top(file) !== top(target),
      ),
    ).toEqual([]);
  });

  test('never go from an area, the edge, storage or values up to commands, app or configuration', () => {
    const lower = [...AREAS, 'http', 'storage', 'values'];
    const upper = /^(commands\/|app\.ts|config(-\w+)?\.ts|given-variables\.ts|services\.ts|main\.ts)/;
    expect(violations(({ file, target }) => lower.includes(top(file)) && upper.test(target))).toEqual([]);
  });

  test('values import nothing but values, a hash and how many listeners a signal may have', () => {
    expect(
      violations(
        ({ file, target }) =>
          top(file) === 'values' && !['values', 'hash-wasm', 'node:events'].includes(top(target)),
      ),
    ).toEqual([]);
  });

  test('storage imports no area and no edge', () => {
    expect(
      violations(({ file, target }) => top(file) === 'storage' && [...AREAS, 'http'].includes(top(target))),
    ).toEqual([]);
  });

  test('domain code of the areas imports no framework and no driver', () => {
    expect(
      violations(
        ({ file, target, isTypeOnly }) =>
          AREAS.includes(top(file)) && !EDGE_FILE.test(file) && FRAMEWORK.test(target) && !isTypeOnly,
      ),
    ).toEqual([]);
  });

  const isDriver = (target: string) => /^(better-sqlite3|pg($|-))/.test(target);
  const isEngine = (path: string) => /\.(sqlite|postgres)\.ts$/.test(path);
  const isSql = (path: string) => path.endsWith('.sql.ts');
  const isOwn = (file: string) => top(file) === 'storage' || isEngine(file);

  test('outside storage and the files named after it nothing knows a database', () => {
    // What others may see of storage: interfaces, and the types of what statements for every database give.
    const interfaces = ['storage/database-health.ts', 'storage/write-state.ts'];
    const isDatabase = ({ isTypeOnly, target }: Import) =>
      isDriver(target) ||
      isEngine(target) ||
      (isSql(target) && !isTypeOnly) ||
      (top(target) === 'storage' && !interfaces.includes(target));
    expect(violations((each) => !isOwn(each.file) && !isSql(each.file) && isDatabase(each))).toEqual([
      // The one choice of a backend.
      'store/open-store.ts -> store/store.sqlite.ts',
      'store/open-store.ts -> store/store.postgres.ts',
    ]);
  });

  test('statements for every database know none of them', () => {
    const forAll =
      /^storage\/(sql\/sql|writer\/writer|with-storage-errors|database-health|write-state|[^/]+\.sql)\.ts$/;
    expect(
      violations(
        ({ file, target }) =>
          isSql(file) &&
          (isDriver(target) || isEngine(target) || (top(target) === 'storage' && !forAll.test(target))),
      ),
    ).toEqual([]);
  });

  test('an area gets its store from outside', () => {
    const lower = [...AREAS, 'http', 'storage', 'values'];
    expect(violations(({ file, target }) => lower.includes(top(file)) && top(target) === 'store')).toEqual(
      [],
    );
  });

  test('the edge that all areas share knows no area', () => {
    expect(violations(({ file, target }) => top(file) === 'http' && AREAS.includes(top(target)))).toEqual([]);
  });

  test('the vocabulary of the ledger is pure: it imports values and the descriptor of messages alone', () => {
    expect(
      violations(
        ({ file, target }) =>
          file.startsWith('mirror/vocabulary/') && !/^(mirror\/(vocabulary|protobuf)|values)\//.test(target),
      ),
    ).toEqual([]);
  });

  test('time limits are made in one place, since Node 20 forgets those that are joined', () => {
    const makers = sourceFiles.filter((file) => sourceText(file).includes('AbortSignal.timeout('));
    expect(makers).toEqual(['values/time-limit.ts']);
  });

  test('a run of an import knows no format: units verify themselves', () => {
    const general = /^mirror\/ingest\/(run|units|report)\//;
    const formats =
      /^mirror\/ingest\/(record-unit|record-file|block|block-records|signature|sidecar|source|fixture)\//;
    expect(imports.filter(({ file }) => general.test(file)).length).toBeGreaterThan(20);
    expect(violations(({ file, target }) => general.test(file) && formats.test(target))).toEqual([]);
  });
});
