import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { REGISTERED, type RegisteredNodes } from './registered-nodes.ts';

export function createRegisteredNodes(sql: Sql): RegisteredNodes {
  const all = prepareSelect(
    sql,
    REGISTERED,
    'from registered_node where deleted = 0 order by registered_node_id',
  );
  return { all: sql.reading(all.all) };
}
