import { expect, onTestFinished, test } from 'vitest';
import { buildMirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { openDatabase } from '../storage/open-database.ts';
import { createSqliteMirrorStore } from './mirror-store.sqlite.ts';

async function appWith(fault: string) {
  const database = openDatabase(':memory:');
  const { app, close } = await buildMirrorApp({ store: createSqliteMirrorStore(database) });
  onTestFinished(async () => {
    await close();
    database.close();
  });
  database.exec(fault);
  return app;
}

test('a read that the database refuses is 503 with the reason, and no fault of the request', async () => {
  const app = await appWith('ALTER TABLE tx RENAME TO tx_away');
  const answer = await app.inject('/api/v1/transactions');
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  expect(answer.json()).toEqual({
    _status: { messages: [{ message: 'Service unavailable', detail: 'it cannot be read' }] },
  });
});

test('what does not touch the broken part is answered', async () => {
  const app = await appWith('ALTER TABLE address_book_entry RENAME TO entry_away');
  expect((await app.inject('/api/v1/transactions')).statusCode).toBe(200);
  expect((await app.inject('/api/v1/network/nodes')).statusCode).toBe(503);
});
