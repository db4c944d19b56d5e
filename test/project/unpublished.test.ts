import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectFiles } from '../support/test-files.ts';

/** Neither the package nor the image is published: whoever fetched the name would run a stranger's program. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FETCHES: readonly RegExp[] = [
  // npx asks the registry for what is not installed.
  /\bnpx (?!--no-install )(?:--?\S+ )*ledgerlens\b/,
  /\bnpm (?:exec|x) (?!--no )(?:--?\S* )*ledgerlens\b/,
  /\b(?:npm (?:install|i|add)|yarn (?:global )?add|pnpm (?:add|dlx)) (?:[^\n`;&|]* )?ledgerlens(?:@[\w.^~-]+)?(?=[\s`;&|]|$)/,
  /"ledgerlens": *"(?!file:)/,
  // An engine asks for an image that it does not have, unless it is told otherwise.
  /\bdocker run (?![^\n]*--pull never )[^\n]*(?<=[ '"])ledgerlens(?::[\w.-]+)?(?=[\s`'"]|$)/,
  /\b(?:docker|podman|compose) pull [^\n]*(?<=[ '"])ledgerlens(?::[\w.-]+)?(?=[\s`'"]|$)/,
  /^ *(?:- )?image: *["']?(?:\$\{\w+:-)?ledgerlens\b(?![\s\S]*pull_policy: build)/m,
  /^FROM ledgerlens\b/m,
  /['"]ledgerlens:latest['"]/,
];
const files = projectFiles().filter((path) =>
  /\.md$|^(?:deploy|examples|src\/commands)\/|^Dockerfile$/.test(path),
);

const fetchedBy = (text: string) => FETCHES.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

test('no document or example fetches the name that is not published', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    fetchedBy(readFileSync(ROOT + file, 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

describe('such a line is found', () => {
  test.each([
    'npx ledgerlens serve',
    'npx --yes ledgerlens serve',
    'npm exec ledgerlens check',
    'npm install --global ledgerlens',
    'npm install --save-dev vitest ledgerlens@0.1.0',
    '  "ledgerlens": "0.1.0",',
    'docker run --read-only -p 8080:8080 ledgerlens',
    'docker pull ledgerlens:0.1.0',
    '    image: ledgerlens:0.1.0',
    `    image: $${'{LEDGERLENS_IMAGE:-ledgerlens}'}`,
    'FROM ledgerlens:0.1.0',
    "new GenericContainer('ledgerlens:latest')",
  ])('%s', (line) => {
    expect(fetchedBy(`${line}\n`)).not.toEqual([]);
  });

  test.each([
    'npx --no-install ledgerlens serve',
    'npm exec --no -- ledgerlens check',
    'npm install --global ./ledgerlens-0.1.0.tgz',
    '"ledgerlens": "file:../../ledgerlens-0.1.0.tgz"',
    'docker build --tag ledgerlens:0.1.0 .',
    'docker run --pull never --publish 8080:8080 ledgerlens:0.1.0',
    'image: registry.example.org/ledgerlens:0.1.0',
    'image: ledgerlens:0.1.0\npull_policy: build',
  ])('%s is none', (line) => {
    expect(fetchedBy(line)).toEqual([]);
  });
});
