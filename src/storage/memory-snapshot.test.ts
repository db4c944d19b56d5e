import { expect, test } from 'vitest';
import { takeSnapshot } from './memory-snapshot.ts';
import { openSqlite } from './sqlite.ts';

test('brings back every row, its place and the next numbers, however often, under prepared statements', () => {
  const database = openSqlite(':memory:');
  try {
    database.exec(`
      CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
      CREATE TABLE child (parent INTEGER REFERENCES parent ON DELETE CASCADE, data BLOB, big INTEGER);
      CREATE TABLE "by key" (key TEXT PRIMARY KEY, "group" REAL) WITHOUT ROWID;
      INSERT INTO parent (name) VALUES ('one'), ('two');
      INSERT INTO child VALUES (2, x'00ff', 9007199254740993), (1, NULL, -1), (1, x'', 0);
      DELETE FROM child WHERE big = -1;
      INSERT INTO "by key" VALUES ('a', 1.5);`);
    const rows = [
      'SELECT * FROM parent',
      'SELECT rowid, * FROM child',
      'SELECT * FROM "by key"',
      'SELECT * FROM sqlite_sequence',
    ].map((text) => database.prepare(text).safeIntegers());
    const read = () => rows.map((statement) => statement.all());
    const before = read();
    const restore = takeSnapshot(database);
    for (let round = 0; round < 2; round++) {
      database.exec(`
        INSERT INTO parent (name) VALUES ('three');
        DELETE FROM parent WHERE id = 2;
        UPDATE "by key" SET "group" = NULL;
        INSERT INTO "by key" VALUES ('b', 2);`);
      expect(read()).not.toEqual(before);
      restore();
      expect(read()).toEqual(before);
    }
    expect(() => database.exec('INSERT INTO child VALUES (9, NULL, 0)')).toThrow('FOREIGN KEY');
  } finally {
    database.close();
  }
});
