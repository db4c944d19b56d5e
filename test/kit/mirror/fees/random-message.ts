import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type { MessageObject, MessageValue } from '../../../../src/mirror/protobuf/messages.ts';
import type { RandomSource } from '../../../../tools/network/seeded-random.ts';

/** Values for messages of a type by its name, instead of members drawn one by one. */
export type Drawers = Readonly<Record<string, (random: RandomSource) => MessageObject>>;

const root = protobuf.Root.fromJSON(
  JSON.parse(
    readFileSync(new URL('../../../../src/mirror/protobuf/descriptor.json', import.meta.url), 'utf8'),
  ),
).resolveAll();

const MAX_DEPTH = 6;
/** Beside 0: what a number of each kind may hold without being an int64 edge case of the reference. */
const MAX_NUMBER = 20_000_000;

/** Names of the members of a oneof, for example `data` of `proto.TransactionBody`. */
export function membersOf(type: string, oneof: string): readonly string[] {
  return (root.lookupType(type).oneofs[oneof]?.fieldsArray ?? []).map((field) => field.name);
}

/** Full name of the message that a member holds. */
export function typeOfMember(type: string, member: string): string {
  const resolved = root.lookupType(type).fields[member]?.resolve().resolvedType;
  if (!(resolved instanceof protobuf.Type)) throw new Error(`${type}.${member} is not a message`);
  return resolved.fullName.slice(1);
}

/**
 * Draws a message of any type of the descriptor: each member is set with a chance of one half, at most one member
 * of a oneof, lists have up to four entries, nesting ends at six levels.
 */
export function randomMessage(name: string, random: RandomSource, drawers: Drawers = {}): MessageObject {
  return draw(root.lookupType(name), 0);

  function draw(type: protobuf.Type, depth: number): MessageObject {
    const drawer = drawers[type.name];
    if (drawer !== undefined) return drawer(random);
    const message: Record<string, MessageValue> = {};
    const chosen = new Map(
      type.oneofsArray.map((oneof) => [oneof.name, random.below(oneof.fieldsArray.length + 1)]),
    );
    for (const field of type.fieldsArray) {
      const { partOf, resolvedType } = field.resolve();
      const isSet =
        partOf === null
          ? random.below(2) === 0
          : partOf.fieldsArray.indexOf(field) === chosen.get(partOf.name);
      if (!isSet || (resolvedType instanceof protobuf.Type && depth >= MAX_DEPTH)) continue;
      const value = () =>
        resolvedType instanceof protobuf.Type ? draw(resolvedType, depth + 1) : scalar(field, random);
      message[field.name] = field.repeated ? Array.from({ length: random.below(5) }, value) : value();
    }
    return message;
  }
}

function scalar(field: protobuf.Field, random: RandomSource): MessageValue {
  if (field.resolvedType instanceof protobuf.Enum) {
    const values = Object.values(field.resolvedType.values);
    return values[random.below(values.length)] ?? 0;
  }
  const number = random.below(3) === 0 ? 0 : random.below(MAX_NUMBER);
  switch (field.type) {
    case 'bytes':
      return random.bytes(random.below(10) === 0 ? random.below(2000) : random.below(40));
    case 'string':
      return 'né'.repeat(random.below(6));
    case 'bool':
      return number % 2 === 0;
    case 'int64':
    case 'uint64':
    case 'sint64':
    case 'fixed64':
      return BigInt(number);
    default:
      return number;
  }
}
