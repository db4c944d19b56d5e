// Child process of the benchmarks: Fastify with the bytes that the product sends to clients that accept gzip, ready in a
// buffer. Argument: the URL of what it sends.
import { once } from 'node:events';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import Fastify from 'fastify';
import { serveCeiling } from './serve-ceiling.ts';

const [answer] = await once(
  get(process.argv[2] ?? '', { headers: { 'accept-encoding': 'gzip' } }),
  'response',
);
const page = await buffer(answer);
const encoding = answer.headers['content-encoding'];
const app = Fastify({ logger: false });
app.get('/page', async (_request, reply) => {
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(page);
});
await serveCeiling(app);
