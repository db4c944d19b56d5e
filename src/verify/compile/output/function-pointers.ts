import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { ImmutableReferences } from '../../match/compiled-code.ts';
import { isBefore } from '../../match/version-order.ts';
import type { CompilationTarget } from '../../standard-json.ts';

/** One instruction of an assembly, with its place in the sources. */
export interface AssemblyItem {
  readonly name?: unknown;
  readonly value?: unknown;
  readonly begin?: unknown;
  readonly end?: unknown;
  /** Index of the file that the place is in. */
  readonly source?: unknown;
}

/** A compiled contract as far as pointers to its functions are concerned. */
interface PointerSource {
  readonly version: string;
  readonly target: CompilationTarget;
  readonly usesIr: boolean;
  /** The assembly of the creation code. */
  readonly items: readonly AssemblyItem[];
  readonly creation: Uint8Array;
  readonly immutableReferences: ImmutableReferences;
  /** Syntax trees by path. */
  readonly trees: Readonly<Record<string, unknown>>;
}

/** Where code goes by tags that it pushes: destinations by the place in the sources that pushes them. */
interface PushedTags {
  readonly creation: ReadonlyMap<string, ReadonlySet<number>>;
  readonly runtime: ReadonlyMap<string, ReadonlySet<number>>;
}

/** From here on an immutable may stay without a value, which is zero. */
const FIRST_UNASSIGNED = '0.8.21';
/** Below, the IR numbers functions by their ids in the tree, which files that nobody needs shift. */
const FIRST_NUMBERED = '0.8.7';
/** From here on assigning takes an offset, and leaves nothing of it on the stack. */
const FIRST_WITH_OFFSET = '0.8.0';
/** Values of all immutables of a contract; one with more of them has none, so that no code of it matches. */
const MAX_VALUES = 4096;
const PUSH_TAG = 'PUSH [tag]';
const NO_TAGS: PushedTags = { creation: new Map(), runtime: new Map() };
const [PUSH0, PUSH32, MSTORE] = [0x5f, 0x7f, 0x52];

/**
 * Lists the values that the constructor can store in each immutable of internal function type.
 *
 * Such a value is a jump destination of the runtime code in the low 32 bits, with that of the creation code above it,
 * as this code pushes them; by way of the IR it is the number of a function. Any other lets the contract jump to where
 * its sources do not lead, as into the code of a contract that it creates.
 *
 * @returns by AST id; empty without such immutables.
 */
export function readFunctionPointers(source: PointerSource): Readonly<Record<string, readonly number[]>> {
  const { immutableReferences, trees, version, usesIr } = source;
  const nodes = Object.values(trees).flatMap(nodesOf);
  const pointers = nodes.filter(
    (node) => isPointer(node) && Object.hasOwn(immutableReferences, String(node['id'])),
  );
  if (pointers.length === 0) return {};
  const functions = new Map(
    nodes.filter(({ nodeType }) => nodeType === 'FunctionDefinition').map((node) => [node['id'], node]),
  );
  const assignments = readAssignments(nodes);
  const valuesOf = usesIr ? numbersIn(functions, source) : destinationsIn(pushedTags(source));
  let left = MAX_VALUES;
  return Object.fromEntries(
    pointers.map((pointer) => {
      const { id, value } = pointer;
      const assigned = [...(isJsonObject(value) ? [value] : []), ...(assignments.values.get(id) ?? [])];
      const named = assigned.filter((node) => functions.has(node['referencedDeclaration']));
      const isKnown = named.length === assigned.length && !assignments.inTuples.has(id);
      const isAlwaysAssigned = isJsonObject(value) || assignments.always.has(id);
      const mayBeZero = !isBefore(version, FIRST_UNASSIGNED) && !isAlwaysAssigned;
      const values = left < 0 ? [] : valuesOf(isKnown ? named : []);
      left -= values.length;
      const allowed = left < 0 ? [] : values;
      return [String(id), mayBeZero ? [0, ...allowed] : allowed];
    }),
  );
}

function isPointer(node: JsonObject): boolean {
  const type = node['typeDescriptions'];
  return (
    node['nodeType'] === 'VariableDeclaration' &&
    isJsonObject(type) &&
    String(type['typeIdentifier']).startsWith('t_function_internal')
  );
}

/** What the sources assign to variables, by AST id: what stands to the right. */
function readAssignments(nodes: readonly JsonObject[]) {
  const values = new Map<unknown, JsonObject[]>();
  /** What a tuple gives a variable is not looked for. */
  const inTuples = new Set<unknown>();
  /** Those that a statement assigns which every run of a constructor reaches. */
  const always = new Set<unknown>();
  for (const node of nodes) {
    const { leftHandSide: left, nodeType, rightHandSide } = node;
    if (nodeType === 'Assignment' && isJsonObject(left)) {
      const id = left['referencedDeclaration'];
      const known = values.get(id);
      if (known === undefined) values.set(id, [rightHandSide as JsonObject]);
      else known.push(rightHandSide as JsonObject);
      if (left['nodeType'] === 'TupleExpression')
        for (const each of nodesOf(left)) inTuples.add(each['referencedDeclaration']);
    }
    if (isPassedThrough(node)) {
      const statements = ((node['body'] as JsonObject)['statements'] ?? []) as readonly JsonObject[];
      for (const { expression } of statements) {
        if (!isJsonObject(expression) || expression['nodeType'] !== 'Assignment') continue;
        const { leftHandSide: assigned } = expression;
        if (isJsonObject(assigned)) always.add(assigned['referencedDeclaration']);
      }
    }
  }
  return { values, inTuples, always };
}

/** Whether a node is a constructor of which every run reaches every statement. */
function isPassedThrough({ kind, nodeType, body, modifiers }: JsonObject): boolean {
  if (nodeType !== 'FunctionDefinition' || kind !== 'constructor' || !isJsonObject(body)) return false;
  // A modifier may leave the body out.
  const isWhole = (modifiers as readonly JsonObject[]).every(
    (modifier) => modifier['kind'] === 'baseConstructorSpecifier',
  );
  return isWhole && !nodesOf(body).some((node) => LEAVES_EARLY.has(node['nodeType']));
}

const LEAVES_EARLY: ReadonlySet<unknown> = new Set(['Return', 'InlineAssembly']);

/** Which values a pointer may hold; given no functions, those of any that the contract may point to. */
type ValuesOf = (known: readonly JsonObject[]) => readonly number[];

/** In the target contract: of the functions and what overrides them; of all where none are known. */
function numbersIn(
  functions: ReadonlyMap<unknown, JsonObject>,
  { target, trees, version }: PointerSource,
): ValuesOf {
  const contracts = nodesOf(trees[target.path]).filter(
    (node) => node['nodeType'] === 'ContractDefinition' && node['name'] === target.name,
  );
  const areIds = isBefore(version, FIRST_NUMBERED);
  const numbers = contracts.flatMap((node) =>
    Object.entries(areIds ? idsOf(node, functions) : ((node['internalFunctionIDs'] ?? {}) as JsonObject)).map(
      ([id, number]) => ({ bases: basesOf(Number(id), functions), number: Number(number) }),
    ),
  );
  const reached = () => contracts.flatMap((node) => [...reachedAsValues(node, functions, trees)]);
  const all =
    numbers.length === 0 ? reached().map((_, index) => index + 1) : numbers.map(({ number }) => number);
  return (known) => {
    const wanted = new Set(known.map((node) => node['referencedDeclaration']));
    const chosen = numbers.filter(({ bases }) => bases.some((base) => wanted.has(base)));
    return chosen.length > 0 ? chosen.map(({ number }) => number) : all;
  };
}

/**
 * The functions that a constructor can reach as values. Compilers that do not show numbers (0.8.7 to 0.8.19) give them to
 * these first, as they come to them, from 1.
 */
function reachedAsValues(
  contract: JsonObject,
  functions: ReadonlyMap<unknown, JsonObject>,
  trees: PointerSource['trees'],
): ReadonlySet<unknown> {
  const linearized = contract['linearizedBaseContracts'] as readonly unknown[];
  const nodes = Object.values(trees).flatMap(nodesOf);
  const callables = new Map(
    nodes.filter(({ nodeType }) => CALLABLES.has(nodeType)).map((node) => [node['id'], node]),
  );
  const ranks = new Map(linearized.map((id, rank) => [id, rank]));
  const rankOf = ({ scope }: JsonObject) => ranks.get(scope) ?? linearized.length;
  /** What the contract has of each function: the most derived that overrides it. */
  const overriding = new Map<unknown, unknown>();
  for (const { id } of [...functions.values()]
    .filter(({ scope }) => ranks.has(scope))
    .sort((one, other) => rankOf(one) - rankOf(other)))
    for (const base of basesOf(Number(id), functions)) if (!overriding.has(base)) overriding.set(base, id);
  const reached = new Set(
    nodes
      .filter(({ id, nodeType }) => nodeType === 'ContractDefinition' && ranks.has(id))
      .flatMap((each) => [...(each['baseContracts'] as JsonObject[]), ...(each['nodes'] as JsonObject[])])
      .filter(isCreating),
  );
  const found = new Set<unknown>();
  for (const node of reached) {
    for (const used of usedAsValues(node, functions)) found.add(overriding.get(used) ?? used);
    for (const { referencedDeclaration: id } of nodesOf(node))
      for (const callable of [callables.get(id), callables.get(overriding.get(id))])
        if (callable !== undefined) reached.add(callable);
  }
  return found;
}

const CALLABLES: ReadonlySet<unknown> = new Set(['FunctionDefinition', 'ModifierDefinition']);

/** Whether a part of a contract runs when one is created. */
function isCreating({ kind, nodeType, stateVariable }: JsonObject): boolean {
  return nodeType === 'InheritanceSpecifier' || stateVariable === true || kind === 'constructor';
}

const NAMES: ReadonlySet<unknown> = new Set(['Identifier', 'MemberAccess']);

/** Functions that are named otherwise than to call them, by their ids. */
function usedAsValues(
  definition: JsonObject,
  functions: ReadonlyMap<unknown, JsonObject>,
): readonly unknown[] {
  const nodes = nodesOf(definition);
  const called = new Set(
    nodes.filter(({ nodeType }) => nodeType === 'FunctionCall').map(({ expression }) => expression),
  );
  return nodes
    .filter((node) => NAMES.has(node['nodeType']) && !called.has(node))
    .filter((node) => functions.has(node['referencedDeclaration']))
    .map((node) => node['referencedDeclaration']);
}

/** Functions that a contract, its bases, libraries and files define. Not those of other contracts, which may override its own. */
function idsOf(contract: JsonObject, functions: ReadonlyMap<unknown, JsonObject>): JsonObject {
  const bases = new Set(contract['linearizedBaseContracts'] as readonly unknown[]);
  const own = [...functions].filter(
    ([, { scope, virtual, overrides }]) => bases.has(scope) || (virtual !== true && overrides === undefined),
  );
  return Object.fromEntries(own.map(([id]) => [String(id), id]));
}

/** A function and those that it overrides, however far up. */
function basesOf(id: number, functions: ReadonlyMap<unknown, JsonObject>): readonly unknown[] {
  const found = new Set<unknown>([id]);
  for (const each of found) {
    const bases = functions.get(each)?.['baseFunctions'];
    if (Array.isArray(bases)) for (const base of bases) found.add(base);
  }
  return [...found];
}

/** Those that the known functions push; those of all functions where one of them pushes none of its own. */
function destinationsIn({ creation, runtime }: PushedTags): ValuesOf {
  const everywhere = union(creation.values());
  const ofPlaces = (places: Iterable<string>): readonly number[] => {
    const values = new Set<number>();
    const add = (lows: ReadonlySet<number>, highs: ReadonlySet<number>) => {
      for (const low of lows) {
        for (const high of highs) {
          // One more tells that there are too many.
          if (values.size > MAX_VALUES) return;
          values.add(high * 2 ** 32 + low);
        }
      }
    };
    const alone: ReadonlySet<number>[] = [];
    for (const place of places) {
      const lows = runtime.get(place) ?? NONE;
      const beside = creation.get(place);
      if (beside === undefined) alone.push(lows);
      else add(lows, beside);
    }
    add(union(alone), everywhere);
    return [...values];
  };
  let all: readonly number[] | null = null;
  return (known) => {
    const places = new Set(known.map(placeOfNode));
    if (places.size > 0 && [...places].every((place) => runtime.has(place))) return ofPlaces(places);
    all ??= ofPlaces(runtime.keys());
    return all;
  };
}

const NONE: ReadonlySet<number> = new Set();

function union(sets: Iterable<ReadonlySet<number>>): ReadonlySet<number> {
  const all = new Set<number>();
  for (const set of sets) for (const each of set) all.add(each);
  return all;
}

function placeOfNode(node: JsonObject): string {
  const [begin = 0, length = 0, file] = String(node['src']).split(':').map(Number);
  return placeOf(begin, begin + length, file);
}

function placeOf(begin: unknown, end: unknown, file: unknown): string {
  return `${begin}-${end}-${file}`;
}

/** Walks along assembly and code at once: the code tells the destinations that the assembly only names. */
function pushedTags({ items, creation, immutableReferences, version }: PointerSource): PushedTags {
  const found = { creation: new Map<string, Set<number>>(), runtime: new Map<string, Set<number>>() };
  let at = 0;
  const step = () => {
    const opcode = creation[at] ?? 0;
    at += opcode > PUSH0 && opcode <= PUSH32 ? 1 + opcode - PUSH0 : 1;
    return opcode;
  };
  for (const { name, value, begin, end, source } of items) {
    // The instruction of a tag has an item of its own.
    if (name === 'tag') continue;
    if (name === 'ASSIGNIMMUTABLE') {
      const writes = immutableReferences[String(value)]?.length ?? 0;
      for (let left = writes; left > 0 && at < creation.length; ) if (step() === MSTORE) left -= 1;
      // Its operands, as far as the last write has not taken them.
      if (isBefore(version, FIRST_WITH_OFFSET)) step();
      else if (writes === 0) at += 2;
      continue;
    }
    const operand = at + 1;
    const opcode = step();
    if (name !== PUSH_TAG) continue;
    if (opcode <= PUSH0 || opcode > PUSH32) return NO_TAGS;
    // Above 64 bits stands the part that the tag belongs to, counted from 1.
    const part = BigInt(String(value)) >> 64n;
    const destination = Number(`0x${Buffer.from(creation.subarray(operand, at)).toString('hex')}`);
    if (part > 1n) continue;
    const side = part === 1n ? found.runtime : found.creation;
    const place = placeOf(begin, end, source);
    side.set(place, (side.get(place) ?? new Set()).add(destination));
  }
  return found;
}

/** Every node of a tree, without recursion: expressions nest as deeply as their author likes. */
function nodesOf(tree: unknown): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const pending: unknown[] = [tree];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (isJsonObject(next)) {
      if (typeof next['nodeType'] === 'string') found.push(next);
      for (const member of Object.values(next)) if (typeof member === 'object') pending.push(member);
    }
  }
  return found;
}
