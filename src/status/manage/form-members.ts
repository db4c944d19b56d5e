import type { Input } from '../rules/input-members.ts';

/** A member that is still being filled: a text, a list or an object. */
type Node = string | Node[] | Map<string, Node>;

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
/** `incident[metadata][team][name]` is the deepest that anybody needs. */
const DEEPEST = 8;

/**
 * Reads members named with brackets, as web forms send them: `incident[name]`, `incident[component_ids][]`,
 * `incident[components][ID]`.
 *
 * @returns null when a name is malformed, too deep, or used as a text and as an object at once.
 * @see contracts/status.md section 4
 */
export function readFormMembers(pairs: Iterable<readonly [string, string]>): Input | null {
  const root = new Map<string, Node>();
  for (const [name, value] of pairs) {
    const path = pathOf(name);
    if (path === null || !set(root, path, value)) return null;
  }
  return plain(root) as Input;
}

/** `a[b][]` is `['a', 'b', '']`. */
function pathOf(name: string): readonly string[] | null {
  const match = NAME.exec(name);
  if (match === null) return null;
  const [, first = '', rest = ''] = match;
  const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)];
  return path.length <= DEEPEST ? path : null;
}

function set(node: Map<string, Node>, path: readonly string[], value: string): boolean {
  const [name = '', ...rest] = path;
  if (name === '') return false;
  const known = node.get(name);
  if (rest.length === 0) {
    if (known !== undefined && typeof known !== 'string') return false;
    node.set(name, value);
    return true;
  }
  if (rest.length === 1 && rest[0] === '') {
    const list = known ?? [];
    if (!Array.isArray(list)) return false;
    list.push(value);
    node.set(name, list);
    return true;
  }
  const child = known ?? new Map<string, Node>();
  if (!(child instanceof Map)) return false;
  node.set(name, child);
  return set(child, rest, value);
}

/** Own members only, whatever their names: `__proto__` becomes an ordinary member. */
function plain(node: Node): unknown {
  if (!(node instanceof Map)) return node;
  return Object.fromEntries([...node].map(([name, child]) => [name, plain(child)]));
}
