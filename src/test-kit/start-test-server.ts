import { type LevelWithSilent, pino } from 'pino';
import { readConfig } from '../config.ts';
import { IN_MEMORY } from '../store/database-url.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { readGivenFixture } from './given-fixture.ts';
import { requireDuration, requireInstant } from './read-clock-change.ts';
import { ResettableServer } from './resettable-server.ts';
import type { StartOptions } from './start-options.ts';
import type { TestServer } from './test-server.ts';

/** Variables that have an option of their own, or no meaning for a server that is all in memory. */
const NOT_BY_ENV: Readonly<Record<string, string>> = {
  DATABASE_URL: 'the database is always in memory',
  HOST: 'use the option host',
  LEDGERLENS_TEST_API: 'use the option testApi',
  LOG_LEVEL: 'use the option log',
  PORT: 'use the option port',
  STATUS_PORT: 'the status page is served on the one port',
  VERIFY_CHAINS: 'use the option chains',
  VERIFY_CHAINS_FILE: 'use the option chains',
};

/** Starts a server of these options; `start` of the package is its public name. */
export async function startTestServer(options: StartOptions): Promise<TestServer> {
  const { chains = {}, clock = 'real', env = {}, host = '127.0.0.1', log = 'silent', port = 0 } = options;
  for (const [name, reason] of Object.entries(NOT_BY_ENV)) {
    if (env[name] !== undefined) throw refused(`env.${name}: ${reason}`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw refused('port: must be an integer from 0 to 65535');
  const config = readConfig({
    ...env,
    DATABASE_URL: IN_MEMORY.url,
    HOST: host,
    PORT: String(port),
    LOG_LEVEL: log,
    VERIFY_CHAINS: JSON.stringify(chains),
  });
  const server = await ResettableServer.start({
    config,
    log: pino({ level: config.logLevel as LevelWithSilent }, pino.destination({ dest: 2, sync: true })),
    fetch: options.fetch ?? fetch,
    environment: env,
    fixture: options.fixture === undefined ? null : await readGivenFixture(options.fixture),
    stoppedAt: clock === 'real' ? null : requireInstant('clock', clock),
    servesTestApi: options.testApi ?? false,
  });
  return {
    url: server.url,
    port: server.ports[0] ?? port,
    now: () => server.now(),
    load: async (fixture) => server.load(await readGivenFixture(fixture)),
    reset: () => server.reset(),
    advance: async (milliseconds) => server.advance(requireDuration('milliseconds', milliseconds)),
    setCode: (chainId, address, code) => server.giveCode(String(chainId), address, code),
    stop: () => server.stop(),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

function refused(problem: string): LedgerlensError {
  return new LedgerlensError('invalid_configuration', `The server cannot be started: ${problem}`);
}
