import { describe, expect, test } from 'vitest';
import { createPageBuffers } from './page-buffers.ts';

describe('page buffers', () => {
  test('lend memory of the size asked for', () => {
    const buffers = createPageBuffers();
    for (const bytes of [1, 25_000, 65_536, 65_537, 500_000]) expect(buffers.take(bytes)).toHaveLength(bytes);
  });

  test('lend again what was given back, and nothing that was not', () => {
    const buffers = createPageBuffers();
    const first = buffers.take(100);
    const second = buffers.take(100);
    expect(second.buffer).not.toBe(first.buffer);
    buffers.giveBack(first);
    expect(buffers.take(200).buffer).toBe(first.buffer);
    expect(buffers.take(200).buffer).not.toBe(second.buffer);
  });

  test('do not keep memory of pages of unusual size', () => {
    const buffers = createPageBuffers();
    const large = buffers.take(100_000);
    buffers.giveBack(large);
    expect(buffers.take(100_000).buffer).not.toBe(large.buffer);
  });
});
