import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFolder } from '../../test/kit/storage/a-folder.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { findBuildTools, loadSqliteDriver } from './sqlite-driver.ts';

class WorkingDriver {
  close(): void {}
}

describe('loadSqliteDriver', () => {
  test.each([
    ['10', 'better-sqlite3'],
    ['11', 'better-sqlite3'],
    ['9', 'better-sqlite3-legacy'],
    ['', 'better-sqlite3-legacy'],
  ])('Node-API %j loads %s', (napiVersion, packageName) => {
    const asked: string[] = [];
    const load = (name: string) => {
      asked.push(name);
      return WorkingDriver;
    };
    expect(loadSqliteDriver(napiVersion, load)).toBe(WorkingDriver);
    expect(asked).toEqual([packageName]);
  });

  test('the driver of this Node opens a database', () => {
    const Driver = loadSqliteDriver();
    const database = new Driver(':memory:');
    expect(database.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
    database.close();
  });

  const missingPackage = Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
  const missingBinary = new Error('Could not locate the bindings file. Tried: /a, /b');
  const otherAbi = new Error('compiled against a different Node.js version using NODE_MODULE_VERSION 137.');
  const [NONE, COMPILER, ALL] = [
    { hasCompiler: false, headers: null },
    { hasCompiler: true, headers: null },
    { hasCompiler: true, headers: '/opt/node' },
  ];

  test.each([
    ['10', missingPackage, true, NONE, 'installed by another version of Node'],
    ['10', missingPackage, false, NONE, 'without optional dependencies'],
    ['10', missingBinary, true, NONE, 'installed without its binary'],
    ['9', missingPackage, true, ALL, 'installed by another version of Node'],
    ['9', otherAbi, false, ALL, 'installed by another version of Node'],
    ['9', missingPackage, false, NONE, 'No C++ compiler was found'],
    ['9', missingPackage, false, COMPILER, 'give it access to nodejs.org'],
    ['9', missingPackage, false, ALL, 'set npm_config_nodedir=/opt/node'],
    ['9', missingBinary, false, ALL, 'set npm_config_nodedir=/opt/node'],
    ['9', new Error('GLIBC_2.38 not found'), false, ALL, 'GLIBC_2.38 not found'],
  ])('on Node-API %s, %o, other driver %s, tools %o: %s', (napi, cause, hasOther, tools, text) => {
    const wanted = napi === '9' ? 'better-sqlite3-legacy' : 'better-sqlite3';
    const load = (name: string) => {
      if (name === wanted ? cause === missingPackage : !hasOther) throw missingPackage;
      return class {
        constructor() {
          throw cause;
        }
      };
    };
    const error = thrownBy(() => loadSqliteDriver(napi, load, () => tools));
    expect(error).toMatchObject({ code: 'sqlite_driver_missing', cause });
    for (const part of [wanted, process.versions.node, text]) expect(error.message).toContain(part);
  });

  test('a compiler and headers are looked for where npm would find them', () => {
    const folder = aFolder({ 'c++': '' });
    mkdirSync(join(folder, 'include/node'), { recursive: true });
    writeFileSync(join(folder, 'include/node/node.h'), '');
    const node = join(folder, 'bin/node');
    expect(findBuildTools({ PATH: `/nowhere:${folder}` }, node)).toEqual({
      hasCompiler: true,
      headers: folder,
    });
    expect(findBuildTools({ PATH: '/nowhere' }, '/nowhere/bin/node')).toEqual({
      hasCompiler: false,
      headers: null,
    });
  });
});

function thrownBy(work: () => unknown): LedgerlensError {
  try {
    work();
  } catch (error) {
    if (error instanceof LedgerlensError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
