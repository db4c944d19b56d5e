import { execFile } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp, buildStatusApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { ConnectionBudget } from '../http/edge/connection-budget.ts';
import { type Listeners, listen } from '../http/edge/listeners.ts';
import { type TakenPorts, takePorts } from '../http/edge/take-ports.ts';
import { UnsentAnswers } from '../http/edge/unsent-answers.ts';
import { measureUnread } from '../http/metrics.ts';
import { openFilesLimit } from '../open-files-limit.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import type { DatabaseLocation } from '../store/database-url.ts';
import { logMigration } from '../store/log-migration.ts';
import { backendOf, openStore } from '../store/open-store.ts';
import { collectGarbage, withinSmallNursery } from '../threads/small-nursery.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { connectionsWithin, HOW_TO_RAISE, hasFewFiles } from '../values/open-files.ts';
import type { Invocation } from './command.ts';
import { createLogger } from './logger.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** One port or, as PORT has them, several. */
const isPortOption = (text: string): boolean =>
  text.split(',').every((each) => /^\d{1,5}$/.test(each) && Number(each) <= 65_535);

/** `ledgerlens serve`: migrates, listens, starts the background work, and stops gracefully. */
export async function execute({ env: given, values: { host, port } }: Invocation): Promise<number> {
  if (typeof port === 'string' && !isPortOption(port)) {
    throw new LedgerlensError('usage', `--port "${port}" is not a port from 0 to 65535`);
  }
  if (host === '') throw new LedgerlensError('usage', '--host needs an address, for example 127.0.0.1');
  const env = {
    ...given,
    ...(typeof port === 'string' ? { PORT: port } : {}),
    ...(typeof host === 'string' ? { HOST: host } : {}),
  };
  const configured = readConfig(env);
  const log = createLogger(configured);
  if (configured.testApi !== 'off') {
    const { serveForTests } = await import('./serve-for-tests.ts');
    return serveForTests(configured, log, env);
  }
  await migrateApart(configured.database, log);
  const ports = await takePorts(configured.http.host, portsOf(configured));
  const config = withPorts(configured, ports.numbers);
  await letSignalsIn();
  const services = await withinSmallNursery(async () => {
    const store = await openStore(config, { log, isServing: true });
    await letSignalsIn();
    return createServices(config, systemDependencies(log), { store });
  });
  const listeners: Listeners[] = [];
  // Before anything listens: a signal during the start must end what has begun.
  const { stopped, uninstall } = stopOnSignal(config, services, listeners);
  try {
    await letSignalsIn();
    if (services.drain.isDraining) return stopped;
    const app = await withinSmallNursery(() => listenAll(config, services, listeners, ports));
    if (services.drain.isDraining) return stopped;
    log.info(
      {
        ports: listeners.flatMap(({ ports }) => ports),
        publicUrl: services.site.publicUrl,
        dialect: config.mirror.dialect,
        database: config.database.url,
      },
      `Ledgerlens ${services.site.version} serves ${services.site.publicUrl}; mirror dialect ${config.mirror.dialect}` +
        (config.mirror.dialect === 'spec'
          ? ' (clients of the public networks need MIRROR_DIALECT=hiero)'
          : ''),
    );
    await services.start(app);
    collectGarbage();
  } catch (error) {
    if (services.drain.isDraining) return stopped;
    uninstall();
    await Promise.all(listeners.map((each) => each.close()));
    await services.close();
    throw error;
  }
  return stopped;
}

/** Handles signals that arrived meanwhile, which the event loop reads between two turns. */
async function letSignalsIn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Adds each listener as soon as it listens, so that whoever stops the process finds it. @returns the shared one. */
async function listenAll(
  config: Config,
  services: Services,
  listeners: Listeners[],
  taken: TakenPorts,
): Promise<FastifyInstance> {
  const { host, keepAliveMs, ports, requestsPerSecond, trustProxy } = config.http;
  const budget = connectionBudget(services);
  const unsent = new UnsentAnswers(services.heap.unsentAnswers);
  measureUnread(services.metrics, unsent);
  const options = { trustProxy, keepAliveMs, requestsPerSecond, budget, unsent };
  const app = await buildApp(services, options);
  listeners.push(await listen(app, { host, ports, budget, taken }));
  if (config.status.port === null) return app;
  const statusApp = await buildStatusApp(services, options);
  listeners.push(await listen(statusApp, { host, ports: [config.status.port], budget, taken }));
  return app;
}

/** Leaves files for everything that is no connection. */
function connectionBudget({ log }: Services): ConnectionBudget {
  const openFiles = openFilesLimit();
  const connections = connectionsWithin(openFiles);
  if (openFiles !== null && hasFewFiles(openFiles)) {
    log.warn(
      { openFiles, connections },
      `the limit of open files is ${openFiles}, which leaves ${connections} connections. ${HOW_TO_RAISE}`,
    );
  }
  return new ConnectionBudget(connections);
}

function portsOf({ http, status }: Config): readonly number[] {
  return status.port === null ? http.ports : [...http.ports, status.port];
}

/** With the ports that are taken, so that links name them. */
function withPorts(config: Config, numbers: readonly number[]): Config {
  const { http, status } = config;
  const port = status.port === null ? null : (numbers[http.ports.length] ?? status.port);
  return {
    ...config,
    http: { ...http, ports: numbers.slice(0, http.ports.length) },
    status: { ...status, port },
  };
}

/**
 * Lets another process apply the migrations that would hold up this one, so that it can be asked to stop meanwhile. Only
 * process 1 needs that: every other process is ended by the kernel, and all processes of a container end with process 1.
 *
 * @throws LedgerlensError `migration_refused` with what the other process reported.
 */
async function migrateApart(database: DatabaseLocation, log: Logger): Promise<void> {
  if (process.pid !== 1 || backendOf(database).blockingMigrations(database).length === 0) return;
  const [, main = ''] = process.argv;
  const ended = promisify(execFile)(process.execPath, [...process.execArgv, main, 'migrate', '--json']);
  const { stdout } = await ended.catch((cause: { readonly stderr: string }) => {
    throw new LedgerlensError('migration_refused', cause.stderr.trim(), { cause });
  });
  const { migrations } = JSON.parse(stdout) as { readonly migrations: readonly string[] };
  migrations.forEach(logMigration(log));
}
