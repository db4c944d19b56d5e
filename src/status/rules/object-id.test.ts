import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { createObjectId } from './object-id.ts';

describe('createObjectId', () => {
  test('gives twelve digits or consonants whatever the bytes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(255)), (stream) => {
        const id = createObjectId((count) =>
          Uint8Array.from({ length: count }, () => Number(stream.next().value)),
        );
        expect(id).toMatch(/^[0-9b-df-hj-np-tv-z]{12}$/);
      }),
    );
  });

  test('skips the bytes that would make some characters likelier', () => {
    const bytes = [[...Array(12).fill(255)], [...Array(12).fill(247)]];
    expect(createObjectId(() => Uint8Array.from(bytes.shift() ?? []))).toBe('zzzzzzzzzzzz');
  });
});
