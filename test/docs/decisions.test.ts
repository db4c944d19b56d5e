import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '../support/test-files.ts';
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
  const texts = projectFiles()
    .filter((path) => path !== 'test/docs/decisions.test.ts')
    .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') }));
  const matches = (pattern: RegExp) =>
    texts.flatMap(({ path, text }) =>
      [...text.matchAll(pattern)].map(([found, ...groups]) => ({ place: `${path}: ${found}`, groups })),
    );

  test('name files that exist', () => {
    const references = matches(/\badr\/([\w.-]*)/g);
    expect(references.length).toBeGreaterThan(100);
    const unknown = references.filter(({ groups: [name = ''] }) => !known.has(name.replace(/\.$/, '')));
    expect(unknown.map(({ place }) => place)).toEqual([]);
  });

  test('are never a number without its file', () => {
    expect(matches(/\bADR[ -]?[0-9]/g)).toEqual([]);
    const numbers = matches(/\[decision (\d+)\]\(([^)]+)\)/g);
    expect(numbers.length).toBeGreaterThan(20);
    const wrong = numbers.filter(
      ({ groups: [number = '', path = ''] }) => !path.includes(`adr/${number.padStart(4, '0')}-`),
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });
});
