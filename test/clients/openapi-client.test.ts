import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start, type TestServer } from '../../src/index.ts';
import { isLeftOut } from '../support/left-out.ts';
import { missingProgram } from './missing-program.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('openapi-client/', import.meta.url));
const GENERATOR = `${FOLDER}node_modules/openapi-typescript/bin/cli.js`;
const COMPILER = `${FOLDER}node_modules/typescript/bin/tsc`;
const missing = missingProgram('openapi-typescript', existsSync(GENERATOR) && existsSync(COMPILER));

const counter = JSON.parse(
  readFileSync(new URL('../../examples/vitest/counter.json', import.meta.url), 'utf8'),
) as { runtimeBytecode: string; submission: object };
const ADDRESS = `0x${'c0'.repeat(20)}`;
const LARGE = 9_007_199_254_740_993n;

const transfer = (second: number, amount: bigint) =>
  `{"consensus_timestamp":"17066592${second}.000000000","name":"CRYPTOTRANSFER","result":"SUCCESS",
    "transaction_id":"0.0.1001-17066592${second - 1}-000000000",
    "transfers":[{"account":"0.0.1001","amount":-${amount}},{"account":"0.0.1002","amount":${amount}}]}`.replaceAll(
    '\n',
    '',
  );

/** Types and calls come from the documents alone: what they promise is what compiles. */
describe.skipIf(isLeftOut(missing))('a client that openapi-typescript generates', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({
      chains: { 31338: { static: { [ADDRESS]: { runtimeBytecode: counter.runtimeBytecode } } } },
    });
    await server.load([transfer(11, 5n), transfer(12, LARGE), transfer(13, 7n)].join('\n'));
    const documents = fileURLToPath(new URL('../../openapi/all.json', import.meta.url));
    await run(process.execPath, [GENERATOR, documents, '-o', `${FOLDER}schema.d.ts`]);
  });
  afterAll(() => server?.stop());

  test('compiles strictly, refuses mistakes, and learns what a server tells', async () => {
    const compiled = await run(process.execPath, [COMPILER, '-p', FOLDER]).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, [
      `${FOLDER}generated/client.js`,
      server.url,
      ADDRESS,
      JSON.stringify(counter.submission),
    ]);
    expect(JSON.parse(stdout)).toEqual({
      match: 'exact_match',
      jobError: null,
      pageStatus: 'none',
      components: expect.arrayContaining(['Database', 'Fee estimation']),
      times: ['1706659213.000000000', '1706659212.000000000', '1706659211.000000000'],
      largestAmount: `${LARGE}`,
      fee: expect.any(Number),
      refusals: ['404', expect.stringContaining('limit')],
    });
  });
});
