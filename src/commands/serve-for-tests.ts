import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ResettableServer } from '../test-kit/resettable-server.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/**
 * `ledgerlens serve` with `LEDGERLENS_TEST_API`: whoever reaches the server can load, empty and move it in time.
 *
 * @see docs/adr/0028-test-server.md
 */
export async function serveForTests(
  config: Config,
  log: Logger,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const starting = ResettableServer.start({
    config,
    log,
    fetch,
    environment,
    fixture: null,
    stoppedAt: null,
    servesTestApi: true,
  });
  let server: ResettableServer | null = null;
  const { stopped, uninstall } = stopOnSignal(
    config,
    {
      log,
      beginDraining: () => server?.beginDraining(),
      close: async () => (await starting).stop(),
    },
    [],
  );
  try {
    server = await starting;
  } catch (error) {
    uninstall();
    throw error;
  }
  const { ports, url } = server;
  log.warn(
    { testApi: config.testApi },
    `THE TEST API IS ON: anyone who reaches ${url} can erase the data and change the clock of this server (POST /_test/reset, ` +
      '/_test/fixtures, /_test/clock). No data is kept.',
  );
  log.info(
    { ports, publicUrl: url, dialect: config.mirror.dialect, database: config.database.url },
    `Ledgerlens serves ${url}; mirror dialect ${config.mirror.dialect}`,
  );
  return stopped;
}
