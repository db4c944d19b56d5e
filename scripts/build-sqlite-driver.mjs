// npm runs this as `prepare` at the end of `npm ci` in a checkout, not where the package is installed: it gets the
// SQLite driver of Node 20, fetched or compiled. npm itself would take half as long again, with all of SQLite compiled
// at the highest level, and would report no failure of an optional package.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What SQLite's authors compile it with, without what no statement of the server uses (text and tree indexes), and
 * without the warnings of its own build, which take a quarter of the time and are printed nowhere.
 */
const FLAGS = ['FTS3', 'FTS3_PARENTHESIS', 'FTS4', 'FTS5', 'RTREE', 'GEOPOLY'].reduce(
  (flags, module) => `${flags} -USQLITE_ENABLE_${module}`,
  '-O2 -Wno-all -Wno-extra',
);

const prefix = dirname(dirname(process.execPath));
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
const legacy = join(packages, 'better-sqlite3-legacy');
// It is installed where it is needed: the lock file says for which versions of Node.
const isInstalled = existsSync(legacy)
  ? opens(legacy) || ['-flto=auto', ''].some((parallel) => build(parallel) && opens(legacy))
  : opens(join(packages, 'better-sqlite3'));
const isOmitted = process.env.npm_config_omit?.includes('optional') === true;
if (!isInstalled && !isOmitted) {
  console.error(`The SQLite driver could not be built. ${remedy()} On Node 24 nothing needs to be built.`);
  process.exitCode = 1;
}

/** Whether it is there and fits this Node; an npm that does not know `allowScripts` has built it already. */
function opens(driver) {
  const script = "new (require(process.argv[1]))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', script, driver]).status === 0;
}

/** @param parallel has the one file of SQLite compiled by all processors while it is linked, where the tools can */
function build(parallel) {
  const { CFLAGS = '', LDFLAGS = '' } = process.env;
  const env = {
    ...process.env,
    CFLAGS: `${FLAGS} ${parallel} ${CFLAGS}`,
    LDFLAGS: `${parallel} ${LDFLAGS}`,
    JOBS: 'max',
  };
  // Headers installed with this Node need no download, which not every network allows.
  if (hasOwnHeaders()) env.npm_config_nodedir ??= prefix;
  const { error, status, stdout, stderr } = spawnSync('npm', ['run', 'install'], {
    cwd: legacy,
    env,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0 && !parallel) console.error(`${stdout}${stderr}${error?.message ?? ''}`);
  return status === 0;
}

/** Whether the headers of this very version are beside it. */
function hasOwnHeaders() {
  const header = join(prefix, 'include/node/node_version.h');
  if (!existsSync(header)) return false;
  const text = readFileSync(header, 'utf8');
  const number = (part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1];
  return ['MAJOR', 'MINOR', 'PATCH'].map(number).join('.') === process.versions.node;
}

function remedy() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isMissing = (program) => !folders.some((folder) => existsSync(join(folder, program)));
  const missing = ['python3', 'make', process.env.CXX ?? 'g++'].filter(isMissing);
  if (missing.length > 0)
    return `Not found: ${missing.join(', ')}. Install what is missing and run "npm ci" again.`;
  return 'If npm could not download Node\'s headers, allow it to reach nodejs.org, or set npm_config_nodedir to a folder with these headers in include/node, and run "npm ci" again.';
}
