import pg from 'pg';

/** One look of a statement into a table. */
export interface TableRead {
  readonly table: string;
  /** The parameters, such as `$1`, and constants to which a column is equal, by the names of these columns. */
  readonly bound: ReadonlyMap<string, string>;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** What changes or locks rows. */
const WRITING = ['ModifyTable', 'LockRows'];
const EQUALITY = /^(?:\w+\.)?(\w+) = (\$\d+|-?\d+|'[^']*'::\w+)$/;

const PARTITION = '__all';

/**
 * Opens a migrated database for {@link tableReads}, which it is of no other use to afterwards: each partitioned table
 * gets a partition for all rows, since one without any is not looked into.
 */
export async function openForPlans(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ readonly name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace`,
  );
  for (const { name } of rows) {
    await client.query(`create table ${name}${PARTITION} partition of ${name} default`);
  }
  // Conditions stand in the plan as they were asked, and not as an index wants them.
  await client.query(
    'set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off',
  );
  return client;
}

/**
 * Where a statement looks, as PostgreSQL plans it without its parameters; null for one that changes or locks rows.
 *
 * Equalities follow from others as the planner finds it: of `a.id = $1 and b.id = a.id` both are bound.
 */
export async function tableReads(client: pg.Client, text: string): Promise<readonly TableRead[] | null> {
  const { rows } = await client.query<{
    readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
  }>(`explain (generic_plan, verbose, format json) ${text}`);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error(`No plan: ${text}`);
  const nodes = [...nodesOf(plan)];
  if (nodes.some((node) => WRITING.includes(node['Node Type']))) return null;
  return nodes.flatMap((node) => {
    const table = node['Relation Name'];
    if (table === undefined) return [];
    return [{ table: table.replace(PARTITION, ''), bound: boundColumns(node) }];
  });
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

function boundColumns(node: PlanNode): ReadonlyMap<string, string> {
  const bound = new Map<string, string>();
  for (const part of node.Filter === undefined ? [] : conjuncts(node.Filter)) {
    const [, column, value] = EQUALITY.exec(part) ?? [];
    if (column !== undefined && value !== undefined) bound.set(column, value);
  }
  return bound;
}

/** The parts of `((a) AND (b))`, without their parentheses. */
function conjuncts(condition: string): readonly string[] {
  const parts: string[] = [];
  let [depth, begin, isBroken] = [0, 0, false];
  for (const { 0: found, index } of condition.matchAll(/'(?:[^']|'')*'|[()]| AND /g)) {
    if (found === '(') depth += 1;
    else if (found === ')') depth -= 1;
    if (depth === 0 && found === ')' && index < condition.length - 1) isBroken = true;
    if (depth > 0 || found !== ' AND ') continue;
    parts.push(condition.slice(begin, index));
    begin = index + found.length;
  }
  if (parts.length > 0) return [...parts, condition.slice(begin)].flatMap(conjuncts);
  return condition.startsWith('(') && !isBroken ? conjuncts(condition.slice(1, -1)) : [condition];
}
