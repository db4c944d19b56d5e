import { describe, expect, test } from 'vitest';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { loadSqliteDriver } from './sqlite-driver.ts';

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

  const missingPackage = () => {
    throw new Error('Cannot find module');
  };
  const missingBinary = () =>
    class {
      constructor() {
        throw new Error('Could not locate the bindings file');
      }
    };

  test.each([
    ['the package', '9', missingPackage, 'better-sqlite3-legacy', 'C++ compiler'],
    ['the package', '10', missingPackage, 'better-sqlite3 ', 'npm ci'],
    ['only its binary', '9', missingBinary, 'better-sqlite3-legacy', 'C++ compiler'],
    ['only its binary', '10', missingBinary, 'better-sqlite3 ', 'npm ci'],
  ])('without %s on Node-API %s the error names package, Node and remedy', (_, napi, load, name, remedy) => {
    const error = thrownBy(() => loadSqliteDriver(napi, load));
    expect(error.code).toBe('sqlite_driver_missing');
    for (const part of [name, process.versions.node, remedy]) expect(error.message).toContain(part);
    expect(error.cause).toBeInstanceOf(Error);
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
