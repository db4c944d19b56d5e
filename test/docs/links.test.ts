import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, ROOT } from './read-blocks.ts';

/** Anchors as GitHub makes them of headings. */
function anchorsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES)('%s has links to what is there', (page) => {
  const text = readFileSync(ROOT + page, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const broken = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
    ([, path = '', anchor]) => {
      const file = path === '' ? ROOT + page : join(ROOT, dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('every page of docs/ is reached from the README', () => {
  const readme = readFileSync(`${ROOT}README.md`, 'utf8');
  const linked = (text: string, folder: string) =>
    [...text.matchAll(/\]\(((?:docs\/)?[\w-]+\.md)/g)].map(([, path = '']) => join(folder, path));
  const first = linked(readme, '.');
  const reached = new Set(
    first.flatMap((page) => [page, ...linked(readFileSync(ROOT + page, 'utf8'), dirname(page))]),
  );
  const missed = PAGES.filter((page) => page.startsWith('docs/') && !reached.has(page));
  expect(missed).toEqual([]);
});
