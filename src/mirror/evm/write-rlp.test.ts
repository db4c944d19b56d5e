import { fromBytes } from 'ox/Rlp';
import { expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { encodeRlpItem, type RlpItem } from './write-rlp.ts';

const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('item'), { maxLength: 9 }),
  ),
}));

test('an item is encoded as another library does', () => {
  fc.assert(
    fc.property(item, (given) => {
      expect(encodeRlpItem(given)).toEqual(fromBytes(given as Parameters<typeof fromBytes>[0]));
    }),
  );
});

test.each([0, 1, 55, 56, 255, 256, 65_535, 65_536])('bytes and lists of length %i', (length) => {
  const bytes = new Uint8Array(length).fill(7);
  for (const given of [bytes, Array.from(bytes, (byte) => Uint8Array.of(byte)), [[bytes]]]) {
    expect(Buffer.compare(encodeRlpItem(given), fromBytes(given))).toBe(0);
  }
});
