import { describe, expect, test } from 'vitest';
import { sourceFiles, sourceText } from './sources.ts';

/** A repetition that must reach the end of a text and does not say where it begins. */
const TO_THE_END =
  /(?<=[(=,:[!&|?]\s?)\/(?![*/^])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*[+*]\)?(?:\\\.\w+)?\$\/[a-z]*/g;

/** On texts of the operator, of the system or of this source, which are short. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'values/row-table.ts': ['/\\w+$/'],
  'status/manage/manage-routes.ts': ['/:\\w+$/'],
  'verify/compile/cpu-time.ts': ['/\\d+$/'],
};

/** Each begins where its first character stands, and goes to the next one or to the end of the line. */
const ONCE: readonly string[] = [
  '/\\.(\\w+)$/',
  '/\\.[^.]*$/',
  '/-\\d+$/',
  '/#.*$/gm',
  '/(?<=^\\d+\\.\\d+\\.\\d+)-([0-9a-f]{8})\\/.*$/is',
];

const expressionsOf = (text: string) => [...text.matchAll(TO_THE_END)].map(([expression]) => expression);

describe('expressions', () => {
  test('that take the square of the length of a text are found', () => {
    expect(
      expressionsOf(
        [
          "text.replace(/=+$/, '')",
          'const a = /([^/\\\\]+)\\.vy$/.exec(path);',
          "part.replace(/[. ]+$/, '_')",
          'b = /^https?:\\/\\/[^\\s]+$/;',
          'const half = a / b + c; // a+$',
        ].join('\n'),
      ),
    ).toEqual(['/=+$/', '/([^/\\\\]+)\\.vy$/', '/[. ]+$/']);
  });

  test('of the product take no more than its length', () => {
    const found = sourceFiles
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) =>
        expressionsOf(sourceText(file))
          .filter((expression) => !ONCE.includes(expression) && !SHORT[file]?.includes(expression))
          .map((expression) => `${file} ${expression}`),
      );
    expect(found).toEqual([]);
  });
});
