import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a newcomer reads to understand one thing from its beginning to its end, and how much that may be. */
const WALKS = [
  { readme: 'src/mirror/README.md', title: 'From `limit` in the URL to SQL', most: 8 },
  { readme: 'src/mirror/ingest/README.md', title: 'From the bytes of a record file to rows', most: 25 },
  { readme: 'src/status/README.md', title: 'Read it: from an incident to the summary', most: 14 },
];

function filesOf({ readme, title }: (typeof WALKS)[number]): readonly string[] {
  const text = readFileSync(join(ROOT, readme), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  const names = [...section.matchAll(/`((?:\.\.\/|\w)[\w./-]*\.ts)`/g)].map(([, name = '']) => name);
  return [...new Set(names.map((name) => normalize(join(dirname(readme), name))))];
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, to = '']) => normalize(join(dirname(file), to)));
}

describe.each(WALKS)('the walk $title', (walk) => {
  const files = filesOf(walk);

  test('is short', () => {
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(walk.most);
  });

  test('has no file that none of the others imports or is imported by', () => {
    // The first one may know the next by its interface alone.
    const edges = files.flatMap((file) => importsOf(file).map((target) => [file, target]));
    const linked = new Set(edges.filter((edge) => edge.every((end) => files.includes(end ?? ''))).flat());
    expect(files.slice(1).filter((file) => !linked.has(file))).toEqual([]);
  });
});
