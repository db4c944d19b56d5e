import { describe, expect, test } from 'vitest';
import { mutateBytes } from '../../../../test/kit/mirror/fees/mutate-bytes.ts';
import {
  randomTransaction,
  TRANSACTION_MEMBERS,
} from '../../../../test/kit/mirror/fees/random-transaction.ts';
import * as fc from '../../../../test/support/properties.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { type MessageObject, messageType } from '../../protobuf/messages.ts';
import { canonicalLength } from './canonical-length.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { messageShapes, pricedShapes, shapes } from './message-shape.ts';
import { type DecodedMessage, decodeStrictly } from './strict-decoder.ts';

const shapeOf = messageShapes({
  nested: {
    test: {
      nested: {
        Outer: {
          oneofs: { choice: { oneof: ['number', 'inner'] } },
          fields: {
            number: { type: 'uint64', id: 1 },
            inner: { type: 'Inner', id: 2 },
            text: { type: 'string', id: 3 },
            list: { rule: 'repeated', type: 'int32', id: 4 },
            fixed: { type: 'fixed32', id: 5 },
            small: { type: 'sint32', id: 6 },
            self: { type: 'Outer', id: 7 },
            kind: { type: 'Kind', id: 8 },
            wide: { type: 'sfixed64', id: 9 },
          },
          nested: { Inner: { fields: { flag: { type: 'bool', id: 1 }, value: { type: 'int64', id: 2 } } } },
        },
        Kind: { values: { ZERO: 0, ONE: 1 } },
      },
    },
  },
});
const Outer = shapeOf('test.Outer');

const decodeHex = (hex: string) => decodeStrictly(Outer, Buffer.from(hex, 'hex'));

describe('decodeStrictly', () => {
  test.each<[string, string, DecodedMessage]>([
    ['nothing', '', {}],
    ['a number of a oneof', '0805', { number: 5n, choice: 'number' }],
    ['the largest uint64', '08ffffffffffffffffff01', { number: 2n ** 64n - 1n, choice: 'number' }],
    ['a negative int64', '120b10ffffffffffffffffff01', { inner: { value: -1n }, choice: 'inner' }],
    [
      'a later member of a oneof in place of an earlier one',
      '080512020801',
      {
        inner: { flag: true },
        choice: 'inner',
      },
    ],
    [
      'a message that comes in two parts',
      '120208011202100a',
      {
        inner: { flag: true, value: 10n },
        choice: 'inner',
      },
    ],
    ['a text', '1a02c3a9', { text: 'é' }],
    ['packed numbers', '2203010203', { list: [1, 2, 3] }],
    ['numbers one by one', '200120022003', { list: [1, 2, 3] }],
    ['a fixed number', '2d04030201', { fixed: 0x01020304 }],
    ['a zigzag number', '3003', { small: -2 }],
    ['an enumeration with an unknown number', '4063', { kind: 99 }],
    ['a wide fixed number', '49ffffffffffffffff', { wide: -1n }],
  ])('reads %s', (_name, hex, expected) => {
    expect(decodeHex(hex)).toEqual(expected);
  });

  test.each([
    ['an unknown number', 'f80701'],
    ['an unknown text', 'fa0701ff'],
    ['an unknown fixed32', 'fd0701020304'],
    ['an unknown fixed64', 'f9070102030405060708'],
    ['an unknown group with another inside', 'fb07fb07fc07fc07'],
  ])('drops %s', (_name, hex) => {
    expect(decodeHex(`${hex}3003`)).toEqual({ small: -2 });
  });

  test.each([
    ['a length beyond the end', '1a05ab'],
    ['a number that ends too early', '08ff'],
    ['a number of eleven bytes', '08ffffffffffffffffffffff01'],
    ['half a fixed number', '2d0403'],
    ['a known field of another wire type', '1805'],
    ['a known field of another wire type, nested', '12020d00'],
    ['a list of another wire type', '2504030201'],
    ['a broken packed list', '2202ffff'],
    ['a text that is not UTF-8', '1a02c328'],
    ['a surrogate in a text', '1a03eda080'],
    ['field number 0', '0001'],
    ['the end of a group that has not begun', 'fc07'],
    ['a group that does not end', 'fb07'],
    ['a group that ends with another number', 'fb07f407'],
    ['wire type 7', 'ff07'],
  ])('refuses %s', (_name, hex) => {
    expect(() => decodeHex(hex)).toThrow(expect.objectContaining({ code: 'malformed_protobuf' }));
  });

  test('refuses nesting deeper than 100', () => {
    const nested = (depth: number): Buffer => {
      let bytes = Buffer.alloc(0);
      for (let level = 0; level < depth; level += 1) {
        const length =
          bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
        bytes = Buffer.concat([Buffer.from([0x3a, ...length]), bytes]);
      }
      return bytes;
    };
    expect(() => decodeStrictly(Outer, nested(100))).not.toThrow();
    expect(() => decodeStrictly(Outer, nested(101))).toThrow(/deeper than 100/);
    expect(() => decodeStrictly(Outer, Buffer.alloc(1000, Buffer.from('fb07', 'hex')))).toThrow(/deeper/);
  });

  test('never throws anything but its own error, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeStrictly(shapes.TransactionBody, bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'malformed_protobuf' });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('canonicalLength', () => {
  const Transaction = messageType('proto.Transaction');
  const bytes = fc.uint8Array({ maxLength: 300 });
  const transaction = fc.record(
    {
      bodyBytes: bytes,
      signedTransactionBytes: bytes,
      sigMap: fc.record({
        sigPair: fc.array(fc.record({ pubKeyPrefix: bytes, ed25519: bytes }), { maxLength: 4 }),
      }),
      body: fc.record(
        {
          transactionFee: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
          memo: fc.string(),
          generateRecord: fc.boolean(),
          cryptoTransfer: fc.record({
            transfers: fc.record({
              accountAmounts: fc.array(
                fc.record({ amount: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }),
                { maxLength: 3 },
              ),
            }),
          }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );

  test('of a canonical encoding is its length', () => {
    fc.assert(
      fc.property(transaction, (message) => {
        const canonical = Transaction.encode(withoutDefaults(message) as MessageObject);
        const decoded = decodeStrictly(shapes.Transaction, canonical);
        expect(canonicalLength(shapes.Transaction, decoded)).toBe(canonical.length);
      }),
    );
  });

  test.each([
    ['unknown fields', '2a02aabbf80701', 4],
    ['long forms of lengths', '2a8200aabb', 4],
    ['defaults that are spelled out', '2a02aabb2200', 4],
    ['a field that occurs twice', '2a01cc2a02aabb', 4],
  ])('leaves out %s', (_name, hex, length) => {
    expect(
      canonicalLength(shapes.Transaction, decodeStrictly(shapes.Transaction, Buffer.from(hex, 'hex'))),
    ).toBe(length);
  });
});

/** protobufjs writes defaults that were set; the canonical encoding does not. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => name === 'ed25519' || !isDefault(member))
      .map(([name, member]) => [name, withoutDefaults(member)]),
  );
}

function isDefault(value: unknown): boolean {
  return (
    value === 0n || value === '' || value === false || (value instanceof Uint8Array && value.length === 0)
  );
}

describe('decodeTransaction without what prices do not depend on', () => {
  test('refuses and counts exactly what it does when everything is kept', () => {
    const random = seededRandom('dropped fields');
    const outcome = (bytes: Uint8Array, inner: typeof pricedShapes) => {
      try {
        const { id: _left, memo: _text, ...counted } = decodeTransaction(bytes, inner);
        return counted;
      } catch (error) {
        return (error as Error).message;
      }
    };
    let refused = 0;
    for (let run = 0; run < 3000; run += 1) {
      const member = TRANSACTION_MEMBERS[run % TRANSACTION_MEMBERS.length] ?? 'cryptoTransfer';
      const { payload } = randomTransaction(member, random);
      // Changes at the beginning meet the id, the node and the signatures.
      const bytes = run % 3 === 0 ? payload : mutateBytes(payload, random);
      const whole = outcome(bytes, shapes);
      if (typeof whole === 'string') refused += 1;
      expect(outcome(bytes, pricedShapes), bytes.toString('hex')).toEqual(whole);
    }
    expect(refused).toBeGreaterThan(500);
    expect(refused).toBeLessThan(2500);
  });
});
