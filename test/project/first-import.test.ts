import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the executable makes the shapes of request headers before it loads anything else', () => {
  const main = readFileSync(fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'utf8');
  expect(/^import .*$/m.exec(main)?.[0]).toBe("import './http/header-shapes.ts';");
});
