// `npm run openapi`: writes openapi/*.json, the generated pages of docs/ and the table of coverage in the README.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generatedDocuments } from './generated-documents.ts';

for (const [path, text] of await generatedDocuments()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
