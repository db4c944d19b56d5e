/** Whether a part of the assembly is in a code; `perhaps` where the assembly does not tell. */
export type Inclusion = 'once' | 'never' | 'perhaps';

/** One auxdata of a contract's assembly. */
export interface AssemblyAuxdata {
  /** Hex without 0x, length bytes included. */
  readonly value: string;
  /** Whether the creation code holds the part that ends in this value. */
  readonly creation: Inclusion;
  /** The same of the runtime code. */
  readonly runtime: Inclusion;
  /** True for the value of the runtime code itself, which ends in it. */
  readonly isOwn: boolean;
}

type Node = Readonly<Record<string, unknown>>;

interface Part {
  readonly node: Node;
  readonly creation: Inclusion;
  readonly runtime: Inclusion;
  readonly depth: number;
  readonly isRuntimeCode: boolean;
}

const RUNTIME_PART = 0;
/** Pushes the offset of a part, which makes the assembler append it. A size alone does not. */
const PUSH_PART = 'PUSH [$]';
/** Of an instruction: its place in the sources. */
const SOURCE_MEMBERS: ReadonlySet<string> = new Set(['begin', 'end', 'source']);

/**
 * Lists the auxdata of an assembly, depth first: parts named by digits in their order, then those named by letters.
 *
 * The assembler appends a part to the code of its parent when an instruction pushes its offset, and only then. A
 * part that no instruction refers to is dead: its auxdata are in no code, whatever bytes a literal holds.
 *
 * @param legacyAssembly as solc prints it; anything else gives an empty list.
 * @see contracts/verification-engine.md section 6.2
 */
export function readAssemblyAuxdata(legacyAssembly: unknown): readonly AssemblyAuxdata[] {
  if (!isRecord(legacyAssembly)) return [];
  const root = { node: legacyAssembly, creation: 'once', runtime: 'never', depth: 0 } as const;
  return collect({ ...root, isRuntimeCode: false });
}

function collect(part: Part): readonly AssemblyAuxdata[] {
  const { node, creation, runtime, depth, isRuntimeCode } = part;
  const value = node['.auxdata'];
  const own =
    typeof value === 'string' && value !== '' ? [{ value, creation, runtime, isOwn: isRuntimeCode }] : [];
  const children = childrenOf(node);
  const pushed = pushedParts(node['.code'], new Set(children.map(([id]) => id)));
  const seen = new Map<string, Node[]>();
  const below = children.flatMap(([id, child]) => {
    const isRuntime = depth === 0 && id === RUNTIME_PART;
    const reach = pushed === null ? 'perhaps' : pushed.has(id) ? 'once' : 'never';
    const found = collect({
      node: child,
      creation: within(creation, reach),
      runtime: isRuntime ? 'once' : within(runtime, reach),
      depth: depth + 1,
      isRuntimeCode: isRuntime,
    });
    if (reach === 'never') return found;
    // Newer assemblers append equal parts of one parent once.
    const name = found.map((each) => each.value).join(' ');
    const alike = seen.get(name) ?? [];
    seen.set(name, [...alike, child]);
    const mayBeShared = alike.some((other) => !appends(other, child) && !appends(child, other));
    return mayBeShared ? found.map(asPerhaps) : found;
  });
  return [...own, ...below];
}

function within(parent: Inclusion, reach: Inclusion): Inclusion {
  if (parent === 'never' || reach === 'never') return 'never';
  return parent === 'once' ? reach : 'perhaps';
}

function asPerhaps(entry: AssemblyAuxdata): AssemblyAuxdata {
  const weaken = (inclusion: Inclusion) => (inclusion === 'once' ? 'perhaps' : inclusion);
  return { ...entry, creation: weaken(entry.creation), runtime: weaken(entry.runtime) };
}

/**
 * Whether the code of the one part has all of the other's behind its own, and so is longer: `new B()` needs the creation
 * code of B, which appends what `type(B).runtimeCode` is.
 */
function appends(outer: Node, inner: Node): boolean {
  const children = childrenOf(outer);
  const pushed = pushedParts(outer['.code'], new Set(children.map(([id]) => id)));
  return (
    pushed !== null && children.some(([id, child]) => pushed.has(id) && printCode(child) === printCode(inner))
  );
}

/** What the assembler reads of a part: everything but where it comes from. */
function printCode(node: Node): string {
  return JSON.stringify(node, (name, value) => (SOURCE_MEMBERS.has(name) ? undefined : value));
}

/** Parts have hexadecimal numbers; the data beside them, texts under their hash, are left out. */
function childrenOf(node: Node): readonly (readonly [number, Node])[] {
  const data = node['.data'];
  if (!isRecord(data)) return [];
  return Object.entries(data).flatMap(([key, value]) =>
    /^[0-9a-f]{1,8}$/i.test(key) && isRecord(value) ? [[Number.parseInt(key, 16), value] as const] : [],
  );
}

/** Null when the instructions are missing or name parts in another way, as paths into parts of parts. */
function pushedParts(code: unknown, known: ReadonlySet<number>): ReadonlySet<number> | null {
  if (!Array.isArray(code)) return null;
  const pushed = new Set<number>();
  for (const item of code) {
    if (!isRecord(item) || item['name'] !== PUSH_PART) continue;
    const id = Number.parseInt(String(item['value']), 16);
    if (!known.has(id)) return null;
    pushed.add(id);
  }
  return pushed;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
