import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';

/** Serves a ceiling of the benchmarks until its input ends: prints its URL, tells its CPU time at `/cpu`. */
export async function serveCeiling(app: FastifyInstance): Promise<void> {
  app.get('/cpu', async () => {
    const { system, user } = process.cpuUsage();
    return { seconds: (user + system) / 1e6 };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  process.stdout.write(`http://127.0.0.1:${port}\n`);
  process.stdin.resume();
  await once(process.stdin, 'close');
  await app.close();
}
