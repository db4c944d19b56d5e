// Builds before `npm start` when dist is missing or older than a source; the container ships dist and no sources.
// What only those need who install the package is left to `npm run build`: here its parts are in node_modules. So is
// the check of types, the longer half of the time. With the argument `build` that is done as well, when it is needed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const changed = (path) => statSync(path).mtimeMs;
const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => changed(join(entry.parentPath ?? entry.path, entry.name))),
  );

const [script = 'build:server'] = process.argv.slice(2);
const isWhole = script === 'build';
/** Written last, so that a build that broke off is repeated. */
const written = isWhole ? ['dist/main.js', 'dist/index.d.ts'] : ['dist/main.js'];

if (existsSync('src') && existsSync('node_modules/.bin/tsx')) {
  const others = isWhole ? [newest('scripts'), changed('package.json'), changed('package-lock.json')] : [];
  const sources = Math.max(newest('src'), newest('tools'), ...others);
  const isBuilt = written.every((path) => existsSync(path) && changed(path) >= sources);
  if (!isBuilt) {
    const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
    process.exit(status ?? 1);
  }
} else if (!existsSync('dist/main.js')) {
  console.error('dist/main.js is missing and there is nothing to build it with: run "npm ci" first.');
  process.exit(1);
}
