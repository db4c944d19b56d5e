// `npm run lock`, last part. npm decides from the lock what it fetches and builds, and each Node uses one of two SQLite
// drivers (src/storage/sqlite-driver.ts). better-sqlite3 13 brings its binaries and says "gypfile": false, but npm does
// not copy that member into the lock and would compile the package. The manifest of better-sqlite3 12 names every Node,
// but only those without Node-API 10 need it.
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
lock.packages['node_modules/better-sqlite3'].gypfile = false;
lock.packages['node_modules/better-sqlite3-legacy'].engines.node = '<22.14 || >=23 <23.6';
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
