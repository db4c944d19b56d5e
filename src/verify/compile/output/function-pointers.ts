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

/** A pushed jump destination. */
interface PushedTag {
  readonly place: string;
  readonly destination: number;
  /** Whether it is one of the runtime code. */
  readonly isRuntime: boolean;
}

/** From here on an immutable may stay without a value, which is zero. */
const FIRST_UNASSIGNED = '0.8.21';
/** From here on assigning takes an offset, and leaves nothing of it on the stack. */
const FIRST_WITH_OFFSET = '0.8.0';
/** Values of all immutables of a contract; one with more of them has none, so that no code of it matches. */
const MAX_VALUES = 4096;
const PUSH_TAG = 'PUSH [tag]';
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
  const tags = usesIr ? [] : pushedTags(source);
  let left = MAX_VALUES;
  return Object.fromEntries(
    pointers.map((pointer) => {
      const assigned = assignedTo(pointer, nodes);
      const named = assigned.filter((node) => functions.has(node['referencedDeclaration']));
      const isKnown = named.length === assigned.length && !isAssignedInTuple(pointer, nodes);
      const known = isKnown ? named : [];
      const values = usesIr ? functionNumbers(known, functions, source) : destinations(known, tags);
      const mayBeZero = !isBefore(version, FIRST_UNASSIGNED) && !isAlwaysAssigned(pointer, nodes);
      left -= values.length;
      const allowed = left < 0 ? [] : values;
      return [String(pointer['id']), mayBeZero ? [0, ...allowed] : allowed];
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

/** What stands to the right of every assignment. */
function assignedTo(pointer: JsonObject, nodes: readonly JsonObject[]): readonly JsonObject[] {
  const initial = pointer['value'];
  return [
    ...(isJsonObject(initial) ? [initial] : []),
    ...nodes.filter((node) => isAssignment(node, pointer)).map((node) => node['rightHandSide'] as JsonObject),
  ];
}

function isAssignment(node: unknown, pointer: JsonObject): boolean {
  if (!isJsonObject(node) || node['nodeType'] !== 'Assignment') return false;
  const left = node['leftHandSide'];
  return isJsonObject(left) && left['referencedDeclaration'] === pointer['id'];
}

/** What a tuple gives it is not looked for. */
function isAssignedInTuple(pointer: JsonObject, nodes: readonly JsonObject[]): boolean {
  const tuples = nodes.flatMap(({ leftHandSide, nodeType }) =>
    nodeType === 'Assignment' && isJsonObject(leftHandSide) && leftHandSide['nodeType'] === 'TupleExpression'
      ? nodesOf(leftHandSide)
      : [],
  );
  return tuples.some((node) => node['referencedDeclaration'] === pointer['id']);
}

/** At its declaration, or by a statement that every run of a constructor reaches. */
function isAlwaysAssigned(pointer: JsonObject, nodes: readonly JsonObject[]): boolean {
  if (isJsonObject(pointer['value'])) return true;
  return nodes.some(({ kind, nodeType, body, modifiers }) => {
    if (nodeType !== 'FunctionDefinition' || kind !== 'constructor' || !isJsonObject(body)) return false;
    // A modifier may leave the body out.
    const isWhole = (modifiers as readonly JsonObject[]).every(
      (modifier) => modifier['kind'] === 'baseConstructorSpecifier',
    );
    const statements = (body['statements'] ?? []) as readonly JsonObject[];
    const returns = nodesOf(body).some(
      (node) => node['nodeType'] === 'Return' || node['nodeType'] === 'InlineAssembly',
    );
    return isWhole && !returns && statements.some(({ expression }) => isAssignment(expression, pointer));
  });
}

/** In the target contract: of the functions and what overrides them; of all where none are known. */
function functionNumbers(
  known: readonly JsonObject[],
  functions: ReadonlyMap<unknown, JsonObject>,
  { target, trees }: PointerSource,
): readonly number[] {
  const contracts = nodesOf(trees[target.path]).filter(
    (node) => node['nodeType'] === 'ContractDefinition' && node['name'] === target.name,
  );
  const numbers = contracts.flatMap((node) =>
    Object.entries((node['internalFunctionIDs'] ?? {}) as JsonObject),
  );
  // Older compilers number them without saying how, from 1.
  if (numbers.length === 0) return [...functions.keys()].map((_, index) => index + 1);
  const wanted = new Set(known.map((node) => node['referencedDeclaration']));
  const chosen = numbers.filter(([id]) => basesOf(Number(id), functions).some((base) => wanted.has(base)));
  return (chosen.length > 0 ? chosen : numbers).map(([, number]) => Number(number));
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
function destinations(known: readonly JsonObject[], tags: readonly PushedTag[]): readonly number[] {
  const ofRuntime = tags.filter(({ isRuntime }) => isRuntime);
  const places = known.map(placeOfNode);
  const isTold = places.length > 0 && places.every((place) => ofRuntime.some((tag) => tag.place === place));
  const runtime = isTold ? ofRuntime.filter(({ place }) => places.includes(place)) : ofRuntime;
  const creation = tags.filter(({ isRuntime }) => !isRuntime);
  const values = new Set<number>();
  for (const { place, destination } of runtime) {
    const beside = creation.filter((tag) => tag.place === place);
    for (const high of beside.length > 0 ? beside : creation) {
      values.add(high.destination * 2 ** 32 + destination);
      if (values.size > MAX_VALUES) return [...values];
    }
  }
  return [...values];
}

function placeOfNode(node: JsonObject): string {
  const [begin = 0, length = 0, file] = String(node['src']).split(':').map(Number);
  return placeOf(begin, begin + length, file);
}

function placeOf(begin: unknown, end: unknown, file: unknown): string {
  return `${begin}-${end}-${file}`;
}

/** Walks along assembly and code at once: the code tells the destinations that the assembly only names. */
function pushedTags({ items, creation, immutableReferences, version }: PointerSource): readonly PushedTag[] {
  const found: PushedTag[] = [];
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
    if (opcode <= PUSH0 || opcode > PUSH32) return [];
    // Above 64 bits stands the part that the tag belongs to, counted from 1.
    const part = BigInt(String(value)) >> 64n;
    const destination = Number(`0x${Buffer.from(creation.subarray(operand, at)).toString('hex')}`);
    if (part <= 1n) found.push({ place: placeOf(begin, end, source), destination, isRuntime: part === 1n });
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
