// Child process of the benchmarks: Fastify with a ready buffer. Argument: the URL of what it sends.
import Fastify from 'fastify';
import { serveCeiling } from './serve-ceiling.ts';

const page = Buffer.from(await (await fetch(process.argv[2] ?? '')).arrayBuffer());
const app = Fastify({ logger: false });
app.get('/page', async (_request, reply) => reply.type('application/json; charset=utf-8').send(page));
await serveCeiling(app);
