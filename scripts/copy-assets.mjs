// tsc emits only code: copies the data files that the code reads at run time, and marks main.js as the newest file.
import { chmodSync, cpSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const ASSETS = /\.(json|mjs|sql|browser\.js)$/;

for (const entry of readdirSync('src', { withFileTypes: true, recursive: true })) {
  const folder = entry.parentPath ?? entry.path;
  if (!entry.isFile() || !ASSETS.test(entry.name) || folder.includes('testing')) continue;
  const source = join(folder, entry.name);
  cpSync(source, join('dist', source.slice('src/'.length)));
}
chmodSync('dist/main.js', 0o755);
utimesSync('dist/main.js', new Date(), new Date());
