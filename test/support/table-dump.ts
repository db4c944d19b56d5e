import type { SqliteDatabase } from '../../src/storage/sqlite.ts';

/** The given tables as one ordered text: equal texts are equal rows, whatever their order on disk. */
export function tableDump(database: SqliteDatabase, tables: readonly string[]): string {
  return tables.map((name) => `${name}\n${rowsOf(database, name).join('\n')}`).join('\n\n');
}

function rowsOf(database: SqliteDatabase, name: string): readonly string[] {
  return database
    .prepare<[], Record<string, unknown>>(`select * from "${name}"`)
    .safeIntegers(true)
    .all()
    .map((row) =>
      JSON.stringify(row, (_key, value: unknown) => {
        if (typeof value === 'bigint') return `${value}n`;
        return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
      }),
    )
    .sort();
}
