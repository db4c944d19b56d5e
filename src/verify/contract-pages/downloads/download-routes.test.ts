import { afterEach, expect, test } from 'vitest';
import { verifyToEnd } from '../../../../test/kit/verify/await-job.ts';
import { compileForTest, openZeppelinSources } from '../../../../test/kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../../../../test/kit/verify/serve-area.ts';
import { checksumAddress } from '../../address.ts';

let served: ServedArea | undefined;
afterEach(() => served?.close());

const PATH = '@openzeppelin/contracts/access/Ownable2Step.sol';
const [FIRST, SECOND] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;

test('the downloaded standard JSON input verifies again, exactly', async () => {
  const source = {
    content: `import "${PATH}"; contract A is Ownable2Step { constructor(address o) Ownable(o) {} }`,
  };
  const input = {
    language: 'Solidity',
    sources: { ...openZeppelinSources(PATH), 'src/A.sol': source },
    settings: { optimizer: { enabled: true, runs: 3 }, evmVersion: 'paris' },
  };
  const { runtime: runtimeBytecode } = compileForTest(input, 'src/A.sol', 'A');
  const code = { [FIRST]: { runtimeBytecode }, [SECOND]: { runtimeBytecode } };
  served = await serveArea({ chainsJson: JSON.stringify({ 1: { static: code } }) });
  const { app } = served;
  const members = { compilerVersion: '0.8.30+commit.73712a01', contractIdentifier: 'src/A.sol:A' };
  await verifyToEnd(app, `1/${FIRST}`, { ...members, stdJsonInput: input });
  const downloaded = await app.inject(`/repo-ui/1/${FIRST}/standard-input.json`);
  const { job } = await verifyToEnd(app, `1/${SECOND}`, { ...members, stdJsonInput: downloaded.json() });
  expect(job).toMatchObject({ contract: { match: 'exact_match', address: checksumAddress(SECOND) } });
});
