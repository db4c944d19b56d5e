import { expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { serveArea } from '../../../test/kit/verify/serve-area.ts';

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
