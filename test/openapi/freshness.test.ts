import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { generatedDocuments } from '../../scripts/generated-documents.ts';

test('openapi/ and the configuration table of the README are as "npm run openapi" writes them', async () => {
  const documents = await generatedDocuments();
  expect(documents.size).toBe(5);
  for (const [path, text] of documents) {
    expect(existsSync(path), path).toBe(true);
    expect(readFileSync(path, 'utf8') === text, `${basename(path)} is stale: run "npm run openapi"`).toBe(
      true,
    );
  }
});
