import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFiles } from '../support/test-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('docs/metrics.md has every figure that the code names, also those that only some servers have', () => {
  const page = readFileSync(`${ROOT}docs/metrics.md`, 'utf8');
  const named = projectFiles('src')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(ROOT + file, 'utf8').matchAll(/name: '(ledgerlens_\w+)'/g)])
    .map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
