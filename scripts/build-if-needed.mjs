// Builds before `npm start` when dist is missing or older than a source; the container ships dist and no sources.
// What only those need who install the package is left to `npm run build`: here its parts are in node_modules. So is
// the check of types, the longer half of the time.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  );

if (existsSync('src') && existsSync('node_modules/.bin/tsc')) {
  const isBuilt = existsSync('dist/main.js') && statSync('dist/main.js').mtimeMs >= newest('src');
  if (!isBuilt) {
    const { status } = spawnSync('npm', ['run', '--silent', 'build:server'], { stdio: 'inherit' });
    process.exit(status ?? 1);
  }
} else if (!existsSync('dist/main.js')) {
  console.error('dist/main.js is missing and there is nothing to build it with: run "npm ci" first.');
  process.exit(1);
}
