import { expect, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { RegisteredEndpoint } from './registered-endpoint.ts';
import { createRegisteredNodes } from './registered-nodes.sql.ts';

test('registered nodes are those that are not deleted, by number', async () => {
  const endpoint: RegisteredEndpoint = {
    ipAddress: '8.8.4.4',
    domainName: null,
    port: 40_840,
    requiresTls: false,
    service: 'block_node',
    apis: [1, 2, 3],
    description: null,
  };
  const database = openDatabase(':memory:');
  const insert = database.prepare(
    'insert into registered_node (registered_node_id, changed_ts, deleted, service_endpoints) values (?, 1, ?, ?)',
  );
  insert.run(9n, 0, '[]');
  insert.run(8n, 1, '[]');
  insert.run(7n, 0, JSON.stringify([endpoint]));
  expect(await createRegisteredNodes(sqliteSql(database)).all()).toEqual([
    { registeredNodeId: 7n, endpoints: [endpoint] },
    { registeredNodeId: 9n, endpoints: [] },
  ]);
  database.close();
});
