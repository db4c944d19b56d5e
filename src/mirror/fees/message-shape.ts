/** How a field stands on the wire and in memory. */
export type FieldKind =
  | 'int32'
  | 'uint32'
  | 'sint32'
  | 'int64'
  | 'uint64'
  | 'sint64'
  | 'bool'
  | 'enum'
  | 'fixed32'
  | 'sfixed32'
  | 'float'
  | 'fixed64'
  | 'sfixed64'
  | 'double'
  | 'string'
  | 'bytes'
  | 'message';

/** A field of a message, ready for decoding. */
export interface FieldShape {
  readonly name: string;
  readonly number: number;
  readonly kind: FieldKind;
  readonly repeated: boolean;
  /** Name of the oneof that it belongs to; null when it stands alone. */
  readonly oneof: string | null;
  /** Shape of a `message` field, undefined for every other kind. */
  readonly message: MessageShape | undefined;
}

/** A message type, its fields by number. Shapes refer to each other and may be cyclic. */
export interface MessageShape {
  readonly name: string;
  readonly fields: ReadonlyMap<number, FieldShape>;
}

/** A node of the JSON descriptor that protobufjs writes: a package, message or enumeration. */
export interface DescriptorNode {
  readonly nested?: Readonly<Record<string, DescriptorNode>>;
  readonly fields?: Readonly<Record<string, DescriptorField>>;
  readonly oneofs?: Readonly<Record<string, { readonly oneof: readonly string[] }>>;
  readonly values?: Readonly<Record<string, number>>;
}

interface DescriptorField {
  readonly type: string;
  readonly id: number;
  readonly rule?: string;
  readonly keyType?: string;
}

const SCALARS: ReadonlySet<string> = new Set<FieldKind>([
  'int32',
  'uint32',
  'sint32',
  'int64',
  'uint64',
  'sint64',
  'bool',
  'fixed32',
  'sfixed32',
  'float',
  'fixed64',
  'sfixed64',
  'double',
  'string',
  'bytes',
]);

/**
 * Gives message shapes by full name, for example `proto.TransactionBody`; each is built once, when first asked.
 *
 * @throws Error for a name or field type that the descriptor does not have, and for map fields, which the
 * ledger's transactions do not use.
 */
export function messageShapes(descriptor: DescriptorNode): (fullName: string) => MessageShape {
  const known = new Map<string, MessageShape>();
  return shapeOf;

  function shapeOf(fullName: string): MessageShape {
    const built = known.get(fullName);
    if (built !== undefined) return built;
    const node = find(descriptor, fullName);
    if (node?.fields === undefined) throw new Error(`the descriptor has no message ${fullName}`);
    const fields = new Map<number, FieldShape>();
    const shape: MessageShape = { name: fullName, fields };
    // Known before its fields are read, since a message may hold itself (keys do).
    known.set(fullName, shape);
    const oneofs = oneofByField(node);
    for (const [name, field] of Object.entries(node.fields)) {
      fields.set(field.id, fieldShape(fullName, name, field, oneofs.get(name) ?? null));
    }
    return shape;
  }

  function fieldShape(owner: string, name: string, field: DescriptorField, oneof: string | null): FieldShape {
    if (field.keyType !== undefined) throw new Error(`map field ${owner}.${name} is not supported`);
    const plain = { name, number: field.id, repeated: field.rule === 'repeated', oneof };
    if (SCALARS.has(field.type)) return { ...plain, kind: field.type as FieldKind, message: undefined };
    const target = resolve(owner, field.type);
    if (find(descriptor, target)?.values !== undefined) return { ...plain, kind: 'enum', message: undefined };
    return { ...plain, kind: 'message', message: shapeOf(target) };
  }

  /** Type names are relative to the message that uses them: the innermost scope that has one wins. */
  function resolve(owner: string, typeName: string): string {
    if (typeName.startsWith('.')) return typeName.slice(1);
    const scopes = owner.split('.');
    for (let depth = scopes.length; depth >= 0; depth -= 1) {
      const candidate = [...scopes.slice(0, depth), typeName].join('.');
      const node = find(descriptor, candidate);
      if (node?.fields !== undefined || node?.values !== undefined) return candidate;
    }
    throw new Error(`the descriptor has no type ${typeName}, used by ${owner}`);
  }
}

function find(descriptor: DescriptorNode, fullName: string): DescriptorNode | undefined {
  let node: DescriptorNode | undefined = descriptor;
  for (const part of fullName.split('.')) node = node?.nested?.[part];
  return node;
}

function oneofByField(node: DescriptorNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [oneof, { oneof: members }] of Object.entries(node.oneofs ?? {})) {
    for (const member of members) names.set(member, oneof);
  }
  return names;
}
