import { expect, onTestFinished, test } from 'vitest';
import { openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { openSharedDatabase } from '../../../test/kit/storage/shared-database.ts';
import { sharedPostgres } from '../../../test/support/postgres.ts';
import { createPostgresWriter } from '../../storage/postgres/postgres-writer.ts';
import { createStatusStore, statusWrites } from '../status-store.sql.ts';
import { createStatusRepository } from './status-repository.sql.ts';

const REPLICAS = 10;
const CHANGES = 5;

test('changes of ten replicas at once all count, and who was too late pauses before it decides anew', async () => {
  const { openSql, close } = await openSharedDatabase(await sharedPostgres());
  onTestFinished(close);
  const first = openSql();
  const opened = await openStatusArea({
    store: createStatusStore(first, createPostgresWriter(first, statusWrites(first))),
  });
  await opened.area.close();
  let [decisions, pauses] = [0, 0];
  const repositories = Array.from({ length: REPLICAS }, () => {
    const sql = openSql();
    return createStatusRepository(sql, createPostgresWriter(sql, statusWrites(sql)), async () => {
      pauses += 1;
    });
  });
  await Promise.all(
    repositories.flatMap((repository) =>
      Array.from({ length: CHANGES }, () =>
        repository.change(null, ({ page }) => {
          decisions += 1;
          const name = String((Number.parseInt(page.name, 10) || 0) + 1);
          return { result: null, changes: { ...NOTHING, page: { ...page, name } } };
        }),
      ),
    ),
  );
  expect((await repositories[0]?.readPage())?.name).toBe(String(REPLICAS * CHANGES));
  expect(pauses).toBe(decisions - REPLICAS * CHANGES);
  expect(pauses).toBeGreaterThan(0);
});

const NOTHING = {
  deletedIncidentIds: [],
  deletedComponentIds: [],
  newComponents: [],
  changedComponents: [],
  events: [],
  newIncidents: [],
  changedIncidents: [],
  newUpdates: [],
  changedUpdates: [],
  deletedUpdateIds: [],
};
