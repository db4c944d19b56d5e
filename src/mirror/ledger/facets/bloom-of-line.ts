import { BLOOM_BYTES } from '../../evm/bloom.ts';
import { type FixtureObject, hex, text } from '../../items/fixture-members.ts';

/** `0x` is none, as answers show it. */
export function bloomOfLine(row: FixtureObject): Uint8Array | null {
  return text(row, 'bloom') === '0x' ? null : hex(row, 'bloom', BLOOM_BYTES);
}
