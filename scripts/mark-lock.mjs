// `npm run lock`, second half. better-sqlite3 13 brings its binaries and says "gypfile": false, but npm builds from
// the lock file, which does not repeat that member, and would compile it: the lock entry gets it back here.
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
lock.packages['node_modules/better-sqlite3'].gypfile = false;
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
