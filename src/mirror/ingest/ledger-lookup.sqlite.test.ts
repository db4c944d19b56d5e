import { expect, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import { type EntityId, encodeEntityId } from '../../values/entity-id.ts';
import { createSqliteLedgerRepository } from '../ledger/ledger-repository.sqlite.ts';
import { createSqliteLedgerLookup } from './ledger-lookup.sqlite.ts';
import { createImporter } from './run/importer.ts';
import { createDirectorySource } from './source/directory-source.ts';
import { writtenStream } from './testing/memory-file-tree.ts';
import { memoryLedger } from './testing/memory-ledger.ts';

test('createSqliteLedgerLookup finds what an import stored', async () => {
  const { tree } = await writtenStream({ files: 16 });
  const database = openDatabase(':memory:');
  const source = createDirectorySource('/stream', tree);
  await createImporter({ repository: createSqliteLedgerRepository(database), source }).run();
  const memory = memoryLedger();
  await memory.import(source);
  const created = memory.units
    .flatMap(({ entities }) => entities)
    .find(({ evmAddress }) => evmAddress !== null);
  const lookup = createSqliteLedgerLookup(database);
  expect(await lookup.entityByAlias(created?.evmAddress ?? new Uint8Array())).toBe(created?.entity);
  expect(await lookup.entityByAlias(Uint8Array.of(1, 2, 3))).toBeNull();
  const tokens = memory.units.flatMap((unit) => unit.tokens);
  for (const { token, kind } of tokens) expect(await lookup.tokenKind(token)).toBe(kind);
  expect(await lookup.tokenKind(encodeEntityId(0n, 0n, 5n) as EntityId)).toBeNull();
  database.close();
});
