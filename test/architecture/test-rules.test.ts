import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testFiles, testSources } from '../support/test-files.ts';

/** Attacks and benchmarks measure time on purpose; their short forms assert none of it. */
const MEASURING = /^test\/(attack|bench)\//;

/** Who reads the clock for something else: a busy thread, the moment of a kill, a number that nobody else has. */
const CLOCK_READERS = [
  'src/http/answers/direct-answers.test.ts',
  'test/clients/forge-etherscan.test.ts',
  'test/e2e/follow-crash.test.ts',
  'test/e2e/import-crash.test.ts',
];

/** The backend's own: its room, the tests named after it, and the helpers that reach into a database. */
const OF_THE_BACKEND =
  /^(src|test\/kit)\/storage\/|\.(sqlite|postgres|sql)\.test\.ts$|^test\/support\/(sqlite-file|postgres|postgres-rows|query-plans)\.ts$/;
/** An import of the driver or of a file that knows a database, and SQL in a statement. */
const KNOWS_A_DATABASE =
  /from '(better-sqlite3|[^']*\/storage\/(?!database-health|write-state|a-folder)[^']*|pg|[^']*\.(sqlite|postgres|sql)\.ts)'|\bdatabase\b[^;]*?\.(prepare|exec|pragma|serialize)\b/s;

/** What opens the shared folder, what leaves suites out without it, and the programs that say so themselves. */
const SHARED_DATA = ['test/shared-data.ts', 'test/support/shared-suites.ts', 'test/conformance/main.ts'];

const tests = testFiles()
  .filter((path) => !path.endsWith('/test-rules.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const lines = (pattern: RegExp, isExempt: (path: string) => boolean = () => false) =>
  tests
    .filter(({ path }) => !isExempt(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );

describe('tests', () => {
  test('are found at all', () => {
    expect(tests.length).toBeGreaterThan(300);
  });

  test('assert nothing about the time of the clock on the wall, which a busy machine stretches', () => {
    const readers = lines(/performance\.now\(\)|Date\.now\(\) - [a-z]/, (path) => MEASURING.test(path));
    expect(new Set(readers.map((line) => line.split(':')[0]))).toEqual(new Set(CLOCK_READERS));
  });

  test('wait for a condition as long as the configuration says', () => {
    expect(lines(/\bvi\.waitFor|\bvi\.waitUntil|\.poll\(.*timeout:/)).toEqual([]);
  });

  test('draw at random from a seed that can be repeated: test/support/seed.ts and properties.ts', () => {
    expect(lines(/\bMath\.random\(|from 'fast-check'/)).toEqual([]);
  });

  test('open no database and write no SQL: stores come from openStore, look-ups go through interfaces', () => {
    const found = testSources()
      .filter((path) => !OF_THE_BACKEND.test(path) && !path.endsWith('/test-rules.test.ts'))
      .filter((path) => KNOWS_A_DATABASE.test(readFileSync(path, 'utf8')));
    expect(found).toEqual([]);
  });

  test('run without git, in a copy of the files: test/support/test-files.ts lists them', () => {
    const callers = testSources()
      .filter((path) => !path.endsWith('/test-rules.test.ts'))
      .filter((path) => /\b(?:exec|spawn)\w*\(\s*['"`]git\b/.test(readFileSync(path, 'utf8')));
    expect(callers).toEqual([]);
  });

  test('are all run, or print why not: test/support/left-out.ts', () => {
    expect(
      lines(/skipIf\((?!isLeftOut\()|\bskip\(\)|\b(test|describe)\.skip\(|\.(only|todo|runIf)\(/),
    ).toEqual([]);
  });

  test('reach the shared folder through test/shared-data.ts alone, in suites of test/support/shared-suites.ts', () => {
    const found = testSources()
      .filter((path) => !SHARED_DATA.includes(path) && !path.endsWith('/test-rules.test.ts'))
      .filter((path) =>
        /LEDGERLENS_SHARED|\.\.\/shared(?![-\w])|sharedDataMissing/.test(readFileSync(path, 'utf8')),
      );
    expect(found).toEqual([]);
  });

  test('await what is rejected or resolved', () => {
    expect(lines(/^\s*expect\(.*\)\.(rejects|resolves)\b/)).toEqual([]);
  });
});
