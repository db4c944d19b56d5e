import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenLinks, MARKDOWN_FILES } from './markdown-links.ts';
import { PAGES, ROOT } from './read-blocks.ts';

test.each(MARKDOWN_FILES)('%s has no broken links', (page) => {
  expect(brokenLinks(page)).toEqual([]);
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
