// Child process of the benchmarks: the product and its ceiling in one process, so that both share one core.
import { once } from 'node:events';
import Fastify from 'fastify';
import { startTestServer } from '../support/test-server.ts';

const server = await startTestServer({});

/** Ceiling: what Fastify does with a ready buffer. */
const ceiling = Fastify({ logger: false });
const summary = Buffer.from(await (await fetch(`${server.url}/api/v2/summary.json`)).arrayBuffer());
const ready =
  (body: Buffer) =>
  async (_request: unknown, reply: { type(name: string): { send(body: Buffer): unknown } }) =>
    reply.type('application/json; charset=utf-8').send(body);
ceiling.get('/summary', ready(summary));
await ceiling.listen({ host: '127.0.0.1', port: 0 });
const { port } = ceiling.server.address() as { port: number };

process.stdout.write(`${JSON.stringify({ product: server.url, ceiling: `http://127.0.0.1:${port}` })}\n`);
process.stdin.resume();
await once(process.stdin, 'close');
await ceiling.close();
await server.close();
process.exit(0);
