import { BadBodyError } from '../errors.ts';
import { type Input, isObject } from '../rules/input-members.ts';

/** Deeper bodies would exhaust the stack of whatever prints or compares them. */
const DEEPEST = 32;

/** Reads a JSON body; empty text is an empty object, since some clients name the type of no body. @throws BadBodyError */
export function readJsonBody(text: string): Input {
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    // JSON.parse throws only for text that is no JSON.
    throw new BadBodyError({ cause });
  }
  if (!isObject(body) || isDeeperThan(body, DEEPEST)) throw new BadBodyError();
  return body;
}

/** Reads a body of a web form. @throws BadBodyError */
export function readFormBody(text: string): Input {
  const body = readFormMembers(new URLSearchParams(text));
  if (body === null) throw new BadBodyError();
  return body;
}

/** The members of a call, below the name of what it is about; absent is empty. @throws BadBodyError */
export function membersOf(body: Input, name: string): Input {
  const members = body[name] ?? {};
  if (!isObject(members)) throw new BadBodyError();
  return members;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** A member that is still being filled: a text, a list or an object. */
type Node = string | Node[] | Map<string, Node>;

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
/** `incident[metadata][team][name]` is the deepest that anybody needs. */
const DEEPEST_NAME = 8;

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
  return path.length <= DEEPEST_NAME ? path : null;
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
