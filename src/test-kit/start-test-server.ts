import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'lossless-json';
import { type LevelWithSilent, pino } from 'pino';
import { readConfig } from '../config.ts';
import { IN_MEMORY } from '../store/database-url.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { FixtureError } from './fixture-error.ts';
import { requireDuration, requireInstant } from './read-clock-change.ts';
import { type NamedFixture, ResettableServer } from './resettable-server.ts';
import type { StartOptions } from './start-options.ts';
import type { Fixture, TestServer } from './test-server.ts';

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

/** The name that messages give to what has no file. */
const NAME = 'fixture';

/** Brings a fixture into the form in which files have it. @throws FixtureError when it cannot be read. */
async function readGivenFixture(fixture: Fixture): Promise<NamedFixture> {
  if (typeof fixture === 'string') {
    const isText = /^\s*[{#]|\n/.test(fixture) || fixture.trim() === '';
    return isText ? { name: NAME, contents: Buffer.from(fixture) } : readFixtureFile(fixture);
  }
  if (fixture instanceof URL) return readFixtureFile(pathOf(fixture));
  if (!Array.isArray(fixture)) {
    throw new FixtureError(
      'malformed',
      'A fixture must be a list of objects, a text, a path or a file URL',
      null,
    );
  }
  return { name: NAME, contents: Buffer.from(fixture.map(printLine).join('\n')) };
}

/** Integers may be bigint, which JSON has no other way to tell. */
function printLine(object: unknown, index: number): string {
  const isObject = typeof object === 'object' && object !== null && !Array.isArray(object);
  const line = isObject ? stringify(object) : undefined;
  if (line !== undefined) return line;
  throw new FixtureError('malformed', `Malformed ${NAME}, line ${index + 1}: must be an object`, index + 1);
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new FixtureError('unreadable_file', `${url} is not the URL of a file`, null, cause);
  }
}

async function readFixtureFile(path: string): Promise<NamedFixture> {
  try {
    return { name: basename(path), contents: await readFile(path) };
  } catch (cause) {
    throw new FixtureError(
      'unreadable_file',
      `Cannot read the fixture ${path}: ${(cause as Error).message}. (A text has a line break or begins with "{".)`,
      null,
      cause,
    );
  }
}
