import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedPath } from '../shared-data.ts';
import { describeShared } from '../support/shared-suites.ts';
import { projectFiles } from '../support/test-files.ts';

/** `contracts/x.md section 1, 2.3 and 4, label`: document, numbers, label of the last number. */
const REFERENCE =
  /(?<document>[a-z-]+\.md)`? sections? (?<numbers>\d[\d.]*\d|\d)(?<more>(?:(?:,| and| to) \d+(?:\.\d+)*)*)(?:, (?!contracts\/|design\/|and )(?<label>[^@*,;.()`]+?))? ?(?=\*\/|[@*,;.()`]|$)/g;
/** Words of a label that say what kind of thing it is; the words after them are in the section. */
const KIND_OF_LABEL =
  /^(?:rows?|kind|code|table(?: of)?|costs outside the calculators|steps? \d.*|rules? \d.*|checks? \d.*)\s*/;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const files = projectFiles()
  .filter((name) => /^(?:src|test|scripts|docs)\/|\.md$/.test(name))
  .filter((name) => /\.(?:ts|md)$/.test(name) && !name.endsWith('specification-references.test.ts'));

interface Reference {
  readonly file: string;
  readonly document: string;
  readonly number: string;
  readonly label: string | null;
}

/** Line ends and the marks of comments do not separate a document from its section. */
function referencesIn(file: string): readonly Reference[] {
  const text = readFileSync(ROOT + file, 'utf8').replace(/\n\s*(?:\*(?!\/)|\/\/|--)? ?/g, ' ');
  return [...text.matchAll(REFERENCE)].flatMap(({ groups = {} }) => {
    const numbers = `${groups['numbers']}${groups['more']}`.match(/\d+(?:\.\d+)*/g) ?? [];
    return numbers.map((number) => ({
      file,
      document: groups['document'] ?? '',
      number,
      label: numbers.length === 1 ? (groups['label']?.trim() ?? null) : null,
    }));
  });
}

/** Text by section number; a section holds those below it. */
function sectionsOf(document: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  let open: readonly string[] = [];
  for (const line of readFileSync(document, 'utf8').split('\n')) {
    const number = /^#+ (\d+(?:\.\d+)*)\.? /.exec(line)?.[1];
    if (number !== undefined) {
      const parts = number.split('.');
      open = parts.map((_, index) => parts.slice(0, index + 1).join('.'));
    }
    for (const each of open) sections.set(each, `${sections.get(each) ?? ''}${line}\n`.toLowerCase());
  }
  return sections;
}

describeShared('references to the specifications', () => {
  const sections = new Map(
    ['contracts', 'design'].flatMap((folder) =>
      readdirSync(sharedPath(folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => [name, sectionsOf(sharedPath(folder, name))] as const),
    ),
  );
  const references = files.flatMap(referencesIn).filter(({ document }) => sections.has(document));

  test('are found in the sources at all', () => {
    expect(references.length).toBeGreaterThan(400);
    expect(references.filter(({ label }) => label !== null).length).toBeGreaterThan(60);
  });

  test('name sections that there are', () => {
    const wrong = references.filter(({ document, number }) => !sections.get(document)?.has(number));
    expect(wrong).toEqual([]);
  });

  test('name what stands in that section', () => {
    const wrong = references.filter(({ document, number, label }) => {
      const words = (label ?? '').toLowerCase().replace(KIND_OF_LABEL, '').replaceAll('"', '');
      return words.split(' and ').some((each) => !sections.get(document)?.get(number)?.includes(each));
    });
    expect(wrong).toEqual([]);
  });

  test('name documents that there are', () => {
    const wrong = files.flatMap((file) =>
      [...readFileSync(ROOT + file, 'utf8').matchAll(/\b(contracts|design)\/([\w-]+\.(?:md|txt))/g)]
        .filter(([, folder = '', name = '']) => !readdirSync(sharedPath(folder)).includes(name))
        .map(([named]) => `${file}: ${named}`),
    );
    expect(wrong).toEqual([]);
  });
});
