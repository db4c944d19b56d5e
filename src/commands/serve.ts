import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { buildApp, buildStatusApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { type Listeners, listen } from '../http/listeners.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import type { Invocation } from './command-table.ts';
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
  const services = await createServices(config, systemDependencies(log));
  let listeners: readonly Listeners[];
  try {
    listeners = await listenAll(config, services);
  } catch (error) {
    await services.close();
    throw error;
  }
  log.info(
    {
      ports: listeners.flatMap(({ ports }) => ports),
      publicUrl: services.site.publicUrl,
      dialect: config.mirror.dialect,
      database: config.databaseUrl,
    },
    `Ledgerlens ${services.site.version} serves ${services.site.publicUrl}; mirror dialect ${config.mirror.dialect}` +
      (config.mirror.dialect === 'spec' ? ' (clients of the public networks want MIRROR_DIALECT=hiero)' : ''),
  );
  await services.start();
  return new Promise((resolve) => {
    const delay = config.http.drainMs + config.http.shutdownMs;
    closeWithGrace({ delay, logger: false, skip: FAULT_SIGNALS }, async ({ err, signal }) => {
      if (err !== undefined) log.fatal({ err }, 'stopping after a fault');
      else log.info({ signal }, 'stopping');
      services.drain.isDraining = true;
      if (err === undefined) await pause(config.http.drainMs);
      await Promise.all(listeners.map((each) => each.close()));
      await services.close();
      log.info('stopped');
      resolve(err === undefined ? 0 : 1);
    });
  });
}

async function listenAll(config: Config, services: Services): Promise<readonly Listeners[]> {
  const options = { trustProxy: config.http.trustProxy, keepAliveMs: config.http.keepAliveMs };
  const { host, ports } = config.http;
  const listeners = [await listen(await buildApp(services, options), { host, ports })];
  if (config.status.port === null) return listeners;
  try {
    const statusApp = await buildStatusApp(services, options);
    return [...listeners, await listen(statusApp, { host, ports: [config.status.port] })];
  } catch (error) {
    await Promise.all(listeners.map((each) => each.close()));
    throw error;
  }
}
