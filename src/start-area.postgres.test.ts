import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { sharedPostgres } from '../test/support/postgres.ts';
import { startPostgresProxy } from '../test/support/postgres-proxy.ts';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createServices, systemDependencies } from './services.ts';

test('a server whose database is away while its work starts stays up, not ready, until it is back', async () => {
  const proxy = await startPostgresProxy(await (await sharedPostgres()).createMigrated());
  onTestFinished(() => proxy.close());
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const services = await createServices(readConfig({ DATABASE_URL: proxy.url }), systemDependencies(log));
  onTestFinished(() => services.close());
  const app = await buildApp(services);
  onTestFinished(() => app.close());
  const statusOf = async (path: string) => (await app.inject(path)).statusCode;

  proxy.vanish(true);
  const started = services.start(app);
  await expect.poll(() => lines.join('')).toContain('as soon as the database can be used');
  expect([await statusOf('/health/readiness'), await statusOf('/health/liveness')]).toEqual([503, 200]);
  proxy.vanish(false);
  await started;
  await expect.poll(() => statusOf('/health/readiness')).toBe(200);
}, 60_000);
