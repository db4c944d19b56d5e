import { expect, test } from 'vitest';
import { aCompilation, aMatch } from '../../../../test/kit/verify/a-verification.ts';
import { putLargeSources, takeLargeSources } from './large-sources.ts';

test('large sources leave a result and come back the same, small ones stay', async () => {
  const compilation = aCompilation({});
  const small = aMatch({ compilation, runtime: 'match', creation: null });
  expect(await takeLargeSources(small)).toBeNull();
  const sources = {
    'a.sol': { content: `\uFEFF${'contract ☃ {}'.repeat(100_000)}` },
    'b.sol': { content: '' },
  };
  const large = { ...small, compilation: { ...compilation, input: { ...compilation.input, sources } } };
  const taken = await takeLargeSources(large);
  expect(taken?.rest).toMatchObject({ compilation: { input: { sources: {} } } });
  expect(taken === null ? null : putLargeSources(taken.rest, taken.sources)).toEqual(large);
});
