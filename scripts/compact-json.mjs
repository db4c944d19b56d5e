// Rewrites JSON files without blanks and line ends. Usage: node scripts/compact-json.mjs FILE …
import { readFileSync, writeFileSync } from 'node:fs';

for (const path of process.argv.slice(2))
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
