import { expect, test } from 'vitest';
import { type JobAnswer, verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { MOCK_CHAINS, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { serveArea } from '../../../test/kit/verify/serve-area.ts';

const input = (content: string, settings = {}) => ({
  stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content } }, settings },
  compilerVersion: '0.8.30',
  contractIdentifier: 'a.sol:A',
});
/** Compiles for minutes. */
const LONG = input(
  `contract A { ${Array.from(
    { length: 20_000 },
    (_, index) => `function f${index}(uint a) public returns (uint) { return a * ${index} + f0(a); }`,
  ).join('\n')} }`,
  { viaIR: true, optimizer: { enabled: true, runs: 1_000_000 } },
);

// Not stopped, the first compilation would hold the only thread until long after the time of this test.
test('cancelling a job stops its compilation and frees the thread', async () => {
  const code = { runtime: '0x6001' };
  const contracts = new Map(['1', '2'].map((digit) => [`0x${digit.repeat(40)}`, code]));
  const served = await serveArea({
    chainsJson: MOCK_CHAINS,
    fetch: mockChainFetch(contracts),
    workers: 1,
    firstPollMs: 0,
  });
  try {
    const accepted = await served.app.inject({
      method: 'POST',
      url: `/v2/verify/31337/0x${'1'.repeat(40)}`,
      payload: LONG,
    });
    const url = `/v2/verify/${accepted.json().verificationId}`;
    const job = async () => (await served.app.inject(url)).json<JobAnswer & { readonly stage?: string }>();
    while ((await job()).stage !== 'compiling') await new Promise((resolve) => setImmediate(resolve));
    expect((await served.app.inject({ method: 'DELETE', url })).statusCode).toBe(204);
    const small = await verifyToEnd(served.app, `31337/0x${'2'.repeat(40)}`, input('contract A {}'));
    expect(small.job.error?.customCode).toBe('no_match');
    await served.area.idle();
    expect((await job()).error?.customCode).toBe('job_cancelled');
  } finally {
    await served.close();
  }
});
