// npm runs this as `prepare` at the end of `npm ci` in a checkout, not where the package is installed. npm leaves out
// an optional package that could not be built, such as the SQLite driver of Node 20, without a message.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
const isInstalled = ['better-sqlite3', 'better-sqlite3-legacy'].some((name) =>
  existsSync(join(packages, name)),
);
const isOmitted = process.env.npm_config_omit?.includes('optional') === true;
if (!isInstalled && !isOmitted) {
  console.error(
    `The SQLite driver could not be built, so npm left it out. ${remedy()} On Node 24 nothing needs to be built.`,
  );
  process.exitCode = 1;
}

function remedy() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isMissing = (program) => !folders.some((folder) => existsSync(join(folder, program)));
  const missing = ['python3', 'make', process.env.CXX ?? 'g++'].filter(isMissing);
  if (missing.length > 0)
    return `Not found: ${missing.join(', ')}. Install what is missing and run "npm ci" again.`;
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include/node/node.h'))
    ? `If npm could not download Node's headers, run "npm_config_nodedir=${prefix} npm ci" to use the installed ones.`
    : 'If npm could not download Node\'s headers, allow it to reach nodejs.org, or set npm_config_nodedir to a folder with these headers in include/node, and run "npm ci" again.';
}
