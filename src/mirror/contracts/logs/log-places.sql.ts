import type { Sql } from '../../../storage/sql/sql.ts';
import { createChunkSearch } from './chunk-search.sql.ts';
import type { LogPlace, LogSelection } from './contract-log-repository.ts';
import { conditionsOf } from './log-condition.ts';
import { createLogWalk } from './log-walk.sql.ts';

/** So many rows are walked in two steps. */
const FEW_ROWS = 1000;

/** Prepares the search for the places of a page; rows are read by them. */
export function createLogPlaces(sql: Sql): (selection: LogSelection) => Promise<readonly LogPlace[]> {
  const walk = createLogWalk(sql);
  const searchChunks = createChunkSearch(sql, walk);
  return async (selection) => {
    const { fewRows = FEW_ROWS } = selection;
    const conditions = conditionsOf(selection);
    const [only = null] = conditions;
    if (conditions.length < 2) return walk.first(only, selection);
    const { condition, count } = await walk.rarest(conditions, selection, fewRows);
    return count < fewRows ? walk.first(condition, selection) : searchChunks(conditions, selection);
  };
}
