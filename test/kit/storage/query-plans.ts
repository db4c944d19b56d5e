import type { SqliteDatabase } from '../../../src/storage/sqlite.ts';

/** How a statement of a repository finds its rows. */
export interface QueryPlan {
  readonly sql: string;
  /** In the words of SQLite, such as `SEARCH t USING INDEX …`. */
  readonly steps: readonly string[];
  /** Whether rows are put in order after they were found. */
  readonly isSorted: boolean;
}

/** The plans of every statement that a repository prepares when it is made. */
export function recordedStatements(
  database: SqliteDatabase,
  create: (database: SqliteDatabase) => unknown,
): readonly QueryPlan[] {
  const texts: string[] = [];
  const spied = new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name, target) as unknown;
      return (sql: string) => {
        texts.push(sql);
        return target.prepare(sql);
      };
    },
  });
  create(spied);
  return texts.map((sql) => {
    const steps = database
      .prepare<unknown[], { readonly detail: string }>(`explain query plan ${sql}`)
      .all(...Array<number>(sql.split('?').length - 1).fill(1), ...namedValues(sql))
      .map(({ detail }) => detail);
    return {
      sql,
      steps: steps.filter((step) => !step.startsWith('USE TEMP B-TREE')),
      isSorted: steps.some((step) => step.startsWith('USE TEMP B-TREE')),
    };
  });
}

/** Of parameters with names, as one object. */
function namedValues(sql: string): readonly object[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => name);
  return names.length === 0 ? [] : [Object.fromEntries(names.map((name) => [name, 1]))];
}

/** The one index of a plan with the columns that are equal and those that are a range; `?: ` for any other plan. */
export function indexRange({ steps }: QueryPlan): string {
  const [, index = '?', terms = ''] =
    /^SEARCH \w+ USING (?:COVERING )?INDEX (\w+) \((.*)\)$/.exec(steps.join(' / ')) ?? [];
  return `${index}: ${terms}`;
}
