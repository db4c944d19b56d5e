import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '../support/test-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const files = projectFiles();
const readmes = files.filter((name) =>
  /^(?:src|test)\/.*README\.md$|^(?:README|CONTRIBUTING)\.md$/.test(name),
);

/** Files that a text names in code marks; endings and patterns such as `…-view.ts` and `attempt-*.ts` are left out. */
function namedIn(readme: string): readonly string[] {
  const text = readFileSync(join(ROOT, readme), 'utf8');
  return [...text.matchAll(/`((?:\.\.\/|\w)[\w./-]*\.ts)`/g)].map(([, name = '']) => name);
}

/** A path is one from the root, from `src` or from the folder of the text, whose files may also be named alone. */
function isThere(name: string, readme: string): boolean {
  const folder = dirname(readme);
  const within = folder === '.' ? '' : `${folder}/`;
  return (
    [name, `src/${name}`, normalize(`${folder}/${name}`)].some((path) => files.includes(path)) ||
    files.some((file) => file.startsWith(within) && file.endsWith(`/${name}`))
  );
}

describe('texts for newcomers', () => {
  test('are found, with the files that they name', () => {
    expect(readmes.length).toBeGreaterThan(8);
    expect(readmes.flatMap(namedIn).length).toBeGreaterThan(100);
  });

  test.each(readmes)('%s names files that there are', (readme) => {
    expect(namedIn(readme).filter((name) => !isThere(name, readme))).toEqual([]);
  });
});
