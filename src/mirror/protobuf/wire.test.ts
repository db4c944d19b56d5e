import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { messages } from './messages.ts';
import { rawField, wireFields } from './wire.ts';

describe('wireFields', () => {
  test('finds tag, type and original bytes of every field', () => {
    const bytes = messages.TransactionBody.encode({
      memo: 'hi',
      transactionFee: 300n,
      cryptoTransfer: { tokenTransfers: [] },
    });
    const fields = wireFields(bytes);
    expect(fields.map(({ number, wireType }) => [number, wireType])).toEqual([
      [3, 0],
      [6, 2],
      [14, 2],
    ]);
    expect([...(rawField(bytes, 6) ?? [])]).toEqual([0x68, 0x69]);
    expect(rawField(bytes, 7)).toBeNull();
  });

  test.each([
    ['a cut length', [0x0a, 5, 1]],
    ['a cut varint', [0x08, 0x80]],
    ['a group', [0x0b, 0x0c]],
    ['field number 0', [0x02, 0]],
    ['an endless varint', [0x08, ...new Array(11).fill(0x80)]],
  ])('%s is malformed', (_name, bytes) => {
    expect(() => wireFields(Uint8Array.from(bytes))).toThrowError(
      expect.objectContaining({ code: 'malformed' }),
    );
  });

  test('any bytes are either walked to their end or refused as malformed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          wireFields(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'malformed' });
        }
      }),
    );
  });
});
