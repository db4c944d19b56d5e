import { expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { serveArea } from '../../../test/kit/verify/serve-area.ts';
import type { Hex } from '../../values/hex.ts';
import { withImmutableIdsOf } from '../match/immutable-ids.ts';
import type { SideMatch } from '../match/match-runtime.ts';

const [FIRST, SECOND] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const alone = {
  language: 'Solidity',
  sources: { 'a.sol': { content: 'contract A { uint public immutable x = 7; }' } },
};
const amongOthers = {
  ...alone,
  sources: { '0.sol': { content: 'contract Other { uint public y; }' }, ...alone.sources },
};

test('a record names immutables as the references beside it do, whatever files were sent with the contract', async () => {
  const { runtime } = compileForTest(alone, 'a.sol', 'A');
  const runtimeBytecode = runtime.replaceAll(`7f${'0'.repeat(64)}`, `7f${'7'.padStart(64, '0')}`);
  const code = { runtimeBytecode };
  const served = await serveArea({
    chainsJson: JSON.stringify({ '1337': { static: { [FIRST]: code, [SECOND]: code } } }),
  });
  for (const [address, stdJsonInput] of [
    [FIRST, alone],
    [SECOND, amongOthers],
  ] as const) {
    const submission = { stdJsonInput, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' };
    const { job } = await verifyToEnd(served.app, `1337/${address}`, submission);
    expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
    const lookup = await served.app.inject(`/v2/contract/1337/${address}?fields=runtimeBytecode`);
    const { immutableReferences, transformations, transformationValues } = lookup.json().runtimeBytecode;
    const ids = Object.keys(immutableReferences);
    expect(ids).toHaveLength(1);
    expect(Object.keys(transformationValues.immutables)).toEqual(ids);
    expect(new Set(transformations.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
  }
  await served.close();
});

test('other references leave a record as it is', () => {
  const match: SideMatch = {
    grade: 'match',
    transformations: [
      { type: 'replace', reason: 'immutable', offset: 4, id: '9' },
      { type: 'replace', reason: 'immutable', offset: 40, id: '9' },
    ],
    values: { immutables: { '9': '0x01' as Hex } },
  };
  expect(withImmutableIdsOf(match, {})).toBe(match);
  expect(withImmutableIdsOf(match, { '3': [{ start: 4, length: 1 }], '4': [{ start: 40, length: 1 }] })).toBe(
    match,
  );
  const two: SideMatch = {
    ...match,
    transformations: match.transformations.map((each, index) => ({ ...each, id: String(index) })),
    values: { immutables: { '0': '0x01' as Hex, '1': '0x02' as Hex } },
  };
  const one = {
    '3': [
      { start: 4, length: 1 },
      { start: 40, length: 1 },
    ],
  };
  expect(withImmutableIdsOf(two, one)).toBe(two);
});
