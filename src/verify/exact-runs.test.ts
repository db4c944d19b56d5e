import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileForTest } from '../../test/kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../../test/kit/verify/serve-area.ts';
import { quoteLargeRuns } from './exact-runs.ts';

const SOURCE = 'contract Tally { uint256 public n; function up(uint256 by) public { n += by; } }';
const inputOf = (runs: number) => ({
  language: 'Solidity',
  sources: { 'Tally.sol': { content: SOURCE } },
  settings: { optimizer: { enabled: true, runs } },
});
/** The next number would be rounded to one that no compiler takes. */
const RUNS = '18446744073709551615';
const PLACE = 777_777;
const inText = (value: object) => JSON.stringify(value).replace(String(PLACE), RUNS);
const VERSION = '0.8.30+commit.73712a01';
const ADDRESSES = [1, 2, 3, 4, 5].map((digit) => `0x${String(digit).repeat(40)}`);

let served: ServedArea;
let metadata: string;
beforeAll(async () => {
  // What the build for WebAssembly makes of it.
  const { bytecode, metadata: printed, runtime } = compileForTest(inputOf(2 ** 32 - 1), 'Tally.sol', 'Tally');
  metadata = printed.replace(String(2 ** 32 - 1), RUNS);
  const code = { creationBytecode: bytecode, runtimeBytecode: runtime };
  const chain = { static: Object.fromEntries(ADDRESSES.map((address) => [address, code])) };
  served = await serveArea({ chainsJson: JSON.stringify({ 5: chain }), firstPollMs: 60_000 });
});
afterAll(() => served.close());

const json = { 'content-type': 'application/json' };
async function follow(url: string, payload: string): Promise<unknown> {
  const { verificationId } = (
    await served.app.inject({ method: 'POST', url, payload, headers: json })
  ).json();
  return (await served.app.inject(`/v2/verify/${verificationId}`)).json();
}
async function etherscan(contractaddress: string | undefined, members: object): Promise<string> {
  const common = { compilerversion: `v${VERSION}`, contractname: 'Tally', contractaddress };
  const payload = { module: 'contract', action: 'verifysourcecode', ...common, ...members };
  const { result } = (await served.app.inject({ method: 'POST', url: '/api/5', payload })).json();
  const url = `/api/5?module=contract&action=checkverifystatus&guid=${result}`;
  return (await served.app.inject(url)).json().result;
}
const exact = { contract: { creationMatch: 'exact_match', runtimeMatch: 'exact_match' } };

test('runs above 2^53 - 1 reach the compiler as they were sent, in every form (issue 40)', async () => {
  const [one, two, three, four, five] = ADDRESSES;
  const members = { compilerVersion: VERSION, contractIdentifier: 'Tally.sol:Tally' };
  const body = inText({ stdJsonInput: inputOf(PLACE), ...members });
  expect(await follow(`/v2/verify/5/${one}`, body)).toMatchObject(exact);
  const sources = `{"sources":{"x.sol":${JSON.stringify(SOURCE)}},"metadata":${metadata}}`;
  expect(await follow(`/v2/verify/metadata/5/${two}`, sources)).toMatchObject(exact);
  const single = {
    codeformat: 'solidity-single-file',
    sourceCode: SOURCE,
    optimizationUsed: '1',
    runs: RUNS,
  };
  expect(await etherscan(three, single)).toBe('Pass - Verified');
  const whole = { codeformat: 'solidity-standard-json-input', sourceCode: inText(inputOf(PLACE)) };
  expect(await etherscan(four, whole)).toBe('Pass - Verified');
  const payload = { address: five, chain: '5', files: { 'in.json': inText(inputOf(PLACE)) } };
  const named = { ...payload, compilerVersion: VERSION, contractName: 'Tally' };
  const former = await served.app.inject({ method: 'POST', url: '/verify/solc-json', payload: named });
  expect(former.json().result[0].status).toBe('perfect');
  // What is shown can be verified again.
  const shown = await served.app.inject(`/v2/contract/5/${one}?fields=compilation,stdJsonInput`);
  expect(shown.body.match(new RegExp(`"runs":${RUNS}}`, 'g'))).toHaveLength(2);
  const code = await served.app.inject(`/api/5?module=contract&action=getsourcecode&address=${one}`);
  expect(JSON.parse(code.body).result[0].SourceCode).toContain(`"runs":${RUNS}}`);
});

test.each([
  [`{"runs": ${RUNS}}`, `{"runs": "${RUNS}"}`],
  [`{"a":1,\n"runs":${RUNS} , "b":2}`, `{"a":1,\n"runs":"${RUNS}" , "b":2}`],
  ['{"runs":9007199254740991}', '{"runs":9007199254740991}'],
  [`{"runs":${RUNS}1}`, `{"runs":${RUNS}1}`],
  [`{"content":"{\\"runs\\":${RUNS}}"}`, `{"content":"{\\"runs\\":${RUNS}}"}`],
  // No number of JSON, so it stays an error.
  ['{"runs":00009007199254740993}', '{"runs":00009007199254740993}'],
  [`["runs",${RUNS}]`, `["runs",${RUNS}]`],
])('quoteLargeRuns(%s)', (text, quoted) => {
  expect(quoteLargeRuns(text)).toBe(quoted);
});
