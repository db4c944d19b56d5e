import { expect, test } from 'vitest';
import { acceptedText } from './ledger-gaps.ts';

test.each([
  ['differ', 2, 'Accepted: no data from 1.000000000 to 9.000000000.', 'balances before it are discarded.'],
  ['join', 1, 'Accepted: block numbers are missing from 1', 'its hash follows, so that balances are kept.'],
])('accepting a gap whose hashes %s reports what becomes of balances', (_how, found, begin, end) => {
  const gap = { from: 1_000_000_000n, to: 9_000_000_000n, unit: '8.rcd' };
  const [expectedHash, foundHash] = [Uint8Array.of(1), Uint8Array.of(found)];
  const text = acceptedText({ ...gap, expectedHash, foundHash });
  expect(text.startsWith(begin)).toBe(true);
  expect(text.endsWith(`The next import continues with 8.rcd; ${end}`)).toBe(true);
});
