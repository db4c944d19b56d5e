import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { messages } from './messages.ts';
import { FieldWalk } from './wire.ts';
import { WireWriter } from './wire-writer.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('WireWriter', () => {
  test('writes what protobufjs reads', () => {
    const writer = new WireWriter();
    const receipt = writer.varint(1, 22).varint(11, 5_000_000_000_000_000_000n).finish();
    const record = writer
      .delimited(1, receipt)
      .delimited(2, null)
      .delimited(5, Buffer.from('memo'))
      .varint(6, 0n)
      .finish();
    expect(messages.TransactionRecord.decodePlain(record)).toEqual({
      receipt: { status: 22, newTotalSupply: 5_000_000_000_000_000_000n },
      memo: 'memo',
    });
  });

  test('any number is read as it was written', () => {
    fc.assert(
      fc.property(int64, fc.integer({ min: 1, max: 2 ** 29 - 1 }), (value, field) => {
        const bytes = new WireWriter().setVarint(field, value).finish();
        const walk = new FieldWalk(bytes);
        expect(walk.next()).toBe(true);
        expect([walk.number, walk.int64]).toEqual([field, value]);
        expect(walk.next()).toBe(false);
      }),
    );
  });

  test('bytes of any length are read as they were written, one message after the other', () => {
    const writer = new WireWriter();
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 5 }), (values) => {
        for (const [index, value] of values.entries()) writer.delimited(index + 1, value);
        const bytes = writer.finish();
        const read: Uint8Array[] = [];
        for (const walk = new FieldWalk(bytes); walk.next(); ) read.push(walk.bytes.slice());
        expect(read).toEqual(values);
      }),
    );
  });
});

describe('FieldWalk', () => {
  test('walks a message inside another by its bounds and never beyond them', () => {
    const inner = new WireWriter().varint(1, 300).finish();
    const outer = new WireWriter().delimited(4, inner).varint(5, 1).finish();
    const walk = new FieldWalk(outer);
    walk.next();
    const inside = new FieldWalk(outer, walk.start, walk.end);
    expect([inside.next(), inside.number, inside.int, inside.next()]).toEqual([true, 1, 300, false]);
    const cut = new FieldWalk(outer, walk.start, walk.end - 1);
    expect(() => cut.next()).toThrowError(expect.objectContaining({ code: 'malformed' }));
  });
});
