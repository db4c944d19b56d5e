/**
 * Ledgerlens for the tests of other projects: a whole server in the process of the test, with a database in memory.
 *
 * @example
 * ```ts
 * import { start } from 'ledgerlens';
 *
 * await using server = await start({
 *   fixture: [{ kind: 'account', account: '0.0.1001', balance: 500 }],
 *   chains: { 31337: { rpc: ['http://127.0.0.1:8545'] } },
 * });
 * const answer = await fetch(`${server.url}/api/v1/accounts/0.0.1001`);
 * ```
 *
 * @module
 */
import type { StartOptions } from './test-kit/start-options.ts';
import type { TestServer } from './test-kit/test-server.ts';

export { FixtureError } from './test-kit/fixture-error.ts';
export type { ChainOptions, RpcEndpoint, StartOptions } from './test-kit/start-options.ts';
export type { Fixture, LoadReport, StaticContract, TestServer } from './test-kit/test-server.ts';
export { LedgerlensError } from './values/ledgerlens-error.ts';

/**
 * Starts a server and answers when it takes requests and has its fixture.
 *
 * Servers share nothing, so one process may have many. Nothing is read from the environment, and nothing is written to
 * disk. A server that is not stopped keeps the process alive.
 *
 * @throws FixtureError when the fixture is malformed, with the number of the line.
 * @throws LedgerlensError `invalid_configuration` when an option is, or `cannot_listen` when the port is taken.
 */
export async function start(options: StartOptions = {}): Promise<TestServer> {
  // Everything else is loaded here: whoever imports this module alone pays for what it uses.
  const { startTestServer } = await import('./test-kit/start-test-server.ts');
  return startTestServer(options);
}
