import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import type { IntegerSelection, PageRequest } from '../parameters/page-parameters.ts';

/** Which contracts a list shows. */
interface ContractSelection extends PageRequest {
  readonly ids: IntegerSelection;
}

/** Walks the contracts of the ledger, deleted ones too. */
export type ContractPages = ReturnType<typeof createContractPages>;

/** Reads the contracts of the table `entity`. */
export function createContractPages(sql: Sql) {
  const { each, indexedBy, isListed, list } = sql.dialect;
  const prepare = (from: string, condition: string, order: 'asc' | 'desc') =>
    sql.prepareExactValue<unknown[], bigint>(
      `select id from ${from} where type = 'CONTRACT' and ${condition} id between ? and ?
       and id not in (select value from ${each('excluded')}) order by id ${order} limit ?`,
    );
  const inOrder = (order: 'asc' | 'desc') => ({
    range: prepare(`entity ${indexedBy('entity_contracts')}`, '', order),
    listed: prepare('entity', `${isListed('id')} and`, order),
  });
  const statements = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    /** Ids in their order. */
    async page({ ids: { equal, excluded, lower, upper }, limit, order }: ContractSelection) {
      const bounds: [bigint, bigint, SqlList, number] = [lower, upper, list(excluded), limit];
      const { listed, range } = statements[order];
      if (equal === null) return sql.read(() => range.all(...bounds));
      const wanted = [...equal].filter((id) => id >= lower && id <= upper);
      return sql.read(() => listed.all(list(wanted), ...bounds));
    },
  };
}
