// `npm run openapi`: writes openapi/*.json and the configuration table of the README.
import { writeFileSync } from 'node:fs';
import { generatedDocuments } from './generated-documents.ts';

for (const [path, text] of await generatedDocuments()) writeFileSync(path, text);
