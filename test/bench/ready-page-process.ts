// Child process of the page benchmarks: Fastify with a ready buffer. Argument: the URL of the page to send.
import { once } from 'node:events';
import Fastify from 'fastify';

const page = Buffer.from(await (await fetch(process.argv[2] ?? '')).arrayBuffer());
const app = Fastify({ logger: false });
app.get('/page', async (_request, reply) => reply.type('application/json; charset=utf-8').send(page));
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
