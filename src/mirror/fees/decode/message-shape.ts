import { readFileSync } from 'node:fs';
import { ownFile } from '../../../own-files.ts';

/** The wire types of protobuf; 3 and 4 enclose groups, which only unknown fields may still be. */
export const WIRE = {
  varint: 0,
  fixed64: 1,
  delimited: 2,
  groupStart: 3,
  groupEnd: 4,
  fixed32: 5,
} as const;

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
  /** Wire type of one value, not packed. */
  readonly wireType: number;
  /** Shape of a `message` field, undefined for every other kind. */
  readonly message: MessageShape | undefined;
  /** True: decoding checks the value and does not keep it; of a list only the length is kept. */
  readonly isDropped: boolean;
}

/** A message type, its fields by number. Shapes refer to each other and may be cyclic. */
export interface MessageShape {
  readonly name: string;
  readonly fields: ReadonlyMap<number, FieldShape>;
  /** The same by index, for decoding; undefined where there is no field. */
  readonly byNumber: readonly (FieldShape | undefined)[];
}

/** A node of the JSON descriptor that protobufjs writes: a package, message or enumeration. */
interface DescriptorNode {
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
 * @param dropped fields that decoding need not keep, as `proto.TransactionBody.memo`.
 * @throws Error for a name or field type that the descriptor does not have, and for map fields, which the
 * ledger's transactions do not use.
 */
export function messageShapes(
  descriptor: DescriptorNode,
  dropped: ReadonlySet<string> = new Set(),
): (fullName: string) => MessageShape {
  const known = new Map<string, MessageShape>();
  return shapeOf;

  function shapeOf(fullName: string): MessageShape {
    const built = known.get(fullName);
    if (built !== undefined) return built;
    const node = find(descriptor, fullName);
    if (node?.fields === undefined) throw new Error(`the descriptor has no message ${fullName}`);
    const fields = new Map<number, FieldShape>();
    const byNumber: FieldShape[] = [];
    const shape: MessageShape = { name: fullName, fields, byNumber };
    // Known before its fields are read, since a message may hold itself (keys do).
    known.set(fullName, shape);
    const oneofs = oneofByField(node);
    for (const [name, field] of Object.entries(node.fields)) {
      const described = fieldShape(fullName, name, field, oneofs.get(name) ?? null);
      fields.set(field.id, described);
      byNumber[field.id] = described;
    }
    return shape;
  }

  function fieldShape(owner: string, name: string, field: DescriptorField, oneof: string | null): FieldShape {
    if (field.keyType !== undefined) throw new Error(`map field ${owner}.${name} is not supported`);
    const target = SCALARS.has(field.type) ? null : resolve(owner, field.type);
    const isEnum = target !== null && find(descriptor, target)?.values !== undefined;
    const kind = target === null ? (field.type as FieldKind) : isEnum ? 'enum' : 'message';
    return {
      name,
      number: field.id,
      kind,
      repeated: field.rule === 'repeated',
      oneof,
      wireType: wireTypeOf(kind),
      message: target === null || isEnum ? undefined : shapeOf(target),
      isDropped: dropped.has(`${owner}.${name}`),
    };
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

/** The wire type of one value, not packed. */
function wireTypeOf(kind: FieldKind): number {
  switch (kind) {
    case 'string':
    case 'bytes':
    case 'message':
      return WIRE.delimited;
    case 'fixed32':
    case 'sfixed32':
    case 'float':
      return WIRE.fixed32;
    case 'fixed64':
    case 'sfixed64':
    case 'double':
      return WIRE.fixed64;
    default:
      return WIRE.varint;
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

const descriptor = JSON.parse(
  readFileSync(ownFile('mirror/protobuf/descriptor.json'), 'utf8'),
) as DescriptorNode;

const shapeOf = messageShapes(descriptor);

/** The messages that fee estimates decode, from the product's protobuf descriptor. */
export const shapes: Readonly<
  Record<
    'Transaction' | 'SignedTransaction' | 'TransactionBody' | 'SchedulableTransactionBody' | 'FeeSchedule',
    MessageShape
  >
> = {
  Transaction: shapeOf('proto.Transaction'),
  SignedTransaction: shapeOf('proto.SignedTransaction'),
  TransactionBody: shapeOf('proto.TransactionBody'),
  SchedulableTransactionBody: shapeOf('proto.SchedulableTransactionBody'),
  FeeSchedule: shapeOf('org.hiero.hapi.fees.FeeSchedule'),
};

/** What prices do not depend on, of every transaction alike. */
const DROPPED: ReadonlySet<string> = new Set([
  'proto.SignatureMap.sigPair',
  'proto.TransactionBody.batchKey',
  'proto.TransactionBody.maxCustomFees',
  'proto.TransactionBody.memo',
  'proto.TransactionBody.nodeAccountID',
  'proto.TransactionBody.transactionFee',
  'proto.TransactionBody.transactionID',
  'proto.TransactionBody.transactionValidDuration',
]);

const pricedShapeOf = messageShapes(descriptor, DROPPED);

/** The same without what prices do not depend on: no id, and of signatures only their number. */
export const pricedShapes: Pick<typeof shapes, 'SignedTransaction' | 'TransactionBody'> = {
  SignedTransaction: pricedShapeOf('proto.SignedTransaction'),
  TransactionBody: pricedShapeOf('proto.TransactionBody'),
};
