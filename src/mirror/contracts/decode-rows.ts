import { Type } from '@sinclair/typebox';
import type {
  CallToDecode,
  Decoded,
  DecodedArgument,
  DecodedValue,
  LogToDecode,
  RevertToDecode,
} from '../../values/decode-calls.ts';
import { parseHex } from '../../values/hex.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { NullableText } from '../list-schemas.ts';

/** The same as for any chain: whoever decodes knows which one the ledger is. */
export type LedgerDecodeRequest =
  | Omit<CallToDecode, 'chain'>
  | Omit<RevertToDecode, 'chain'>
  | Omit<LogToDecode, 'chain'>;

/** Tells what calls and logs mean, by verified contracts; null where none tells. In the order of the requests. */
export type DecodeRows = (requests: readonly LedgerDecodeRequest[]) => Promise<readonly (Decoded | null)[]>;

/** What verified contracts tell of bytes; null where none does. */
export const DECODED = Type.Union([
  Type.Object(
    {
      arguments: Type.Array(
        Type.Object(
          {
            hash: Type.Optional(Type.String({ description: 'Of an indexed argument without fixed size.' })),
            indexed: Type.Optional(Type.Boolean()),
            name: NullableText,
            type: Type.String(),
            value: Type.Unknown({
              description: 'Integers are decimal digits; null where only the hash is there.',
            }),
          },
          { title: 'DecodedArgument' },
        ),
      ),
      name: Type.String(),
      returned: Type.Optional(
        Type.Array(Type.Object({ name: NullableText, type: Type.String(), value: Type.Unknown() })),
      ),
      signature: Type.String(),
      source: Type.String({ description: 'Source of the decoding: `contract`, `signature` or `language`.' }),
    },
    { title: 'Decoded' },
  ),
  Type.Null(),
]);
/** What `decode=true` adds to a row. */
export type DecodedMembers = Readonly<Record<string, ExactJson>>;

/** What was decoded, as answers show it. */
export function shownDecoded(decoded: Decoded | null): ExactJson {
  if (decoded === null) return null;
  const { arguments: given, name, returned, signature, source } = decoded;
  return {
    name,
    signature,
    arguments: given.map(shownArgument),
    ...(returned === undefined ? {} : { returned: returned.map(shownArgument) }),
    source,
  };
}

function shownArgument(argument: DecodedArgument): ExactJson {
  const { indexed, name, type, value } = argument;
  return {
    name,
    type,
    value: value === null ? null : shownValue(value),
    ...('hash' in argument ? { hash: argument.hash } : {}),
    ...(indexed === undefined ? {} : { indexed }),
  };
}

function shownValue(value: DecodedValue): ExactJson {
  if (typeof value !== 'object') return value;
  return value.map((each) => {
    const isField = typeof each === 'object' && 'type' in each;
    return isField ? shownArgument(each) : shownValue(each);
  });
}

/** The bytes of hex with `0x`; null for any other text. */
export function bytesOfHex(text: string | null): Uint8Array | null {
  return text === null || !text.startsWith('0x') ? null : parseHex(text);
}
