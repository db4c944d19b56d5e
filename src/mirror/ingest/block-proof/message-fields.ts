import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { type WireField, wireFields } from '../../protobuf/wire.ts';
import { FailedCheck } from './failed-check.ts';

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const MAX_UINT64 = 2n ** 64n - 1n;

/** Members that a message may have: the kind of each, by number. */
type MessageShape = Readonly<Record<number, 'bytes' | 'uint64' | 'list'>>;

/**
 * Reads a message strictly: no other members than these, each of its kind, none twice but in a list.
 *
 * @throws FailedCheck `encoding`
 */
export function readMessage(bytes: Uint8Array, shape: MessageShape, name: string): MessageFields {
  const fields = fieldsOf(bytes, name);
  const seen = new Set<number>();
  for (const { number, wireType } of fields) {
    const kind = shape[number];
    if (kind === undefined) throw new FailedCheck('encoding', `${name} has a member ${number}`);
    if (wireType !== (kind === 'uint64' ? VARINT : LENGTH_DELIMITED)) {
      throw new FailedCheck('encoding', `member ${number} of ${name} has wire type ${wireType}`);
    }
    if (kind !== 'list' && seen.has(number)) {
      throw new FailedCheck('encoding', `member ${number} of ${name} occurs twice`);
    }
    seen.add(number);
  }
  return new MessageFields(fields, name);
}

/** The members of a message that was read strictly. */
class MessageFields {
  readonly #fields: readonly WireField[];
  readonly #name: string;

  constructor(fields: readonly WireField[], name: string) {
    this.#fields = fields;
    this.#name = name;
  }

  /** Null when it is not there. */
  bytes(number: number): Uint8Array | null {
    return this.#fields.find((field) => field.number === number)?.bytes ?? null;
  }

  list(number: number): readonly Uint8Array[] {
    return this.#fields.flatMap((field) => (field.number === number ? [field.bytes] : []));
  }

  /** 0 when it is not there, as the format has it. @throws FailedCheck `encoding` */
  uint64(number: number): bigint {
    const value = (this.bytes(number) ?? new Uint8Array()).reduce(
      (sum, byte, index) => sum + (BigInt(byte & 0x7f) << BigInt(7 * index)),
      0n,
    );
    if (value <= MAX_UINT64) return value;
    throw new FailedCheck('encoding', `member ${number} of ${this.#name} exceeds 64 bits`);
  }
}

/** The members of a message with their numbers. @throws FailedCheck `encoding` */
export function fieldsOf(bytes: Uint8Array, name: string): readonly WireField[] {
  try {
    return wireFields(bytes);
  } catch (cause) {
    if (!(cause instanceof LedgerlensError)) throw cause;
    throw new FailedCheck('encoding', `${name} is ${cause.message}`, { cause });
  }
}
