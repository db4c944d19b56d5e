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
    let [rarest = null] = conditions;
    if (rarest === null || conditions.length === 1) return walk.first(rarest, selection);
    let fewest = Number.POSITIVE_INFINITY;
    for (const condition of conditions) {
      const count = await walk.count(condition, selection, Math.min(fewest, fewRows));
      if (count < fewest) [rarest, fewest] = [condition, count];
    }
    return fewest < fewRows ? walk.first(rarest, selection) : searchChunks(conditions, rarest, selection);
  };
}
