import { expect, onTestFinished, test } from 'vitest';
import { migrate, readMigrations } from '../../../storage/migrations.ts';
import { openSqlite } from '../../../storage/sqlite.ts';

const at = (value: string, offset: number) => ({ value, offset });

test('positions that an earlier version did not prove are forgotten', () => {
  const database = openSqlite(':memory:');
  onTestFinished(() => void database.close());
  const migrations = readMigrations();
  const index = migrations.findIndex(({ name }) => name.endsWith('-verify-proven-auxdata.sql'));
  migrate(database, migrations.slice(0, index));
  const code = database.prepare('INSERT INTO code VALUES (?, ?, ?)');
  code.run(Buffer.of(1), Buffer.of(1), Buffer.from('6000aa11bb2200', 'hex'));
  code.run(Buffer.of(2), Buffer.of(2), Buffer.from('6000aa11bb22', 'hex'));
  const insert = database.prepare(
    `INSERT INTO compiled_contract (compiler, version, language, name, fully_qualified_name, compiler_settings,
       compilation_artifacts, creation_code_hash, creation_code_artifacts, runtime_code_hash, runtime_code_artifacts)
     VALUES ('solc', ?, ?, 'A', 'a:A', '{}', '{}', x'01', ?, x'02', ?)`,
  );
  const creation = { cborAuxdata: { '1': at('0xbb22', 4), '2': at('0x2200', 5) }, linkReferences: {} };
  const runtime = { cborAuxdata: { '1': at('0xbb22', 4), '2': at('0xaa11', 2) }, sourceMap: '1' };
  for (const language of ['Solidity', 'Yul', 'Vyper']) {
    insert.run('1', language, JSON.stringify(creation), JSON.stringify(runtime));
  }
  insert.run('2', 'Solidity', '{"cborAuxdata":{}}', '{}');

  migrate(database, migrations);
  const rows = database
    .prepare(
      'SELECT creation_code_artifacts AS creation, runtime_code_artifacts AS runtime FROM compiled_contract',
    )
    .all() as { creation: string; runtime: string }[];
  const own = { '1': at('0xbb22', 4) };
  expect(rows.map((row) => [JSON.parse(row.creation), JSON.parse(row.runtime)])).toEqual([
    [
      { cborAuxdata: own, linkReferences: {} },
      { cborAuxdata: own, sourceMap: '1' },
    ],
    [
      { cborAuxdata: {}, linkReferences: {} },
      { cborAuxdata: {}, sourceMap: '1' },
    ],
    [creation, runtime],
    [{ cborAuxdata: {} }, {}],
  ]);
});
