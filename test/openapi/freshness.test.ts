import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { generatedDocuments } from '../../scripts/generated-documents.ts';

test('what is printed from code is as "npm run openapi" writes it', async () => {
  const documents = await generatedDocuments();
  expect(documents.size).toBe(11);
  for (const [path, text] of documents) {
    expect(existsSync(path), path).toBe(true);
    expect(readFileSync(path, 'utf8') === text, `${basename(path)} is stale: run "npm run openapi"`).toBe(
      true,
    );
  }
});
