import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROOT } from './read-blocks.ts';

const FOLDER = `${ROOT}docs/adr/`;
const INDEX = 'README.md';
const MAX_WORDS = 350;
const SECTIONS = ['Context', 'Decision', 'Consequences', 'What would change it'];

const names = readdirSync(FOLDER)
  .filter((name) => name !== INDEX)
  .sort();
const records = names.map((name) => ({ name, text: readFileSync(FOLDER + name, 'utf8') }));

describe('the records in docs/adr', () => {
  test('are numbered from 1 without gaps', () => {
    expect(names.length).toBeGreaterThan(20);
    expect(names.map((name) => name.replace(/-[a-z0-9-]+\.md$/, ''))).toEqual(
      names.map((_, index) => String(index + 1).padStart(4, '0')),
    );
  });

  test('are all in the index, in order, under their titles', () => {
    const listed = [...readFileSync(FOLDER + INDEX, 'utf8').matchAll(/^- \[(.+)\]\((.+)\): \S/gm)];
    expect(listed.map(([, title, name]) => [name, title])).toEqual(
      records.map(({ name, text }) => [name, /^# (.+)/.exec(text)?.[1]]),
    );
  });

  test.each(records)('$name begins with its number, is short and has all sections', ({ name, text }) => {
    expect(text.startsWith(`# ${Number(name.slice(0, 4))}. `)).toBe(true);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(SECTIONS);
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS);
  });
});

describe('references to records', () => {
  const known = new Set(['', INDEX, ...names]);
  const mentions = (pattern: string): readonly string[] =>
    execFileSync('git', ['grep', '-nIE', pattern, '--', '.', ':!test/docs/decisions.test.ts'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
      .trim()
      .split('\n');

  test('name files that exist', () => {
    const lines = mentions('\\badr\\b');
    const references = lines.flatMap((line) =>
      [...line.matchAll(/\badr\/([\w.-]*)/g)].map(([, name = '']) => ({
        line,
        name: name.replace(/\.$/, ''),
      })),
    );
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  test('are never a number without its file', () => {
    expect(() => mentions('\\bADR[ -]?[0-9]')).toThrow(expect.objectContaining({ status: 1 }));
    const numbers = mentions('\\[decision [0-9]+\\]\\(').flatMap((line) => [
      ...line.matchAll(/\[decision (\d+)\]\(([^)]+)\)/g),
    ]);
    const wrong = numbers.filter(
      ([, number = '', path = '']) => !path.includes(`adr/${number.padStart(4, '0')}-`),
    );
    expect(wrong.map(([link]) => link)).toEqual([]);
  });
});
