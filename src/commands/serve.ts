import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { buildApp, buildStatusApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { ConnectionBudget } from '../http/edge/connection-budget.ts';
import { type Listeners, listen } from '../http/edge/listeners.ts';
import { UnsentAnswers } from '../http/edge/unsent-answers.ts';
import { measureUnread } from '../http/metrics.ts';
import { openFilesLimit } from '../open-files-limit.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import { withinSmallNursery } from '../threads/small-nursery.ts';
import { connectionsWithin, HOW_TO_RAISE, hasFewFiles } from '../values/open-files.ts';
import type { Invocation } from './invocation.ts';
import { createLogger } from './logger.ts';

/**
 * Not ours to handle: the engine uses them itself to catch a compiler's access beyond its WebAssembly memory.
 * A handler would turn such an access into an endless fault.
 */
const FAULT_SIGNALS: ('SIGILL' | 'SIGTRAP' | 'SIGABRT' | 'SIGBUS' | 'SIGFPE' | 'SIGSEGV')[] = [
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
];

/** `ledgerlens serve`: migrates, listens, starts the background work, and stops gracefully. */
export async function execute({ env }: Invocation): Promise<number> {
  const config = readConfig(env);
  const log = createLogger(config.logLevel);
  const services = await withinSmallNursery(() =>
    createServices(config, systemDependencies(log), { isServing: true }),
  );
  const listeners: Listeners[] = [];
  // Before anything listens: a signal during the start must end what has begun.
  const { stopped, uninstall } = stopOnSignal(config, services, listeners);
  try {
    const app = await withinSmallNursery(() => listenAll(config, services, listeners));
    log.info(
      {
        ports: listeners.flatMap(({ ports }) => ports),
        publicUrl: services.site.publicUrl,
        dialect: config.mirror.dialect,
        database: config.database.url,
      },
      `Ledgerlens ${services.site.version} serves ${services.site.publicUrl}; mirror dialect ${config.mirror.dialect}` +
        (config.mirror.dialect === 'spec'
          ? ' (clients of the public networks want MIRROR_DIALECT=hiero)'
          : ''),
    );
    if (!services.drain.isDraining) await services.start(app);
  } catch (error) {
    if (services.drain.isDraining) return stopped;
    uninstall();
    await Promise.all(listeners.map((each) => each.close()));
    await services.close();
    throw error;
  }
  return stopped;
}

/** Signals that ask for the end. npm passes on the one that a terminal sent to both, so it arrives twice. */
const STOP_SIGNALS: ('SIGINT' | 'SIGTERM')[] = ['SIGINT', 'SIGTERM'];

/** A stop signal that soon after the first is the same one again, not somebody's impatience. */
const SAME_SIGNAL_MS = 500;

/** `stopped` gives the exit code when a signal or a fault has ended everything. */
function stopOnSignal(
  config: Config,
  services: Services,
  listeners: readonly Listeners[],
): { readonly stopped: Promise<number>; readonly uninstall: () => void } {
  const { log } = services;
  const delay = config.http.drainMs + config.http.shutdownMs;
  let uninstall = () => {};
  const stopped = new Promise<number>((resolve) => {
    let first: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;
    const grace = closeWithGrace(
      {
        delay,
        logger: false,
        skip: [...FAULT_SIGNALS, ...STOP_SIGNALS],
        onTimeout: () => log.error(`gave up after ${delay} ms with requests or jobs still running`),
        onSecondSignal: (signal) => log.warn({ signal }, 'second signal: stopping at once'),
      },
      async ({ err, signal }) => {
        if (err !== undefined) log.fatal({ err }, 'stopping after a fault');
        else log.info({ signal: signal ?? first?.signal }, 'stopping');
        services.beginDraining();
        if (err === undefined) await pause(config.http.drainMs);
        await Promise.all(listeners.map((each) => each.close()));
        await services.close();
        log.info('stopped');
        resolve(err === undefined ? 0 : 1);
      },
    );
    const onStopSignal = (signal: NodeJS.Signals) => {
      if (first === null) {
        first = { signal, at: performance.now() };
        grace.close();
      } else if (performance.now() - first.at > SAME_SIGNAL_MS) {
        log.warn({ signal }, 'second signal: stopping at once');
        process.exit(1);
      }
    };
    for (const signal of STOP_SIGNALS) process.on(signal, onStopSignal);
    uninstall = () => {
      grace.uninstall();
      for (const signal of STOP_SIGNALS) process.off(signal, onStopSignal);
    };
  });
  return { stopped, uninstall };
}

/** Adds each listener as soon as it listens, so that whoever stops the process finds it. @returns the shared one. */
async function listenAll(
  config: Config,
  services: Services,
  listeners: Listeners[],
): Promise<FastifyInstance> {
  const { host, keepAliveMs, ports, requestsPerSecond, trustProxy } = config.http;
  const budget = connectionBudget(services);
  const unsent = new UnsentAnswers();
  measureUnread(services.metrics, unsent);
  const options = { trustProxy, keepAliveMs, requestsPerSecond, budget, unsent };
  const app = await buildApp(services, options);
  listeners.push(await listen(app, { host, ports, budget }));
  if (config.status.port === null) return app;
  const statusApp = await buildStatusApp(services, options);
  listeners.push(await listen(statusApp, { host, ports: [config.status.port], budget }));
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
